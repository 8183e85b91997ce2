"""Recorded conversations, read from transcript files: one file per format, recognised by content."""
