"""The support agent of a small shop: its orders, tools, facts, instructions and demo session."""
