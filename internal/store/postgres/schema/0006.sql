-- beside: 2
-- Threads that left the log. Their messages and deliveries stand here as they stood there, most without their text, which
-- is in the crate; the text of those up to through_id is empty.

CREATE TABLE archives (
	project_id  bigint NOT NULL,
	head_id     bigint NOT NULL,
	through_id  bigint NOT NULL,
	archived_us bigint NOT NULL,
	thread_id   text COLLATE "C" NOT NULL,
	title       text NOT NULL,
	crate       text NOT NULL,
	archived_by text NOT NULL,
	chain_hash  bytea NOT NULL,
	sha256      bytea NOT NULL,
	PRIMARY KEY (project_id, thread_id),
	-- Whoever makes all summaries anew, and does not know of archived threads, is refused.
	FOREIGN KEY (project_id, thread_id) REFERENCES threads DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE archived_messages (LIKE messages, PRIMARY KEY (id));

CREATE INDEX archived_messages_thread ON archived_messages (project_id, thread_id, id);
CREATE UNIQUE INDEX archived_messages_key ON archived_messages (key_hash, project_id) WHERE key_hash IS NOT NULL;

CREATE TABLE archived_deliveries (LIKE deliveries, PRIMARY KEY (message_id, agent_id));

-- The file of the crate of an archived thread, and the message it ends with for good: whoever appends to it, and does not
-- know that it is archived, is refused.
ALTER TABLE threads ADD COLUMN crate text NOT NULL DEFAULT '', ADD COLUMN archived_head bigint,
	ADD CONSTRAINT thread_is_archived CHECK (archived_head IS NULL OR archived_head = head_id);
