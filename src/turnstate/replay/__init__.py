"""A recorded conversation through any context strategy, without a model: what each request would have been and cost."""
