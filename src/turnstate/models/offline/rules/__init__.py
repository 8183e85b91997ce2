"""The rules that tell what a clause asks for, one file per kind of request."""
