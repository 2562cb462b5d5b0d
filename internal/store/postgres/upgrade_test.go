package postgres_test

import (
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
)

// TestUpgrade: a schema of an earlier program opens with all it holds, and takes what is new.
func TestUpgrade(t *testing.T) {
	s := open(t, pgtest.DSN(t))
	newLab(t, s).mustSend(entry("COORD-a", "INFO: one"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	address, schema := parts(s.dsn)
	sql(t, address, "DROP TABLE "+schema+".presences", "DROP TABLE "+schema+".notes", "DROP INDEX "+schema+".deliveries_kickoff",
		"DROP TABLE "+schema+".archives", "DROP TABLE "+schema+".archived_messages",
		"DROP TABLE "+schema+".archived_deliveries", "DROP TABLE "+schema+".journal", "ALTER TABLE "+schema+
			".threads DROP COLUMN crate, DROP COLUMN archived_head", "ALTER TABLE "+schema+".schema_version DROP COLUMN step",
		"UPDATE "+schema+".schema_version SET version = 1")

	l := newLab(t, open(t, s.dsn))
	if got := l.thread("COORD-a"); len(got) != 1 {
		t.Errorf("%d messages after the upgrade", len(got))
	}
	project := l.project
	agents, err := l.store.Agents(t.Context(), project)
	if err != nil || len(agents) == 0 {
		t.Fatalf("%v, %d agents", err, len(agents))
	}
	noted := mail.Presence{Project: project, Agent: agents[0].Name, Source: mail.SourceStdio, Host: "lab", PID: 7,
		LastCall: agents[0].InceptionAt}
	if err := l.store.PutPresences(t.Context(), project, noted); err != nil {
		t.Fatal(err)
	}
	if list, err := l.store.Presences(t.Context(), project); err != nil || len(list) != 1 || list[0] != noted {
		t.Errorf("%v %+v", err, list)
	}
	if status, err := l.store.Status(t.Context()); err != nil || status.Schema != 7 {
		t.Errorf("%v %+v", err, status)
	}
}

// TestSlowUpgrade: a step of the schema may take longer than a server that answers.
func TestSlowUpgrade(t *testing.T) {
	dsn := pgtest.DSN(t)
	old, err := postgres.Open(t.Context(), dsn, postgres.Release(4))
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	address, schema := parts(dsn)
	const timeout = time.Second
	opened := make(chan error, 1)
	locked(t, address, schema+".deliveries", func() { // which the step waits for
		go func() {
			s, err := postgres.Open(t.Context(), dsn, postgres.Options{Timeout: timeout})
			if err == nil {
				err = s.Close()
			}
			opened <- err
		}()
		time.Sleep(2 * timeout)
	})
	if err := <-opened; err != nil {
		t.Error(err)
	}
}
