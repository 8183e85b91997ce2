-- The tenant leads every key. Ids are escaped as in codec.column; bodies are the JSON of codec.encode.

CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL
) STRICT;

-- An id of 512 characters stands here once; the other tables have the number, which is never given out again.
CREATE TABLE conversations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    user TEXT,
    head INTEGER NOT NULL,
    last_turn INTEGER NOT NULL,
    last_closed INTEGER NOT NULL,
    started INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX conversations_id ON conversations (tenant, id);

CREATE INDEX conversations_updated ON conversations (tenant, updated);

CREATE INDEX conversations_user ON conversations (tenant, user, updated) WHERE user IS NOT NULL;

-- Long rows waste pages in a table without rowid; place is the order of arrival in the whole store.
CREATE TABLE events (
    place INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    at INTEGER NOT NULL,
    tag TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_seq ON events (tenant, conversation, seq);

-- The digest of a turn's message is in the event at seq.
CREATE TABLE turns (
    tenant TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'failed', 'closed')),
    key TEXT,
    PRIMARY KEY (tenant, conversation, turn)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX turns_key ON turns (tenant, conversation, key) WHERE key IS NOT NULL;

-- What the events taught, by whose it is: "u:" and a user, or "c:" and a conversation without one.
CREATE TABLE facts (
    place INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    active INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX facts_event ON facts (tenant, conversation, seq, idx);

CREATE INDEX facts_owner ON facts (tenant, owner, key);

CREATE TABLE snapshots (
    tenant TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    first INTEGER NOT NULL,
    keep TEXT NOT NULL,
    PRIMARY KEY (tenant, conversation)
) STRICT, WITHOUT ROWID;

CREATE TABLE blobs (
    place INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    sha TEXT NOT NULL,
    data BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX blobs_sha ON blobs (tenant, conversation, sha);
