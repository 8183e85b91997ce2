"""The story of a turn: open, load, plan, speak, close, settle."""
