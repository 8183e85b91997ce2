"""Reads recorded conversations and finds where an agent lost a value, asked again, or left its goal; calls nobody."""
