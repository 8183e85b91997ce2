"""Random histories, messages and events for property tests."""
