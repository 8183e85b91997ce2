"""Models: names resolved to pydantic-ai models, and the model that works without one."""
