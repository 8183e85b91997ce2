"""The sales assistant: it qualifies a buyer, answers from a knowledge base, and shares what the business offers."""
