"""What an agent did: hook payloads become events, transcripts become sessions."""
