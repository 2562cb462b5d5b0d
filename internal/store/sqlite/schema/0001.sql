-- The log and what is derived from it. Times are microseconds since 1970 in UTC, hashes are
-- 32 bytes, lists of names are joined by line feeds. The text of a message stands last in its
-- row: a long one spills over, and what is read without it should not follow it there.

CREATE TABLE meta (
	key   TEXT PRIMARY KEY,
	value INTEGER NOT NULL
) WITHOUT ROWID;

INSERT INTO meta VALUES ('probe', 0);     -- written to prove that writing works
INSERT INTO meta VALUES ('identity', abs(random())); -- tells this data from a copy restored over it

CREATE TABLE projects (
	id         INTEGER PRIMARY KEY,
	slug       TEXT NOT NULL UNIQUE,
	human_key  TEXT NOT NULL UNIQUE,
	created_us INTEGER NOT NULL
);

CREATE TABLE agents (
	id           INTEGER PRIMARY KEY,
	project_id   INTEGER NOT NULL,
	name         TEXT NOT NULL,
	name_key     TEXT NOT NULL,
	program      TEXT NOT NULL,
	model        TEXT NOT NULL,
	task         TEXT NOT NULL,
	inception_us INTEGER NOT NULL,
	active_us    INTEGER NOT NULL,
	retired_us   INTEGER,
	token_hash   BLOB,
	UNIQUE (project_id, name_key)
);

CREATE TABLE messages (
	id            INTEGER PRIMARY KEY,
	project_id    INTEGER NOT NULL,
	original_id   INTEGER NOT NULL,
	imported      INTEGER NOT NULL,
	created_us    INTEGER NOT NULL,
	sender_id     INTEGER NOT NULL,
	ack_required  INTEGER NOT NULL,
	reply_to      INTEGER NOT NULL,
	reply_origin  INTEGER NOT NULL,
	version       INTEGER NOT NULL,
	thread_id     TEXT NOT NULL,
	sender        TEXT NOT NULL,
	to_names      TEXT NOT NULL,
	cc_names      TEXT NOT NULL,
	bcc_names     TEXT NOT NULL,
	importance    TEXT NOT NULL,
	intake        TEXT NOT NULL,
	type          TEXT NOT NULL,
	chain_hash    BLOB NOT NULL,
	artifact_hash BLOB,
	idem_key      TEXT,
	payload       BLOB,
	subject       TEXT NOT NULL,
	body          TEXT NOT NULL
);

CREATE INDEX messages_thread ON messages (project_id, thread_id) WHERE thread_id <> '';
CREATE UNIQUE INDEX messages_key ON messages (project_id, idem_key) WHERE idem_key IS NOT NULL;
CREATE INDEX messages_sent ON messages (project_id, created_us) WHERE imported = 0;
CREATE INDEX messages_imported ON messages (project_id, created_us) WHERE imported = 1;

CREATE TABLE threads (
	project_id     INTEGER NOT NULL,
	thread_id      TEXT NOT NULL,
	messages       INTEGER NOT NULL,
	first_id       INTEGER NOT NULL,
	first_type     TEXT NOT NULL,
	head_id        INTEGER NOT NULL,
	chain_hash     BLOB NOT NULL,
	latest_version INTEGER NOT NULL,
	created_us     INTEGER NOT NULL,
	updated_us     INTEGER NOT NULL,
	PRIMARY KEY (project_id, thread_id)
) WITHOUT ROWID;

-- In the order of an inbox, what was not read yet (done = 0) before the rest: one tree for both, since
-- each tree more is paid for by every send. What is owed or urgent is seldom and has small
-- indexes of its own.
CREATE TABLE deliveries (
	agent_id     INTEGER NOT NULL,
	done         INTEGER NOT NULL,
	message_id   INTEGER NOT NULL,
	project_id   INTEGER NOT NULL,
	kind         TEXT NOT NULL,
	type         TEXT NOT NULL,
	delivered_us INTEGER,
	read_us      INTEGER,
	ack_us       INTEGER,
	owed         INTEGER NOT NULL,
	urgent       INTEGER NOT NULL,
	PRIMARY KEY (agent_id, done, message_id)
) WITHOUT ROWID;

CREATE INDEX deliveries_owed ON deliveries (project_id, message_id, agent_id) WHERE owed = 1;
CREATE INDEX deliveries_urgent ON deliveries (agent_id, message_id) WHERE urgent = 1;

-- The event of a message is told from the message; one of a delivery has its own columns.
CREATE TABLE events (
	seq        INTEGER PRIMARY KEY,
	project_id INTEGER NOT NULL,
	kind       TEXT NOT NULL,
	message_id INTEGER NOT NULL,
	agent_id   INTEGER,
	state      INTEGER,
	at_us      INTEGER
);

CREATE TABLE reservations (
	id          INTEGER PRIMARY KEY,
	project_id  INTEGER NOT NULL,
	agent       TEXT NOT NULL,
	path        TEXT NOT NULL,
	exclusive   INTEGER NOT NULL,
	reason      TEXT NOT NULL,
	created_us  INTEGER NOT NULL,
	expires_us  INTEGER NOT NULL,
	released_us INTEGER
);

CREATE INDEX reservations_standing ON reservations (project_id, expires_us) WHERE released_us IS NULL;

CREATE TABLE projections (
	project_id INTEGER NOT NULL,
	kind       TEXT NOT NULL,
	key        TEXT NOT NULL,
	through    INTEGER NOT NULL,
	data       BLOB NOT NULL,
	PRIMARY KEY (project_id, kind, key)
);
