-- beside: 2
-- What servers tell each other: kept beside the log, no part of it.

CREATE TABLE notes (
	project_id bigint NOT NULL,
	version    bigint NOT NULL,
	expires_us bigint,
	kind       text COLLATE "C" NOT NULL,
	key        text COLLATE "C" NOT NULL,
	data       bytea NOT NULL,
	PRIMARY KEY (project_id, kind, key)
) WITH (fillfactor = 50); -- visits and turns are written again and again

CREATE INDEX notes_expired ON notes (expires_us) WHERE expires_us IS NOT NULL;

-- From here on version is the schema that a program has to know to work here, and step the one that
-- was reached: steps that earlier programs need not know of move step alone.
ALTER TABLE schema_version ADD COLUMN step integer NOT NULL DEFAULT 0;
