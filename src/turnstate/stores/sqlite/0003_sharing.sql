-- What several processes share: who works on which turn, and for how long that is believed without a word.

-- A turn that is paused waits for a person. The holder is the worker; until is in microseconds; the token grows with each
-- lease, so that a late worker can be told from the one that took over. Turn 0 stands for the work between turns.
CREATE TABLE turns_with_leases (
    tenant TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'paused', 'failed', 'closed')),
    key TEXT,
    holder TEXT,
    until INTEGER NOT NULL DEFAULT 0,
    token INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, conversation, turn)
) STRICT, WITHOUT ROWID;

INSERT INTO turns_with_leases (tenant, conversation, turn, seq, status, key)
SELECT tenant, conversation, turn, seq, status, key
FROM turns;

DROP TABLE turns;

ALTER TABLE turns_with_leases RENAME TO turns;

CREATE UNIQUE INDEX turns_key ON turns (tenant, conversation, key) WHERE key IS NOT NULL;

CREATE INDEX turns_held ON turns (tenant, conversation, turn) WHERE status = 'open' OR holder IS NOT NULL;
