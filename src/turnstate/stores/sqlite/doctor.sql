-- orphans: rows of conversations that are not there
SELECT 'events', tenant, count(*)
FROM events
WHERE NOT EXISTS (SELECT 1 FROM conversations WHERE number = events.conversation AND tenant = events.tenant)
GROUP BY tenant
UNION ALL
SELECT 'turns', tenant, count(*)
FROM turns
WHERE NOT EXISTS (SELECT 1 FROM conversations WHERE number = turns.conversation AND tenant = turns.tenant)
GROUP BY tenant
UNION ALL
SELECT 'facts', tenant, count(*)
FROM facts
WHERE NOT EXISTS (SELECT 1 FROM conversations WHERE number = facts.conversation AND tenant = facts.tenant)
GROUP BY tenant;

-- conversations: all of them, of every tenant
SELECT tenant, number, id, head, last_turn
FROM conversations
ORDER BY tenant, number;

-- events: those of a conversation
SELECT seq, turn, tag, version, body
FROM events
WHERE tenant = :tenant AND conversation = :conversation
ORDER BY seq;

-- turns: those of a conversation
SELECT turn, seq, status, holder, until - :now
FROM turns
WHERE tenant = :tenant AND conversation = :conversation
ORDER BY turn;

-- facts: those that a conversation taught
SELECT seq, body, idx
FROM facts
WHERE tenant = :tenant AND conversation = :conversation
ORDER BY seq, idx;

-- snapshot: a conversation's
SELECT first, keep
FROM snapshots
WHERE tenant = :tenant AND conversation = :conversation;

-- blob: what stands beside an event
SELECT data
FROM blobs
WHERE tenant = :tenant AND conversation = :conversation AND sha = :sha;

-- word: whether the index has a word of an event
SELECT 1
FROM search
WHERE search MATCH :word AND rowid = :row;
