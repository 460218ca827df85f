"""Recall: the few notes that matter, ranked and made a packet; or silence."""
