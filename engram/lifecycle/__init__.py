"""Time and use become acts: what lapses, what is held, what is due for another look, lessons, the journal. Pure."""
