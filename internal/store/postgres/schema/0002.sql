-- The programs that act for agents: kept beside the log, no part of it. seen_us is the last sign.

CREATE TABLE presences (
	agent_id      bigint NOT NULL,
	pid           bigint NOT NULL,
	project_id    bigint NOT NULL,
	seen_us       bigint NOT NULL,
	started_us    bigint,
	called_us     bigint,
	call_ended_us bigint,
	waiting_us    bigint,
	ended_us      bigint,
	exit_code     bigint,
	source        text COLLATE "C" NOT NULL,
	host          text COLLATE "C" NOT NULL,
	pane          text NOT NULL,
	call          text NOT NULL,
	PRIMARY KEY (agent_id, source, host, pid)
) WITH (fillfactor = 50); -- every row is written again and again
