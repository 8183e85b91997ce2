"""A log in PostgreSQL: schema and queries as .sql files, one event loop of its own, or the caller's pool."""
