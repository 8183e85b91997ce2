-- Which words were said in which turn. The words are those of core.search.words, written as in sqlite/search.py; the
-- table keeps no text, no positions and no sizes, so that it can say which rows have a word and nothing else.
-- A row's number is its conversation's number, its turn and the last eight bits of its seq, in 31, 24 and 8 bits: the
-- rows of a conversation stand together, and the turn needs no second look-up. Two rows of one number are one.
-- To take a row out: INSERT INTO search (search, rowid, words) VALUES ('delete', its number, its words made again from
-- the event), then INSERT INTO search (search) VALUES ('optimize'), without which deleted words stay in the file.
CREATE VIRTUAL TABLE search USING fts5 (
    words,
    content = '',
    detail = none,
    columnsize = 0,
    tokenize = "ascii tokenchars '_'"
);

-- The events of a turn, which may stand anywhere in its conversation.
CREATE INDEX events_turn ON events (tenant, conversation, turn);
