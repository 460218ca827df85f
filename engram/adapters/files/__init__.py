"""Foreign settings files, edited so that taking the edit back gives the file as it was, byte for byte."""
