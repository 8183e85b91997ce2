-- What several processes share: who works on which turn, and for how long that is believed without a word.

-- A turn that is paused waits for a person. The holder is the worker; until is in microseconds by the database's clock;
-- the token grows with each lease, so that a late worker can be told from the one that took over. Turn 0 stands for the
-- work between turns.
ALTER TABLE {schema}.turns DROP CONSTRAINT turns_status_check;

ALTER TABLE {schema}.turns ADD CONSTRAINT turns_status_check
    CHECK (status IN ('open', 'paused', 'failed', 'closed'));

ALTER TABLE {schema}.turns ADD COLUMN holder text;

ALTER TABLE {schema}.turns ADD COLUMN until bigint NOT NULL DEFAULT 0;

ALTER TABLE {schema}.turns ADD COLUMN token bigint NOT NULL DEFAULT 0;

CREATE INDEX turns_held ON {schema}.turns (tenant, conversation, turn) WHERE status = 'open' OR holder IS NOT NULL;

-- What a plain turn has to know stands in the row that it locks anyway. Held are the turns that are open or have a
-- worker, turn 0 aside; running is a turn that is open, with its newest token, or 0 where nobody says; stamp is that of the
-- newest append, so that one that is sent twice is recorded once.
ALTER TABLE {schema}.conversations ADD COLUMN held bigint NOT NULL DEFAULT 0;

ALTER TABLE {schema}.conversations ADD COLUMN running bigint NOT NULL DEFAULT 0;

ALTER TABLE {schema}.conversations ADD COLUMN token bigint NOT NULL DEFAULT 0;

ALTER TABLE {schema}.conversations ADD COLUMN stamp bigint NOT NULL DEFAULT 0;

UPDATE {schema}.conversations
SET held = (
    SELECT count(*)
    FROM {schema}.turns
    WHERE turns.tenant = conversations.tenant AND turns.conversation = conversations.conversation
        AND status = 'open'
);

-- The words of a turn, for the search: 64-bit digests of the conversation and a word, each mixed with the span of 512
-- turns in which it was said; and one that all rows of a conversation have, the first half of its number, by which they
-- are found to be deleted. There is no other index, so that none is taken where this one is meant. What is written goes
-- into the index at once: a list of what is pending would have to be read by every search.
CREATE TABLE {schema}.said (
    tenant text NOT NULL,
    conversation uuid NOT NULL,
    turn bigint NOT NULL,
    words bigint[] NOT NULL
);

CREATE INDEX said_words ON {schema}.said USING gin (words) WITH (fastupdate = off);

INSERT INTO {schema}.said (tenant, conversation, turn, words)
SELECT tenant, conversation, turn,
    ('x' || left(replace(conversation::text, '-', ''), 16))::bit(64)::bigint
        || ARRAY(SELECT word # (turn / 512) FROM unnest(words) AS told (word))
FROM {schema}.events
WHERE words IS NOT NULL;

ALTER TABLE {schema}.events DROP COLUMN words;
