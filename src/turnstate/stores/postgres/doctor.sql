-- clock: now, on the clock that leases are timed with
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

-- orphans: rows of conversations that are not there
SELECT 'events', tenant, count(*)
FROM {schema}.events AS told
WHERE NOT EXISTS (
    SELECT 1 FROM {schema}.conversations AS known
    WHERE known.tenant = told.tenant AND known.conversation = told.conversation
)
GROUP BY tenant
UNION ALL
SELECT 'turns', tenant, count(*)
FROM {schema}.turns AS told
WHERE NOT EXISTS (
    SELECT 1 FROM {schema}.conversations AS known
    WHERE known.tenant = told.tenant AND known.conversation = told.conversation
)
GROUP BY tenant
UNION ALL
SELECT 'facts', tenant, count(*)
FROM {schema}.facts AS told
WHERE NOT EXISTS (
    SELECT 1 FROM {schema}.conversations AS known
    WHERE known.tenant = told.tenant AND known.conversation = told.conversation
)
GROUP BY tenant;

-- conversations: all of them, of every tenant
SELECT tenant, conversation, id, head, last_turn
FROM {schema}.conversations
ORDER BY tenant, conversation;

-- events: those of a conversation
SELECT seq, turn, tag, version, body
FROM {schema}.events
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
ORDER BY seq;

-- turns: those of a conversation
SELECT turn, seq, status, holder, until - %(now)s
FROM {schema}.turns
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
ORDER BY turn;

-- facts: those that a conversation taught
SELECT seq, body
FROM {schema}.facts
WHERE tenant = %(tenant)s AND conversation = %(conversation)s
ORDER BY seq;

-- snapshot: a conversation's
SELECT first, keep
FROM {schema}.snapshots
WHERE tenant = %(tenant)s AND conversation = %(conversation)s;

-- blob: what stands beside an event
SELECT data
FROM {schema}.blobs
WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND sha = %(sha)s;

-- words: whether the index has the words of a turn
SELECT EXISTS (
    SELECT 1
    FROM {schema}.said
    WHERE tenant = %(tenant)s AND conversation = %(conversation)s AND turn = %(turn)s
        AND words @> %(words)s::bigint[]
);
