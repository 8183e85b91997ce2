"""What a user needs to test an agent: a strict local provider, scripted models, contract classes."""
