-- find_conversation: where a conversation stands
SELECT number, user, head, last_turn, last_closed
FROM conversations
WHERE tenant = :tenant AND id = :id;

-- add_conversation: open a conversation with its first event
INSERT INTO conversations (tenant, id, user, head, last_turn, last_closed, started, updated)
VALUES (:tenant, :id, :user, 1, 0, 0, :at, :at)
RETURNING number;

-- move_conversation: note what was recorded; time does not run backwards in a listing
UPDATE conversations
SET head = :head, last_turn = :last_turn, last_closed = :last_closed, updated = max(updated, :at)
WHERE tenant = :tenant AND number = :conversation;

-- list_conversations: the tenant's conversations, the most recently updated first
SELECT id, user, last_turn, head, started, updated
FROM conversations
WHERE tenant = :tenant AND id NOT LIKE '\erased:%'
ORDER BY updated DESC, number DESC
LIMIT :limit;

-- list_user_conversations: one user's conversations, the most recently updated first
SELECT id, user, last_turn, head, started, updated
FROM conversations
WHERE tenant = :tenant AND user = :user
ORDER BY updated DESC, number DESC
LIMIT :limit;

-- erased_conversation: whether a conversation was erased
SELECT 1
FROM conversations
WHERE tenant = :tenant AND id = :id;

-- conversation_times: when a conversation began, and its newest event
SELECT started, updated
FROM conversations
WHERE tenant = :tenant AND number = :conversation;

-- conversations_of: all conversations of a user
SELECT id
FROM conversations
WHERE tenant = :tenant AND user = :user;

-- bury_conversation: what stays of a conversation is that it was erased
UPDATE conversations
SET id = :id, user = NULL, head = head + 1, last_turn = 0, last_closed = 0, started = :at, updated = :at
WHERE tenant = :tenant AND number = :conversation
RETURNING head;

-- kept_events: events as they are kept, up to a turn
SELECT seq, turn, at, tag, version, body
FROM events
WHERE tenant = :tenant AND conversation = :conversation AND +turn <= :through
ORDER BY seq;

-- kept_turns: turns as they are kept
SELECT turn, seq, status, key
FROM turns
WHERE tenant = :tenant AND conversation = :conversation AND turn > 0
ORDER BY turn;

-- kept_blobs: what is large
SELECT sha, data
FROM blobs
WHERE tenant = :tenant AND conversation = :conversation
ORDER BY sha;

-- unindex_event: take the words of an event out of the index
INSERT INTO search (search, rowid, words)
SELECT 'delete', (number << 32) + :row, :words
FROM conversations
WHERE tenant = :tenant AND number = :conversation;

-- delete_event: one event
DELETE FROM events
WHERE tenant = :tenant AND conversation = :conversation AND seq = :seq;

-- delete_turns: turns up to one
DELETE FROM turns
WHERE tenant = :tenant AND conversation = :conversation AND turn <= :through;

-- delete_blob: what is large
DELETE FROM blobs
WHERE tenant = :tenant AND conversation = :conversation AND sha = :sha;

-- delete_snapshot: a conversation's snapshot
DELETE FROM snapshots
WHERE tenant = :tenant AND conversation = :conversation;

-- delete_facts: what one event taught
DELETE FROM facts
WHERE tenant = :tenant AND conversation = :conversation AND seq = :seq
RETURNING owner, key;

-- delete_owner_facts: all that is known of an owner
DELETE FROM facts
WHERE tenant = :tenant AND owner = :owner
RETURNING 1;

-- unfinished_turns: turns up to one that are open or paused
SELECT turn, status
FROM turns
WHERE tenant = :tenant AND conversation = :conversation AND turn BETWEEN 1 AND :through
    AND status IN ('open', 'paused');

-- put_conversation: a conversation as another store kept it
INSERT INTO conversations (tenant, id, user, head, last_turn, last_closed, started, updated)
VALUES (:tenant, :id, :user, :head, :last_turn, :last_closed, :started, :updated)
RETURNING number;

-- put_turn: a turn as another store kept it
INSERT INTO turns (tenant, conversation, turn, seq, status, key)
VALUES (:tenant, :conversation, :turn, :seq, :status, :key);

-- find_turn: where a turn stands
SELECT status, holder, until, token
FROM turns
WHERE tenant = :tenant AND conversation = :conversation AND turn = :turn;

-- find_key: the turn that has a key
SELECT turn, status, seq
FROM turns
WHERE tenant = :tenant AND conversation = :conversation AND key = :key;

-- add_turn: open a turn
INSERT INTO turns (tenant, conversation, turn, seq, status, key, holder, until, token)
VALUES (:tenant, :conversation, :turn, :seq, 'open', :key, :holder, :until, :token);

-- move_turn: note what became of a turn; with one that is not open any more its lease ends
UPDATE turns
SET status = :status, holder = iif(:status = 'open', holder, NULL), until = iif(:status = 'open', until, 0)
WHERE tenant = :tenant AND conversation = :conversation AND turn = :turn;

-- held_turns: the turns that are open or have a worker, the work between turns among them
SELECT turn, status = 'open', holder, until, token
FROM turns INDEXED BY turns_held
WHERE tenant = :tenant AND conversation = :conversation AND (status = 'open' OR holder IS NOT NULL);

-- add_work: the row that stands for the work between turns
INSERT INTO turns (tenant, conversation, turn, seq, status)
VALUES (:tenant, :conversation, 0, 0, 'paused')
ON CONFLICT (tenant, conversation, turn) DO NOTHING;

-- lease_turn: give a turn to a worker
UPDATE turns
SET holder = :holder, until = :until, token = token + 1
WHERE tenant = :tenant AND conversation = :conversation AND turn = :turn
RETURNING token;

-- renew_turns: a worker is alive
UPDATE turns INDEXED BY turns_held
SET until = :until
WHERE tenant = :tenant AND conversation = :conversation AND (status = 'open' OR holder IS NOT NULL)
    AND holder = :holder
RETURNING turn;

-- release_turn: a worker gives a turn up
UPDATE turns
SET holder = NULL, until = 0
WHERE tenant = :tenant AND conversation = :conversation AND turn = :turn AND holder = :holder;

-- add_event: record one event
INSERT INTO events (tenant, conversation, seq, turn, at, tag, version, body)
VALUES (:tenant, :conversation, :seq, :turn, :at, :tag, :version, :body);

-- find_event: one event, undecoded
SELECT tag, version, body
FROM events
WHERE tenant = :tenant AND conversation = :conversation AND seq = :seq;

-- read_events: events after a place
SELECT seq, turn, at, tag, version, body
FROM events
WHERE tenant = :tenant AND conversation = :conversation AND seq > :after
ORDER BY seq
LIMIT :limit;

-- read_turns: events of some turns after a place
SELECT seq, turn, at, tag, version, body
FROM events
WHERE tenant = :tenant AND conversation = :conversation AND turn IN (SELECT value FROM json_each(:turns))
    AND seq > :after
ORDER BY seq
LIMIT :limit;

-- index_event: note the words of an event; a conversation's rows begin at its number in the upper half
INSERT INTO search (rowid, words)
SELECT (number << 32) + :row, :words
FROM conversations
WHERE tenant = :tenant AND number = :conversation;

-- search_word: the turns of a conversation in which a word was said, once for every time, the newest first
SELECT (search.rowid >> 8) & 0xFFFFFF
FROM conversations CROSS JOIN search
WHERE tenant = :tenant AND number = :conversation AND search MATCH :word
    AND search.rowid >= number << 32 AND search.rowid < (number << 32) + :before
ORDER BY search.rowid DESC
LIMIT :limit;

-- load_events: the events that a snapshot names, looked up one by one, and all from its first on
SELECT seq, turn, at, tag, version, body
FROM json_each(:keep) AS named CROSS JOIN events
WHERE tenant = :tenant AND conversation = :conversation AND seq = named.value AND seq < :first
UNION ALL
SELECT seq, turn, at, tag, version, body
FROM events
WHERE tenant = :tenant AND conversation = :conversation AND seq >= :first
ORDER BY seq;

-- add_blob: keep what is large beside the events; the same in the same conversation is kept once
INSERT INTO blobs (tenant, conversation, sha, data)
VALUES (:tenant, :conversation, :sha, :data)
ON CONFLICT (tenant, conversation, sha) DO NOTHING;

-- find_blob: what an event left beside it
SELECT data
FROM blobs
WHERE tenant = :tenant AND conversation = :conversation AND sha = :sha;

-- find_snapshot: a conversation's snapshot
SELECT first, keep
FROM snapshots
WHERE tenant = :tenant AND conversation = :conversation;

-- put_snapshot: replace a conversation's snapshot
INSERT INTO snapshots (tenant, conversation, first, keep)
VALUES (:tenant, :conversation, :first, :keep)
ON CONFLICT (tenant, conversation) DO UPDATE SET first = excluded.first, keep = excluded.keep;

-- add_fact: project one fact of one event; projecting it again changes nothing
INSERT INTO facts (tenant, owner, key, conversation, seq, idx, active, body)
VALUES (:tenant, :owner, :key, :conversation, :seq, :idx, 0, :body)
ON CONFLICT (tenant, conversation, seq, idx) DO NOTHING;

-- key_facts: all facts that an owner's key ever had, in the order they were learned
SELECT place, active, body
FROM facts
WHERE tenant = :tenant AND owner = :owner AND key = :key
ORDER BY place;

-- move_fact: bring a fact in force, or out of it
UPDATE facts
SET active = :active
WHERE tenant = :tenant AND place = :place;

-- list_facts: an owner's facts in the order they were learned, those in force or all
SELECT place, body
FROM facts
WHERE tenant = :tenant AND owner = :owner AND (active = 1 OR :superseded)
ORDER BY place;
