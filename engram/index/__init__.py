"""The index: derived from the notes and disposable. One SQLite file holds words, vectors and edges."""
