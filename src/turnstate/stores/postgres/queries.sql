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

-- open_turn: open a turn where no other comes first, or find the one that has the key; where neither is so, what is in
-- the way, and no row where the conversation is another's or not there
WITH known AS (
    SELECT turn, status, digest
    FROM {schema}.turns
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND key = %(key)s
), moved AS (
    UPDATE {schema}.conversations
    SET head = head + 1, last_turn = last_turn + 1, updated = greatest(updated, %(at)s), held = 1,
        running = last_turn + 1, token = %(token)s
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND id = %(id)s AND owner = %(owner)s
        AND held = 0 AND NOT EXISTS (SELECT turn FROM known)
    RETURNING head, last_turn
), opened AS (
    INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest, holder, until, token)
    SELECT %(tenant)s, %(conversation)s, last_turn, head, 'open', %(key)s, %(digest)s, %(holder)s,
        (extract(epoch FROM statement_timestamp()) * 1000000)::bigint + %(lasts)s, %(token)s
    FROM moved
), told AS (
    INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs)
    SELECT %(tenant)s, %(conversation)s, head, last_turn, %(at)s, %(version)s, %(tag)s, %(body)s, %(blobs)s::text[]
    FROM moved
), heard AS (
    INSERT INTO {schema}.said (tenant, conversation, turn, words)
    SELECT %(tenant)s, %(conversation)s, last_turn,
        %(all)s || ARRAY(SELECT word # (last_turn / %(span)s) FROM unnest(%(words)s::bigint[]) AS told (word))
    FROM moved
    WHERE %(words)s <> '{}'
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
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND id = %(id)s AND owner = %(owner)s
UNION ALL
SELECT 0, 'held', head, NULL
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND id = %(id)s AND owner = %(owner)s
    AND NOT EXISTS (SELECT turn FROM known) AND NOT EXISTS (SELECT head FROM moved);

-- lock_conversation: where a conversation stands; nobody else writes to it until the commit
SELECT id, user_id, head, last_turn, last_closed, held, stamp
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
FOR UPDATE;

-- find_turn: where a turn stands, and for how much longer its worker's word is good
SELECT status, holder, until - (extract(epoch FROM statement_timestamp()) * 1000000)::bigint, token
FROM {schema}.turns
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn = %(turn)s;

-- find_key: the turn that has a key
SELECT turn, status, digest
FROM {schema}.turns
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND key = %(key)s;

-- held_turns: the turns that are open or have a worker, and for how much longer its word is good; nobody renews one until
-- the commit
SELECT turn, status, holder, until - (extract(epoch FROM statement_timestamp()) * 1000000)::bigint, token
FROM {schema}.turns
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND (status = 'open' OR holder IS NOT NULL)
ORDER BY turn
FOR UPDATE;

-- add_turn: open a turn that others come before, or not
INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest, holder, until, token)
VALUES (%(tenant)s, %(conversation)s, %(turn)s, %(seq)s, 'open', %(key)s, %(digest)s, %(holder)s,
    (extract(epoch FROM statement_timestamp()) * 1000000)::bigint + %(lasts)s, %(token)s);

-- move_opened: note that a turn was opened, and whether it runs
UPDATE {schema}.conversations
SET head = %(seq)s, last_turn = %(turn)s, updated = greatest(updated, %(at)s), held = held + 1,
    running = CASE WHEN %(runs)s THEN %(turn)s ELSE running END,
    token = CASE WHEN %(runs)s THEN %(token)s ELSE token END
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- lease_turn: give a turn to a worker; turn 0 is there from its first lease on
INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, holder, until, token)
VALUES (%(tenant)s, %(conversation)s, %(turn)s, 0, 'closed', %(holder)s,
    (extract(epoch FROM statement_timestamp()) * 1000000)::bigint + %(lasts)s, 1)
ON CONFLICT (tenant, conversation, turn)
DO UPDATE SET holder = excluded.holder, until = excluded.until, token = turns.token + 1
RETURNING token;

-- move_lease: note that a turn has a worker, and whether it runs
UPDATE {schema}.conversations
SET held = held + %(more)s, running = CASE WHEN %(runs)s THEN %(turn)s ELSE running END,
    token = CASE WHEN %(runs)s THEN %(token)s ELSE token END
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- renew_turns: note that a worker is alive
UPDATE {schema}.turns
SET until = (extract(epoch FROM statement_timestamp()) * 1000000)::bigint + %(lasts)s
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND holder = %(holder)s
RETURNING turn;

-- release_turn: take a turn from the worker that has it
UPDATE {schema}.turns
SET holder = NULL, until = 0
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn = %(turn)s AND holder = %(holder)s;

-- tell_turn: record events of the turn that runs, and what becomes of it; no row where it does not, or where the same was
-- recorded before
WITH moved AS (
    UPDATE {schema}.conversations
    SET head = head + %(number)s, last_closed = greatest(last_closed, %(closed)s), updated = greatest(updated, %(at)s),
        held = held - %(ended)s::integer, running = CASE WHEN %(ended)s THEN 0 ELSE running END, stamp = %(stamp)s
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND id = %(id)s AND running = %(turn)s
        AND %(token)s IN (0, token) AND stamp <> %(stamp)s
    RETURNING head - %(number)s AS before
), told AS (
    INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs)
    SELECT %(tenant)s, %(conversation)s, before + place, %(turn)s, %(at)s, version, tag, body, blobs::text[]
    FROM moved CROSS JOIN unnest(
        %(versions)s::integer[], %(tags)s::text[], %(bodies)s::text[], %(blobs)s::text[]
    ) WITH ORDINALITY AS given (version, tag, body, blobs, place)
), heard AS (
    INSERT INTO {schema}.said (tenant, conversation, turn, words)
    SELECT %(tenant)s, %(conversation)s, %(turn)s, %(words)s::bigint[]
    FROM moved
    WHERE %(words)s <> '{}'
), kept AS (
    INSERT INTO {schema}.blobs (tenant, conversation, sha, data)
    SELECT %(tenant)s, %(conversation)s, sha, data
    FROM moved CROSS JOIN unnest(%(shas)s::text[], %(datas)s::bytea[]) AS large (sha, data)
    ON CONFLICT (tenant, conversation, sha) DO NOTHING
), ended AS (
    UPDATE {schema}.turns
    SET status = %(status)s, holder = NULL, until = 0
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn = %(turn)s AND %(ended)s
        AND EXISTS (SELECT before FROM moved)
)
SELECT before
FROM moved;

-- add_events: record events of one turn
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs)
SELECT %(tenant)s, %(conversation)s, seq, %(turn)s, %(at)s, version, tag, body, blobs::text[]
FROM unnest(
    %(seqs)s::bigint[], %(versions)s::integer[], %(tags)s::text[], %(bodies)s::text[], %(blobs)s::text[]
) AS told (seq, version, tag, body, blobs);

-- add_said: index the words of one turn
INSERT INTO {schema}.said (tenant, conversation, turn, words)
VALUES (%(tenant)s, %(conversation)s, %(turn)s, %(words)s::bigint[]);

-- add_blobs: keep what is large beside the events; the same in the same conversation is kept once
INSERT INTO {schema}.blobs (tenant, conversation, sha, data)
SELECT %(tenant)s, %(conversation)s, sha, data
FROM unnest(%(shas)s::text[], %(datas)s::bytea[]) AS large (sha, data)
ON CONFLICT (tenant, conversation, sha) DO NOTHING;

-- move_conversation: note what was recorded; time does not run backwards in a listing
UPDATE {schema}.conversations
SET head = %(head)s, last_closed = %(last_closed)s, updated = greatest(updated, %(at)s), held = held + %(more)s,
    running = CASE WHEN running = %(turn)s AND %(ended)s THEN 0 ELSE running END, stamp = %(stamp)s
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- move_turn: note what became of a turn; one that was open and is no longer has no worker
UPDATE {schema}.turns
SET status = %(status)s, holder = CASE WHEN %(freed)s THEN NULL ELSE holder END,
    until = CASE WHEN %(freed)s THEN 0 ELSE until END
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

-- find_told: what was recorded of a turn at one time
SELECT seq, tag, body
FROM {schema}.events
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn = %(turn)s AND at = %(at)s
ORDER BY seq;

-- find_blobs: what events left beside them
SELECT sha, data
FROM {schema}.blobs
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND sha = ANY (%(shas)s::text[]);

-- find_last_turn: the newest turn of a conversation
SELECT last_turn
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- search_words: the turns in which each word was said; one word at a time, or the index is not used
SELECT word, ARRAY(
    SELECT DISTINCT turn
    FROM {schema}.said
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND words @> ARRAY[word] AND turn < %(before)s
)
FROM unnest(%(words)s::bigint[]) AS asked (word);

-- list_conversations: the tenant's conversations, the most recently updated first
SELECT id, user_id, last_turn, head, started, updated
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND owner <> ''
ORDER BY updated DESC, arrived DESC
LIMIT %(limit)s;

-- list_user_conversations: one user's conversations, the most recently updated first
SELECT id, user_id, last_turn, head, started, updated
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND owner = %(owner)s
ORDER BY updated DESC, arrived DESC
LIMIT %(limit)s;

-- keep_conversation: a conversation as it is kept; nobody writes to it until the commit
SELECT id, user_id, started, updated, last_turn, last_closed, head
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
FOR UPDATE;

-- conversations_of: all conversations of a user, in the order in which everybody locks them
SELECT id
FROM {schema}.conversations
WHERE tenant = %(tenant)s AND owner = %(owner)s
ORDER BY conversation;

-- kept_events: events as they are kept, up to a turn
SELECT seq, turn, at, tag, version, body
FROM {schema}.events
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn <= %(through)s
ORDER BY seq;

-- kept_turns: turns as they are kept
SELECT turn, seq, status
FROM {schema}.turns
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn > 0
ORDER BY turn;

-- kept_blobs: what is large
SELECT sha, data
FROM {schema}.blobs
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
ORDER BY sha;

-- find_snapshot: a conversation's snapshot
SELECT first, keep
FROM {schema}.snapshots
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- unfinished_turns: turns up to one that are open or paused
SELECT turn, status
FROM {schema}.turns
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn BETWEEN 1 AND %(through)s
    AND status IN ('open', 'paused')
ORDER BY turn;

-- bury_conversation: what stays of a conversation is that it was erased; it belongs to nobody
UPDATE {schema}.conversations
SET id = %(id)s, user_id = NULL, owner = '', head = head + 1, last_turn = 0, last_closed = 0, started = %(at)s,
    updated = %(at)s, held = 0, running = 0, token = 0, stamp = 0
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- move_erased: note that turns were deleted
UPDATE {schema}.conversations
SET head = %(head)s, updated = greatest(updated, %(at)s), held = (
        SELECT count(*)
        FROM {schema}.turns
        WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn > 0
            AND (status = 'open' OR holder IS NOT NULL)
    )
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- add_event: record one event that says nothing
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body)
VALUES (%(tenant)s, %(conversation)s, %(seq)s, %(turn)s, %(at)s, %(version)s, %(tag)s, %(body)s);

-- delete_events: some events
DELETE FROM {schema}.events
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND seq = ANY (%(seqs)s::bigint[]);

-- delete_said: the words of turns up to one
DELETE FROM {schema}.said
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND words @> ARRAY[%(all)s::bigint]
    AND turn <= %(through)s;

-- delete_turns: some turns
DELETE FROM {schema}.turns
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn BETWEEN %(first)s AND %(through)s;

-- delete_snapshot: a conversation's snapshot
DELETE FROM {schema}.snapshots
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- delete_blobs: what is large
DELETE FROM {schema}.blobs
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND sha = ANY (%(shas)s::text[]);

-- delete_facts: what some events taught
DELETE FROM {schema}.facts
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND seq = ANY (%(seqs)s::bigint[])
RETURNING owner, key;

-- delete_owner_facts: all that is known of an owner
DELETE FROM {schema}.facts
WHERE tenant = %(tenant)s AND owner = %(owner)s
RETURNING place;

-- delete_owner: how much is known of an owner
DELETE FROM {schema}.owners
WHERE tenant = %(tenant)s AND owner = %(owner)s;

-- put_conversation: a conversation as another store kept it, unless there is one
INSERT INTO {schema}.conversations
    (tenant, conversation, id, user_id, owner, head, last_turn, last_closed, started, updated, held)
VALUES (%(tenant)s, %(conversation)s, %(id)s, %(user)s, %(owner)s, %(head)s, %(last_turn)s, %(last_closed)s,
    %(started)s, %(updated)s, %(held)s)
ON CONFLICT (tenant, conversation) DO NOTHING
RETURNING head;

-- put_event: an event as another store kept it
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs)
VALUES (%(tenant)s, %(conversation)s, %(seq)s, %(turn)s, %(at)s, %(version)s, %(tag)s, %(body)s, %(blobs)s::text[]);

-- put_turn: a turn as another store kept it
INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest)
VALUES (%(tenant)s, %(conversation)s, %(turn)s, %(seq)s, %(status)s, %(key)s, %(digest)s);

-- list_migrations: what was done to the schema
SELECT number, checksum
FROM {schema}.migrations
ORDER BY number;

-- add_migration: note a step of the schema
INSERT INTO {schema}.migrations (number, name, checksum)
VALUES (%(number)s, %(name)s, %(checksum)s);
