-- The programs that act for agents: kept beside the log, no part of it. seen_us is the last sign.

CREATE TABLE presences (
	agent_id      INTEGER NOT NULL,
	source        TEXT NOT NULL,
	host          TEXT NOT NULL,
	pid           INTEGER NOT NULL,
	project_id    INTEGER NOT NULL,
	seen_us       INTEGER NOT NULL,
	started_us    INTEGER,
	called_us     INTEGER,
	call_ended_us INTEGER,
	waiting_us    INTEGER,
	ended_us      INTEGER,
	exit_code     INTEGER,
	pane          TEXT NOT NULL,
	call          TEXT NOT NULL,
	PRIMARY KEY (agent_id, source, host, pid)
) WITHOUT ROWID;
