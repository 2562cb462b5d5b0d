-- The log and what is derived from it. Times are microseconds since 1970 in UTC, hashes are
-- 32 bytes, lists of names are joined by line feeds. Text that is only compared for equality
-- has the cheapest collation.

-- The end of the log. Every transaction that writes to it locks this row first, so that ids,
-- times, chains and versions are given one transaction after the other, in commit order.
CREATE TABLE head (
	only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
	generation   bigint NOT NULL, -- counts those transactions
	writer       bytea NOT NULL,  -- who made the last one
	last_message bigint NOT NULL,
	last_us      bigint NOT NULL, -- time of the last message that was accepted here
	last_agent   bigint NOT NULL,
	last_event   bigint NOT NULL,
	last_lease   bigint NOT NULL
) WITH (fillfactor = 10);

INSERT INTO head VALUES (true, 0, '', 0, -62135596800000000, 0, 0, 0);

CREATE TABLE projects (
	id         bigint PRIMARY KEY,
	slug       text COLLATE "C" NOT NULL,
	human_key  text COLLATE "C" NOT NULL,
	created_us bigint NOT NULL
);

CREATE INDEX projects_slug ON projects USING hash (slug); -- a path may be longer than a B-tree takes
CREATE INDEX projects_human_key ON projects USING hash (human_key);

CREATE TABLE agents (
	id           bigint PRIMARY KEY,
	project_id   bigint NOT NULL,
	name         text NOT NULL,
	name_key     text COLLATE "C" NOT NULL,
	program      text NOT NULL,
	model        text NOT NULL,
	task         text NOT NULL,
	inception_us bigint NOT NULL,
	active_us    bigint NOT NULL,
	retired_us   bigint,
	token_hash   bytea,
	UNIQUE (project_id, name_key)
) WITH (fillfactor = 50); -- every send moves active_us

CREATE TABLE messages (
	id            bigint PRIMARY KEY,
	project_id    bigint NOT NULL,
	original_id   bigint NOT NULL,
	created_us    bigint NOT NULL,
	sender_id     bigint NOT NULL,
	reply_to      bigint NOT NULL,
	reply_origin  bigint NOT NULL,
	version       bigint NOT NULL,
	imported      boolean NOT NULL,
	ack_required  boolean NOT NULL,
	thread_id     text COLLATE "C" NOT NULL,
	sender        text NOT NULL,
	to_names      text NOT NULL,
	cc_names      text NOT NULL,
	bcc_names     text NOT NULL,
	importance    text NOT NULL,
	intake        text NOT NULL,
	type          text COLLATE "C" NOT NULL,
	chain_hash    bytea NOT NULL,
	artifact_hash bytea,
	idem_key      text,
	key_hash      bytea, -- SHA-256 of the key, which may be long
	payload       bytea,
	subject       text NOT NULL,
	body          text NOT NULL
);

CREATE INDEX messages_project ON messages (project_id, id);
CREATE INDEX messages_thread ON messages (project_id, thread_id, id) WHERE thread_id <> '';
CREATE UNIQUE INDEX messages_key ON messages (key_hash, project_id) WHERE key_hash IS NOT NULL;
CREATE INDEX messages_sent ON messages (project_id, created_us) WHERE NOT imported;
CREATE INDEX messages_imported ON messages (project_id, created_us, id) WHERE imported;

CREATE TABLE threads (
	project_id     bigint NOT NULL,
	thread_id      text COLLATE "C" NOT NULL,
	messages       bigint NOT NULL,
	first_id       bigint NOT NULL,
	first_type     text NOT NULL,
	head_id        bigint NOT NULL,
	chain_hash     bytea NOT NULL,
	latest_version bigint NOT NULL,
	created_us     bigint NOT NULL,
	updated_us     bigint NOT NULL,
	PRIMARY KEY (project_id, thread_id)
) WITH (fillfactor = 50);

CREATE INDEX threads_active ON threads (project_id, head_id);

-- In the order of an inbox; place is the order of a message's recipients. What a recipient has
-- not read, still owes, or should read first is found through small indexes of its own.
CREATE TABLE deliveries (
	agent_id     bigint NOT NULL,
	message_id   bigint NOT NULL,
	project_id   bigint NOT NULL,
	delivered_us bigint,
	read_us      bigint,
	ack_us       bigint,
	place        integer NOT NULL,
	owed         boolean NOT NULL,
	urgent       boolean NOT NULL,
	kind         text NOT NULL,
	type         text COLLATE "C" NOT NULL,
	PRIMARY KEY (agent_id, message_id)
);

CREATE INDEX deliveries_message ON deliveries (message_id);
CREATE INDEX deliveries_unread ON deliveries (agent_id, message_id) WHERE read_us IS NULL;
CREATE INDEX deliveries_urgent ON deliveries (agent_id, message_id) WHERE urgent;
CREATE INDEX deliveries_owed ON deliveries (project_id, message_id) WHERE owed;

CREATE TABLE events (
	seq        bigint NOT NULL,
	project_id bigint NOT NULL,
	message_id bigint NOT NULL,
	version    bigint NOT NULL,
	at_us      bigint NOT NULL,
	state      smallint NOT NULL,
	kind       text NOT NULL,
	thread_id  text NOT NULL,
	agent      text NOT NULL,
	PRIMARY KEY (project_id, seq)
);

CREATE TABLE reservations (
	id          bigint PRIMARY KEY,
	project_id  bigint NOT NULL,
	agent       text NOT NULL,
	path        text NOT NULL,
	exclusive   boolean NOT NULL,
	reason      text NOT NULL,
	created_us  bigint NOT NULL,
	expires_us  bigint NOT NULL,
	released_us bigint
);

CREATE INDEX reservations_standing ON reservations (project_id, expires_us) WHERE released_us IS NULL;

CREATE TABLE projections (
	project_id bigint NOT NULL,
	kind       text COLLATE "C" NOT NULL,
	key        text COLLATE "C" NOT NULL,
	through    bigint NOT NULL,
	data       bytea NOT NULL,
	PRIMARY KEY (project_id, kind, key)
);

-- The search index goes up to a message, the watermark; what is behind it is looked at one by
-- one. It has the words of a message as mail.Words gives them, and words that name its project,
-- thread and type. A message with too many words is not whole here. Rows stay uncompressed: the
-- newest are read one after the other.
CREATE TABLE search_state (
	only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
	watermark bigint NOT NULL,
	epoch     bigint NOT NULL -- counts how often it was begun again
) WITH (fillfactor = 10);

INSERT INTO search_state VALUES (true, 0, 0);

CREATE TABLE search (
	project_id bigint NOT NULL,
	message_id bigint NOT NULL,
	whole      boolean NOT NULL,
	words      tsvector NOT NULL,
	PRIMARY KEY (project_id, message_id)
) WITH (toast_tuple_target = 8160);

-- What is not sorted in yet is read by every search: little of it.
CREATE INDEX search_words ON search USING gin (words) WITH (gin_pending_list_limit = 256);
