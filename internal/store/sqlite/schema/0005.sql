-- Threads that left the log. Their messages and deliveries stand here as they stood there, most without their text, which
-- is in the crate; the text of those up to through_id is empty.

CREATE TABLE archives (
	project_id   INTEGER NOT NULL,
	thread_id    TEXT NOT NULL,
	head_id      INTEGER NOT NULL,
	chain_hash   BLOB NOT NULL,
	title        TEXT NOT NULL,
	crate        TEXT NOT NULL,
	sha256       BLOB NOT NULL,
	through_id   INTEGER NOT NULL,
	archived_by  TEXT NOT NULL,
	archived_us  INTEGER NOT NULL,
	PRIMARY KEY (project_id, thread_id)
) WITHOUT ROWID;

CREATE TABLE archived_messages (
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

CREATE INDEX archived_messages_thread ON archived_messages (project_id, thread_id);
CREATE UNIQUE INDEX archived_messages_key ON archived_messages (project_id, idem_key) WHERE idem_key IS NOT NULL;
CREATE INDEX archived_messages_sent ON archived_messages (project_id, created_us) WHERE imported = 0;

CREATE TABLE archived_deliveries (
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
	PRIMARY KEY (message_id, agent_id)
) WITHOUT ROWID;

-- The file of the crate of an archived thread.
ALTER TABLE threads ADD COLUMN crate TEXT NOT NULL DEFAULT '';
