"""Composition root: the one reader of environment, clock and home. It introduces rooms that don't know each other."""
