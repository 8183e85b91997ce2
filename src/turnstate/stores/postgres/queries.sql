-- find_conversation: whose a conversation is, and its newest seq
SELECT id, user_id, head
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- add_conversation: open a conversation with its first event, unless it is there
WITH added AS (
    INSERT INTO {schema}.conversations
        (tenant, conversation, id, user_id, owner, head, last_turn, last_closed, started, updated)
    VALUES (%(tenant)s, %(conversation)s, %(id)s, %(user)s, %(owner)s, 1, 0, 0, %(at)s, %(at)s)
    ON CONFLICT (tenant, conversation) DO NOTHING
    RETURNING head
)
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body)
SELECT %(tenant)s, %(conversation)s, head, 0, %(at)s, %(version)s, %(tag)s, %(body)s
FROM added;

-- open_turn: open a turn, or find the one that has the key; no row where the conversation is another's or not there
WITH known AS (
    SELECT turn, status, digest
    FROM {schema}.turns
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND key = %(key)s
), moved AS (
    UPDATE {schema}.conversations
    SET head = head + 1, last_turn = last_turn + 1, updated = greatest(updated, %(at)s)
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND id = %(id)s AND owner = %(owner)s
        AND NOT EXISTS (SELECT turn FROM known)
    RETURNING head, last_turn
), opened AS (
    INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest)
    SELECT %(tenant)s, %(conversation)s, last_turn, head, 'open', %(key)s, %(digest)s FROM moved
), said AS (
    INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words)
    SELECT %(tenant)s, %(conversation)s, head, last_turn, %(at)s, %(version)s, %(tag)s, %(body)s,
        %(blobs)s::text[], %(words)s::bigint[]
    FROM moved
), kept AS (
    INSERT INTO {schema}.blobs (tenant, conversation, sha, data)
    SELECT %(tenant)s, %(conversation)s, sha, data
    FROM moved CROSS JOIN unnest(%(shas)s::text[], %(datas)s::bytea[]) AS large (sha, data)
    ON CONFLICT (tenant, conversation, sha) DO NOTHING
)
SELECT last_turn, 'new', head, NULL
FROM moved
UNION ALL
SELECT known.turn, known.status, head, known.digest
FROM known CROSS JOIN {schema}.conversations
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND id = %(id)s AND owner = %(owner)s;

-- lock_conversation: where a conversation stands; nobody else writes to it until the commit
SELECT id, user_id, head, last_closed
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
FOR UPDATE;

-- find_turn: where a turn stands
SELECT status
FROM {schema}.turns
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn = %(turn)s;

-- add_events: record events of one turn
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words)
SELECT %(tenant)s, %(conversation)s, seq, %(turn)s, %(at)s, version, tag, body, blobs::text[], words::bigint[]
FROM unnest(
    %(seqs)s::bigint[], %(versions)s::integer[], %(tags)s::text[], %(bodies)s::text[], %(blobs)s::text[],
    %(words)s::text[]
) AS told (seq, version, tag, body, blobs, words);

-- add_blobs: keep what is large beside the events; the same in the same conversation is kept once
INSERT INTO {schema}.blobs (tenant, conversation, sha, data)
SELECT %(tenant)s, %(conversation)s, sha, data
FROM unnest(%(shas)s::text[], %(datas)s::bytea[]) AS large (sha, data)
ON CONFLICT (tenant, conversation, sha) DO NOTHING;

-- move_conversation: note what was recorded; time does not run backwards in a listing
UPDATE {schema}.conversations
SET head = %(head)s, last_closed = %(last_closed)s, updated = greatest(updated, %(at)s)
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- move_turn: note what became of a turn
UPDATE {schema}.turns
SET status = %(status)s
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn = %(turn)s;

-- put_snapshot: replace a conversation's snapshot
INSERT INTO {schema}.snapshots (tenant, conversation, first, keep)
VALUES (%(tenant)s, %(conversation)s, %(first)s, %(keep)s::bigint[])
ON CONFLICT (tenant, conversation) DO UPDATE SET first = excluded.first, keep = excluded.keep;

-- count_facts: how many facts an owner has with the new ones; nobody else adds any until the commit
INSERT INTO {schema}.owners (tenant, owner, facts)
VALUES (%(tenant)s, %(owner)s, %(number)s)
ON CONFLICT (tenant, owner) DO UPDATE SET facts = owners.facts + excluded.facts
RETURNING facts;

-- add_facts: project facts of one conversation
INSERT INTO {schema}.facts (tenant, owner, place, conversation, seq, active, key, body)
SELECT %(tenant)s, %(owner)s, place, %(conversation)s, seq, false, key, body
FROM unnest(%(places)s::bigint[], %(seqs)s::bigint[], %(keys)s::text[], %(bodies)s::text[])
    AS learned (place, seq, key, body);

-- key_facts: all facts that some of an owner's keys ever had, in the order they were learned
SELECT key, place, active, body
FROM {schema}.facts
WHERE tenant = %(tenant)s AND owner = %(owner)s AND key = ANY (%(keys)s::text[])
ORDER BY place;

-- move_facts: bring facts in force, or out of it
UPDATE {schema}.facts
SET active = NOT active
WHERE tenant = %(tenant)s AND owner = %(owner)s AND place = ANY (%(places)s::bigint[]);

-- list_facts: an owner's facts in the order they were learned, those in force or all
SELECT place, body
FROM {schema}.facts
WHERE tenant = %(tenant)s AND owner = %(owner)s AND (active OR %(superseded)s)
ORDER BY place;

-- load_events: the events that a snapshot names, and all from its first on; all without a snapshot
WITH cut AS (
    SELECT first, keep
    FROM {schema}.snapshots
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s
)
SELECT seq, turn, at, tag, version, body, blobs
FROM {schema}.events
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
    AND seq = ANY (coalesce((SELECT keep FROM cut), '{}')) AND seq < (SELECT first FROM cut)
UNION ALL
SELECT seq, turn, at, tag, version, body, blobs
FROM {schema}.events
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
    AND seq >= coalesce((SELECT first FROM cut), 1)
ORDER BY seq;

-- read_events: events after a place
SELECT seq, turn, at, tag, version, body, blobs
FROM {schema}.events
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND seq > %(after)s
ORDER BY seq
LIMIT %(limit)s;

-- read_turns: events of some turns after a place
SELECT seq, turn, at, tag, version, body, blobs
FROM {schema}.events
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn = ANY (%(turns)s::bigint[])
    AND seq > %(after)s
ORDER BY seq
LIMIT %(limit)s;

-- find_blobs: what events left beside them
SELECT sha, data
FROM {schema}.blobs
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND sha = ANY (%(shas)s::text[]);

-- search_words: the turns in which each word was said
SELECT DISTINCT asked.word, turn
FROM unnest(%(words)s::bigint[]) AS asked (word)
JOIN {schema}.events ON words @> ARRAY[asked.word]
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn > 0 AND turn < %(before)s
ORDER BY turn;

-- list_conversations: the tenant's conversations, the most recently updated first
SELECT id, user_id, last_turn, head, started, updated
FROM {schema}.conversations
WHERE tenant = %(tenant)s
ORDER BY updated DESC, arrived DESC
LIMIT %(limit)s;

-- list_user_conversations: one user's conversations, the most recently updated first
SELECT id, user_id, last_turn, head, started, updated
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND owner = %(owner)s
ORDER BY updated DESC, arrived DESC
LIMIT %(limit)s;

-- list_migrations: what was done to the schema
SELECT number, checksum
FROM {schema}.migrations
ORDER BY number;

-- add_migration: note a step of the schema
INSERT INTO {schema}.migrations (number, name, checksum)
VALUES (%(number)s, %(name)s, %(checksum)s);
