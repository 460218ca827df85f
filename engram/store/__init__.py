"""A store: notes as markdown in git. Where it lies, what it holds, and how a line of it is changed."""
