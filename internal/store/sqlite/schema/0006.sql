-- The project's journal: a leaf for each message that begins, predicts, records, publishes or completes. The leaf is the line that is
-- hashed; thread and kind are taken from it. What was there before gets its leaves from the program, once.

CREATE TABLE journal (
	project_id INTEGER NOT NULL,
	n          INTEGER NOT NULL,
	message_id INTEGER NOT NULL,
	thread_id  TEXT NOT NULL,
	kind       TEXT NOT NULL,
	leaf       TEXT NOT NULL,
	PRIMARY KEY (project_id, n)
) WITHOUT ROWID;

CREATE INDEX journal_complete ON journal (project_id, thread_id) WHERE kind = 'complete';
