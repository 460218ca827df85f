"""Curation without a person at it: a coding agent's headless mode is driven over the queue.

engram reads, masks and asks; the agent answers with text and has no tools; engram validates and plans what it says and
keeps it for review. Nothing here commits (docs/decisions/0014).
"""
