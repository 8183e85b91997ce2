"""What re-deriving from the transcript costs on a recorded conversation, and what keeping state costs instead."""
