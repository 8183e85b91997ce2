-- Documents, their passages, and the words that the passages are found by.

CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    source TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    sha TEXT NOT NULL,
    notes TEXT NOT NULL
) STRICT;

CREATE TABLE passages (
    number INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (number),
    place INTEGER NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX passages_place ON passages (document, place);

-- Words as in knowledge/words.py, one token each; a row's number is its passage's.
CREATE VIRTUAL TABLE search USING fts5 (
    title,
    words,
    tokenize = "ascii tokenchars '_'"
);
