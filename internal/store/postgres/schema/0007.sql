-- The project's journal: a leaf for each message that begins, predicts, records, publishes or completes. The leaf is the line that is
-- hashed; thread and kind are taken from it. What was there before gets its leaves from the program, once. A program that
-- does not write leaves cannot work beside one that does.

CREATE TABLE journal (
	project_id bigint NOT NULL,
	n          bigint NOT NULL,
	message_id bigint NOT NULL,
	thread_id  text COLLATE "C" NOT NULL,
	kind       text COLLATE "C" NOT NULL,
	leaf       text NOT NULL,
	PRIMARY KEY (project_id, n)
);

CREATE INDEX journal_complete ON journal (project_id, thread_id) WHERE kind = 'complete';
