"""A log in a SQLite file: schema and queries as .sql files, one thread that writes, one that reads."""
