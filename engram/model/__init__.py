"""The words everything else speaks in: frozen values and pure functions over them."""
