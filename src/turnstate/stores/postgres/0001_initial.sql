-- The tenant leads every key, and the conversation or the owner follows. Texts are escaped as in codec.column; bodies
-- are the JSON of codec.encode. {schema} is the schema that the log was given.

CREATE TABLE {schema}.migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL
);

-- An id has up to 512 characters, too many for an index: the other tables have a digest of it, and so do the keys. The
-- owner is the digest of the user, or of the conversation where there is none. What arrived first is listed last.
CREATE TABLE {schema}.conversations (
    tenant text NOT NULL,
    conversation uuid NOT NULL,
    id text NOT NULL,
    user_id text,
    owner bytea NOT NULL,
    head bigint NOT NULL,
    last_turn bigint NOT NULL,
    last_closed bigint NOT NULL,
    started bigint NOT NULL,
    updated bigint NOT NULL,
    arrived timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant, conversation)
);

CREATE INDEX conversations_updated ON {schema}.conversations (tenant, updated, arrived);

CREATE INDEX conversations_owner ON {schema}.conversations (tenant, owner, updated, arrived);

-- The words are 64-bit digests of the conversation and a word that was said: an index of numbers is a fraction of an
-- index of words. Blobs are the names of what stands beside the body.
CREATE TABLE {schema}.events (
    tenant text NOT NULL,
    conversation uuid NOT NULL,
    seq bigint NOT NULL,
    turn bigint NOT NULL,
    at bigint NOT NULL,
    version integer NOT NULL,
    tag text NOT NULL,
    body text NOT NULL,
    blobs text[],
    words bigint[],
    PRIMARY KEY (tenant, conversation, seq)
);

CREATE INDEX events_turn ON {schema}.events (tenant, conversation, turn);

CREATE INDEX events_words ON {schema}.events USING gin (words);

-- The digests are those of the client's key and, where there is one, of its message.
CREATE TABLE {schema}.turns (
    tenant text NOT NULL,
    conversation uuid NOT NULL,
    turn bigint NOT NULL,
    seq bigint NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'failed', 'closed')),
    key bytea,
    digest text,
    PRIMARY KEY (tenant, conversation, turn)
);

CREATE UNIQUE INDEX turns_key ON {schema}.turns (tenant, conversation, key) WHERE key IS NOT NULL;

-- How many facts an owner has; whoever adds some holds the row until the commit, so that no two settle at once.
CREATE TABLE {schema}.owners (
    tenant text NOT NULL,
    owner bytea NOT NULL,
    facts bigint NOT NULL,
    PRIMARY KEY (tenant, owner)
);

-- What the events taught, numbered for each owner in the order in which it was learned.
CREATE TABLE {schema}.facts (
    tenant text NOT NULL,
    owner bytea NOT NULL,
    place bigint NOT NULL,
    conversation uuid NOT NULL,
    seq bigint NOT NULL,
    active boolean NOT NULL,
    key text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (tenant, owner, place)
);

CREATE INDEX facts_event ON {schema}.facts (tenant, conversation, seq);

CREATE TABLE {schema}.snapshots (
    tenant text NOT NULL,
    conversation uuid NOT NULL,
    first bigint NOT NULL,
    keep bigint[] NOT NULL,
    PRIMARY KEY (tenant, conversation)
);

CREATE TABLE {schema}.blobs (
    tenant text NOT NULL,
    conversation uuid NOT NULL,
    sha text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (tenant, conversation, sha)
);
