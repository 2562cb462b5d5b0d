-- What servers tell each other: kept beside the log, no part of it.

CREATE TABLE notes (
	project_id INTEGER NOT NULL,
	kind       TEXT NOT NULL,
	key        TEXT NOT NULL,
	version    INTEGER NOT NULL,
	expires_us INTEGER,
	data       BLOB NOT NULL,
	PRIMARY KEY (project_id, kind, key)
) WITHOUT ROWID;

CREATE INDEX notes_expired ON notes (expires_us) WHERE expires_us IS NOT NULL;
