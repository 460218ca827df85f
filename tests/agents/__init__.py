"""Drives real agent clients against a scripted model, with nothing but loopback."""
