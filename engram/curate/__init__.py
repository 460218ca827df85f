"""The door: validate → plan → check → diff → gate → commit. Nothing else writes a note."""
