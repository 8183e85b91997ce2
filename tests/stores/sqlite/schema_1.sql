-- A store as the first release of the schema left it: five turns of two tenants, one event of which does not decode.
PRAGMA page_size = 8192;
PRAGMA journal_mode = WAL;
BEGIN TRANSACTION;
CREATE TABLE blobs (
    place INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    sha TEXT NOT NULL,
    data BLOB NOT NULL
) STRICT;
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
INSERT INTO "conversations" VALUES(1,'default','c1','ann',17,4,4,1767225600000000,1767225600000000);
INSERT INTO "conversations" VALUES(2,'other','c1',NULL,4,1,1,1767225600000000,1767225600000000);
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
INSERT INTO "events" VALUES(1,'default',1,1,0,1767225600000000,'conversation-opened',1,'{"user":"ann"}');
INSERT INTO "events" VALUES(2,'default',1,2,1,1767225600000000,'turn-opened',1,'{"digest":"digest of My order ORD-4711 is late","message":{"parts":[{"content":"My order ORD-4711 is late","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}');
INSERT INTO "events" VALUES(3,'default',1,3,1,1767225600000000,'model-responded',1,'{"model":"scripted","response":{"parts":[{"content":"You said: My order ORD-4711 is late","part_kind":"text"}],"timestamp":"2026-01-01T00:00:00Z"},"request":{"round":1,"count":{"estimate":10,"bound":20},"target":8000}}');
INSERT INTO "events" VALUES(4,'default',1,4,1,1767225600000000,'turn-closed',1,'{"trace":{"rounds":1}}');
INSERT INTO "events" VALUES(5,'default',1,5,2,1767225600000000,'turn-opened',1,'{"digest":"digest of 我的订单号是四十二","message":{"parts":[{"content":"我的订单号是四十二","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}');
INSERT INTO "events" VALUES(6,'default',1,6,2,1767225600000000,'model-responded',1,'{"model":"scripted","response":{"parts":[{"content":"","part_kind":"text"}],"timestamp":"2026-01-01T00:00:00Z"},"request":{"round":1,"count":{"estimate":10,"bound":20},"target":8000}}');
INSERT INTO "events" VALUES(7,'default',1,7,2,1767225600000000,'tool-returned',1,'{"call_id":"call-1","result":{"tool_name":"look","content":{"order":"ORD-4711","state":"lost"},"tool_call_id":"t1","timestamp":"2026-01-01T00:00:00Z","part_kind":"tool-return"}}');
INSERT INTO "events" VALUES(8,'default',1,8,2,1767225600000000,'model-responded',1,'{"model":"scripted","response":{"parts":[{"content":"It got lost","part_kind":"text"}],"timestamp":"2026-01-01T00:00:00Z"},"request":{"round":1,"count":{"estimate":10,"bound":20},"target":8000}}');
INSERT INTO "events" VALUES(9,'default',1,9,2,1767225600000000,'turn-closed',1,'{"trace":{"rounds":1}}');
INSERT INTO "events" VALUES(10,'default',1,10,3,1767225600000000,'turn-opened',1,'x');
INSERT INTO "events" VALUES(11,'default',1,11,3,1767225600000000,'model-responded',1,'{"model":"scripted","response":{"parts":[{"content":"You said: This one is damaged","part_kind":"text"}],"timestamp":"2026-01-01T00:00:00Z"},"request":{"round":1,"count":{"estimate":10,"bound":20},"target":8000}}');
INSERT INTO "events" VALUES(12,'default',1,12,3,1767225600000000,'turn-closed',1,'{"trace":{"rounds":1}}');
INSERT INTO "events" VALUES(13,'default',1,13,4,1767225600000000,'turn-opened',1,'{"key":"k1","digest":"digest of Where is my parcel","message":{"parts":[{"content":"Where is my parcel","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}');
INSERT INTO "events" VALUES(14,'default',1,14,4,1767225600000000,'turn-failed',1,'{"reason":"model","message":"It did not work.","retry":true}');
INSERT INTO "events" VALUES(15,'default',1,15,4,1767225600000000,'turn-opened',1,'{"digest":"digest of Where is my parcel","message":{"parts":[{"content":"Where is my parcel","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}');
INSERT INTO "events" VALUES(16,'default',1,16,4,1767225600000000,'turn-closed',1,'{"reply":"A colleague will write","trace":{"rounds":1}}');
INSERT INTO "events" VALUES(17,'default',1,17,2,1767225600000000,'summary-written',1,'{"covers":[1,1],"text":"They said hello.","by":"extractive","tokens":4}');
INSERT INTO "events" VALUES(18,'other',2,1,0,1767225600000000,'conversation-opened',1,'{}');
INSERT INTO "events" VALUES(19,'other',2,2,1,1767225600000000,'turn-opened',1,'{"digest":"digest of My order is a secret","message":{"parts":[{"content":"My order is a secret","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}');
INSERT INTO "events" VALUES(20,'other',2,3,1,1767225600000000,'model-responded',1,'{"model":"scripted","response":{"parts":[{"content":"You said: My order is a secret","part_kind":"text"}],"timestamp":"2026-01-01T00:00:00Z"},"request":{"round":1,"count":{"estimate":10,"bound":20},"target":8000}}');
INSERT INTO "events" VALUES(21,'other',2,4,1,1767225600000000,'turn-closed',1,'{"trace":{"rounds":1}}');
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
CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL
) STRICT;
INSERT INTO "migrations" VALUES(1,'initial','d1843b63eadffbb94ed2936f6b0b1b816c9af205361d9083191d823fc86d344d');
CREATE TABLE snapshots (
    tenant TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    first INTEGER NOT NULL,
    keep TEXT NOT NULL,
    PRIMARY KEY (tenant, conversation)
) STRICT, WITHOUT ROWID;
CREATE TABLE turns (
    tenant TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'failed', 'closed')),
    key TEXT,
    PRIMARY KEY (tenant, conversation, turn)
) STRICT, WITHOUT ROWID;
INSERT INTO "turns" VALUES('default',1,1,2,'closed',NULL);
INSERT INTO "turns" VALUES('default',1,2,5,'closed',NULL);
INSERT INTO "turns" VALUES('default',1,3,10,'closed',NULL);
INSERT INTO "turns" VALUES('default',1,4,13,'closed','k1');
INSERT INTO "turns" VALUES('other',2,1,2,'closed',NULL);
CREATE UNIQUE INDEX conversations_id ON conversations (tenant, id);
CREATE INDEX conversations_updated ON conversations (tenant, updated);
CREATE INDEX conversations_user ON conversations (tenant, user, updated) WHERE user IS NOT NULL;
CREATE UNIQUE INDEX events_seq ON events (tenant, conversation, seq);
CREATE UNIQUE INDEX turns_key ON turns (tenant, conversation, key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX facts_event ON facts (tenant, conversation, seq, idx);
CREATE INDEX facts_owner ON facts (tenant, owner, key);
CREATE UNIQUE INDEX blobs_sha ON blobs (tenant, conversation, sha);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('conversations',2);
COMMIT;
PRAGMA application_id = 1953854062;
PRAGMA user_version = 1;
