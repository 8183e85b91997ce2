CREATE TABLE {schema}.migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL
);
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
CREATE TABLE {schema}.owners (
    tenant text NOT NULL,
    owner bytea NOT NULL,
    facts bigint NOT NULL,
    PRIMARY KEY (tenant, owner)
);
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
INSERT INTO {schema}.blobs (tenant, conversation, sha, data) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '67a831664dde774fd00123f4dc0a953178dc47db48a27d299d5f9d0d71ed2758', E'\\x25504446000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff');
INSERT INTO {schema}.blobs (tenant, conversation, sha, data) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '38c858f3eecbdd5f14fd50ecd51d310e2020493ece06facc88f73a6afa76303e', E'\\x636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a636974793a204f736c6f2028637573746f6d65722073616964290a');
INSERT INTO {schema}.conversations (tenant, conversation, id, user_id, owner, head, last_turn, last_closed, started, updated, arrived) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', 'c1', 'ann', E'\\xc782ae854b6ad02798c80eccc0f9e44a30feea3ff400becd76c6b495b20ef61f', '22', '3', '1', '1767225600000000', '1767225600000005', '2026-12-01 12:40:31.12408+00');
INSERT INTO {schema}.conversations (tenant, conversation, id, user_id, owner, head, last_turn, last_closed, started, updated, arrived) VALUES ('default', '04d33b8a-f10e-111b-9a29-3ac69694b003', E'c\\005c2 \\0000', NULL, E'\\x27071e8cf012b7f4d2ebe4d46703ebca776320496025daa0320f8d2cd3a83731', '2', '1', '0', '1767225600000006', '1767225600000006', '2026-12-01 12:40:31.157101+00');
INSERT INTO {schema}.conversations (tenant, conversation, id, user_id, owner, head, last_turn, last_closed, started, updated, arrived) VALUES ('other', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', 'c1', 'ann', E'\\xc782ae854b6ad02798c80eccc0f9e44a30feea3ff400becd76c6b495b20ef61f', '3', '1', '1', '1767225600000007', '1767225600000008', '2026-12-01 12:40:31.190576+00');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '1', '0', '1767225600000000', '1', 'conversation-opened', '{"user":"ann"}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '2', '1', '1767225600000000', '1', 'turn-opened', E'{"escaped":"{\\"key\\":\\"key-1\\",\\"digest\\":\\"d1gest\\",\\"message\\":{\\"parts\\":[{\\"content\\":[\\"Look:\\",{\\"data\\":\\"67a831664dde774fd00123f4dc0a953178dc47db48a27d299d5f9d0d71ed2758\\",\\"media_type\\":\\"application/pdf\\",\\"kind\\":\\"binary\\",\\"identifier\\":\\"18452a\\"},\\"Größe 42 😀, \\\\005c\\\\005c0041, NUL \\\\005cu0000, half \\\\d83d, ١٢٣\\"],\\"timestamp\\":\\"2026-01-01T00:00:00Z\\",\\"part_kind\\":\\"user-prompt\\"}]},\\"blobs\\":[[\\"message\\",\\"parts\\",0,\\"content\\",1]]}"}', '{67a831664dde774fd00123f4dc0a953178dc47db48a27d299d5f9d0d71ed2758}', '{-7786888589533977617,-1584791910997914001,-934218967311861205,5065663220332195954,5766097827954251976,7773026344665491449,8104749468355020020}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '3', '1', '1767225600000001', '1', 'model-responded', E'{"escaped":"{\\"model\\":\\"scripted\\",\\"response\\":{\\"parts\\":[{\\"content\\":\\"Let me look.\\",\\"signature\\":\\"c2ln\\",\\"provider_name\\":\\"anthropic\\",\\"part_kind\\":\\"thinking\\"},{\\"content\\":\\"One moment, order 48213.\\",\\"part_kind\\":\\"text\\"},{\\"tool_name\\":\\"get_order\\",\\"args\\":{\\"order_id\\":\\"48213\\",\\"half\\":\\"\\\\d83d\\"},\\"tool_call_id\\":\\"call_a\\",\\"part_kind\\":\\"tool-call\\"},{\\"tool_name\\":\\"get_order\\",\\"args\\":\\"{\\\\005c\\"order_id\\\\005c\\": \\\\005c\\"48214\\\\005c\\"}\\",\\"tool_call_id\\":\\"call_b\\",\\"part_kind\\":\\"tool-call\\"}],\\"usage\\":{\\"input_tokens\\":118,\\"output_tokens\\":20},\\"model_name\\":\\"scripted\\",\\"timestamp\\":\\"2026-01-01T00:00:00Z\\",\\"provider_response_id\\":\\"resp_1\\",\\"finish_reason\\":\\"tool_call\\"},\\"request\\":{\\"round\\":1,\\"count\\":{\\"estimate\\":120,\\"bound\\":300,\\"raw\\":118,\\"provider\\":119},\\"target\\":8000,\\"cut\\":{\\"since\\":2,\\"opening\\":false,\\"values\\":4,\\"cap\\":900,\\"facts_blob\\":\\"38c858f3eecbdd5f14fd50ecd51d310e2020493ece06facc88f73a6afa76303e\\"},\\"managed\\":\\"[context] cut\\",\\"dropped\\":[[1,1]],\\"summarised\\":[[2,2]],\\"retried\\":\\"overflow\\",\\"notes\\":[\\"a note\\"],\\"recalled\\":[1,2]}}"}', '{38c858f3eecbdd5f14fd50ecd51d310e2020493ece06facc88f73a6afa76303e}', '{-2268146728975229516,-961657150781782474,1425278190922428717,4879072471528421755}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '4', '1', '1767225600000001', '1', 'tool-called', '{"call_id":"call-1","tool_call_id":"call_a","tool":"get_order","effect":"once"}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '5', '1', '1767225600000001', '1', 'tool-returned', '{"call_id":"call-1","result":{"tool_name":"get_order","content":{"total":40.5,"lines":[null,"x"]},"tool_call_id":"call_a","timestamp":"2026-01-01T00:00:00Z","part_kind":"tool-return"}}', NULL, '{-9053089899376688329,-8413135420257872898,-4572151770987900759,-411816271774428913,-237009755942124097,4650272666050392215,6232133301123977091}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '6', '1', '1767225600000001', '1', 'approval-asked', '{"call_id":"call-2","tool_call_id":"call_b","tool":"refund"}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '7', '1', '1767225600000001', '1', 'approval-answered', '{"call_id":"call-2","approved":false,"by":"bob","reason":"too much"}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '8', '1', '1767225600000001', '1', 'agent-acted', '{"agent":"closer","part":"closer","stage":2,"by":"rules","read":["Basket"],"wrote":["Deal.phase"],"refused":[{"agent":"seller","state":"Deal","field":"phase","owner":"closer","reason":"not yours"}],"notes":["slow"],"usage":[10,2]}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '9', '1', '1767225600000001', '1', 'state-changed', '{"state":"Basket","version":1,"owner":"seller","change":{"set":{"items":2}},"value":{"items":2,"names":["a","b"]}}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '10', '1', '1767225600000001', '1', 'asked', '{"questions":[{"key":"Customer.city","text":"Where do you live?","about":"home"}]}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '11', '1', '1767225600000001', '1', 'guard-acted', '{"guard":"values","mode":"observe","action":"flagged","sentence":"It is $40.","written":"","reason":"$40 is $40.50"}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '12', '1', '1767225600000001', '1', 'said', '{"by":"person:bob","text":"Bob here, hello."}', NULL, '{-40577216192737632,4886516551591543542,7381708734833095599}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '13', '1', '1767225600000001', '1', 'facts-learned', '{"status":"learned","by":"rules","source":1,"facts":[{"key":"city","value":"Oslo","source":"user_quote","quote":"I live in Oslo","end":14,"conversation":"c1","turn":1,"at":1767225600000000,"expires_at":1767225600000001,"question":"Where do you live?"}],"problems":["one problem"],"usage":[5,1]}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '14', '1', '1767225600000001', '1', 'summary-written', '{"covers":[1,1],"text":"Ann asked for 48213.","by":"extractive","tokens":9,"notes":["short"],"usage":[3,4],"kept":[[1,"user","id","48213"],[1,"tool","amount","$40.50","total"]],"seen":2}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '15', '1', '1767225600000001', '1', 'turn-pinned', '{"text":"Order 48213 has shipped."}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '16', '1', '1767225600000001', '1', 'handed-off', '{"reason":"angry","note":"Ann wants a person."}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '17', '1', '1767225600000001', '1', 'resumed', '{"by":"bob"}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '18', '1', '1767225600000001', '1', 'turn-closed', '{"reply":"It has shipped, $40.50 in all.","trace":{"rounds":2,"input_tokens":118,"output_tokens":20,"notes":["one retry"]}}', NULL, '{-8413135420257872898,-6265969995582780591,-4341206658071950835,-4153976245798859886,-1676363614088109463,1070742252384825504,4625377005904829506,8986416509273134183}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '19', '2', '1767225600000002', '1', 'turn-opened', '{"key":"key-2","digest":"d2","message":{"parts":[{"content":"And order 48214?","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}', NULL, '{-8645695234309237885,606317765374987017,1425278190922428717}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '20', '2', '1767225600000003', '1', 'turn-failed', '{"reason":"model","message":"The model was away.","retry":true,"released":"It"}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '21', '3', '1767225600000004', '1', 'turn-opened', '{"digest":"d3","message":{"parts":[{"content":"Are you there?","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}', NULL, '{-5511866315842721081,-3994722087437942507,4257875616892831756}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '22', '3', '1767225600000005', '1', 'model-responded', E'{"escaped":"{\\"model\\":\\"scripted\\",\\"response\\":{\\"parts\\":[{\\"content\\":\\"Let me look.\\",\\"signature\\":\\"c2ln\\",\\"provider_name\\":\\"anthropic\\",\\"part_kind\\":\\"thinking\\"},{\\"content\\":\\"One moment, order 48213.\\",\\"part_kind\\":\\"text\\"},{\\"tool_name\\":\\"get_order\\",\\"args\\":{\\"order_id\\":\\"48213\\",\\"half\\":\\"\\\\d83d\\"},\\"tool_call_id\\":\\"call_a\\",\\"part_kind\\":\\"tool-call\\"},{\\"tool_name\\":\\"get_order\\",\\"args\\":\\"{\\\\005c\\"order_id\\\\005c\\": \\\\005c\\"48214\\\\005c\\"}\\",\\"tool_call_id\\":\\"call_b\\",\\"part_kind\\":\\"tool-call\\"}],\\"usage\\":{\\"input_tokens\\":118,\\"output_tokens\\":20},\\"model_name\\":\\"scripted\\",\\"timestamp\\":\\"2026-01-01T00:00:00Z\\",\\"provider_response_id\\":\\"resp_1\\",\\"finish_reason\\":\\"tool_call\\"},\\"request\\":{\\"round\\":1,\\"count\\":{\\"estimate\\":120,\\"bound\\":300,\\"raw\\":118,\\"provider\\":119},\\"target\\":8000,\\"cut\\":{\\"since\\":2,\\"opening\\":false,\\"values\\":4,\\"cap\\":900,\\"facts_blob\\":\\"38c858f3eecbdd5f14fd50ecd51d310e2020493ece06facc88f73a6afa76303e\\"},\\"managed\\":\\"[context] cut\\",\\"dropped\\":[[1,1]],\\"summarised\\":[[2,2]],\\"retried\\":\\"overflow\\",\\"notes\\":[\\"a note\\"],\\"recalled\\":[1,2]}}"}', '{38c858f3eecbdd5f14fd50ecd51d310e2020493ece06facc88f73a6afa76303e}', '{-2268146728975229516,-961657150781782474,1425278190922428717,4879072471528421755}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', '04d33b8a-f10e-111b-9a29-3ac69694b003', '1', '0', '1767225600000006', '1', 'conversation-opened', '{}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('default', '04d33b8a-f10e-111b-9a29-3ac69694b003', '2', '1', '1767225600000006', '1', 'turn-opened', '{"key":"key-1","digest":"d4","message":{"parts":[{"content":"Who am I?","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}', NULL, '{-5663679588174496820,1428330608508693864,6078083062613774947}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('other', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '1', '0', '1767225600000007', '1', 'conversation-opened', '{"user":"ann"}', NULL, NULL);
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('other', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '2', '1', '1767225600000007', '1', 'turn-opened', '{"key":"key-1","digest":"d5","message":{"parts":[{"content":"Another shop","timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}', NULL, '{-8002223246533264706,1726042444696986495}');
INSERT INTO {schema}.events (tenant, conversation, seq, turn, at, version, tag, body, blobs, words) VALUES ('other', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '3', '1', '1767225600000008', '1', 'turn-closed', '{"reply":"It has shipped, $40.50 in all.","trace":{"rounds":2,"input_tokens":118,"output_tokens":20,"notes":["one retry"]}}', NULL, '{-8413135420257872898,-6265969995582780591,-4341206658071950835,-4153976245798859886,-1676363614088109463,1070742252384825504,4625377005904829506,8986416509273134183}');
INSERT INTO {schema}.facts (tenant, owner, place, conversation, seq, active, key, body) VALUES ('default', E'\\xc782ae854b6ad02798c80eccc0f9e44a30feea3ff400becd76c6b495b20ef61f', '1', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '13', 'true', 'city', '{"key":"city","value":"Oslo","source":"user_quote","quote":"I live in Oslo","end":14,"conversation":"c1","turn":1,"at":1767225600000000,"expires_at":1767225600000001,"question":"Where do you live?"}');
INSERT INTO {schema}.migrations (number, name, checksum) VALUES ('1', 'initial', 'b9cc8cd1ae301efc8df7638e70e55fa64f67fae3edfa94c8f2eeb48dcbbae45b');
INSERT INTO {schema}.owners (tenant, owner, facts) VALUES ('default', E'\\xc782ae854b6ad02798c80eccc0f9e44a30feea3ff400becd76c6b495b20ef61f', '1');
INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '1', '2', 'closed', E'\\xbe2974546978e3739e6d6da85c4be9f334ce32df2b9fd4b6ff1b55c0d57e9d44', 'd1gest');
INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '2', '19', 'failed', E'\\x7c36b0a9dedde119c75165957c6c9c187e65df1ee5db87c4c58ad503ad88cbe3', 'd2');
INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest) VALUES ('default', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '3', '21', 'open', NULL, NULL);
INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest) VALUES ('default', '04d33b8a-f10e-111b-9a29-3ac69694b003', '1', '2', 'open', E'\\xbe2974546978e3739e6d6da85c4be9f334ce32df2b9fd4b6ff1b55c0d57e9d44', 'd4');
INSERT INTO {schema}.turns (tenant, conversation, turn, seq, status, key, digest) VALUES ('other', 'd0f631ca-1ddb-a8db-3bcf-cb9e057cdc98', '1', '2', 'closed', E'\\xbe2974546978e3739e6d6da85c4be9f334ce32df2b9fd4b6ff1b55c0d57e9d44', 'd5');
