"""How values are found: one file for each family of finders, and the table of all of them."""
