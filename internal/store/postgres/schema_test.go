package postgres_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"brenner/internal/protocol"
	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
)

// sql runs statements beside the store.
func sql(t testing.TB, address string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, s := range statements {
		if _, err := conn.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// parts takes the address of a test's schema apart.
func parts(dsn string) (address, schema string) {
	address, query, _ := strings.Cut(dsn, "?")
	_, schema, _ = strings.Cut(query, "schema=")
	return address + "?sslmode=disable", schema
}

func TestSchemaTooNew(t *testing.T) {
	s := open(t, pgtest.DSN(t))
	l := newLab(t, s)
	l.mustSend(entry("COORD-a", "INFO: one"))
	address, schema := parts(s.dsn)
	sql(t, address, "UPDATE "+schema+".schema_version SET version = 1000")

	_, err := postgres.Open(t.Context(), s.dsn, postgres.Options{})
	wantCode(t, err, protocol.SchemaTooNew)
	_, err = l.send(entry("COORD-a", "INFO: two")) // the newer program came while this one ran
	wantCode(t, err, protocol.SchemaTooNew)
}

func TestSchemaOfAnotherProgram(t *testing.T) {
	dsn := pgtest.DSN(t)
	address, schema := parts(dsn)
	sql(t, address, "CREATE SCHEMA "+schema, "CREATE TABLE "+schema+".orders (id integer)")
	_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	wantCode(t, err, protocol.StoreUnavailable)
	if !strings.Contains(err.Error(), "another program") {
		t.Errorf("the error does not say why: %v", err)
	}
}

func TestDatabaseOfAnotherEncoding(t *testing.T) {
	address, _ := parts(pgtest.DSN(t))
	sql(t, address, "CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
	_, err := postgres.Open(t.Context(), strings.Replace(address, "/postgres?", "/ascii?", 1), postgres.Options{})
	wantCode(t, err, protocol.StoreUnavailable)
	if !strings.Contains(err.Error(), "UTF8") {
		t.Errorf("the error does not say what is needed: %v", err)
	}
}

func TestSchemasAreApart(t *testing.T) {
	a, b := newLab(t, open(t, pgtest.DSN(t))), newLab(t, open(t, pgtest.DSN(t)))
	a.mustSend(entry("COORD-a", "INFO: one"))
	if sent := b.mustSend(entry("COORD-a", "INFO: two")); sent[0].ID != 1 {
		t.Errorf("the first message of a schema has id %d", sent[0].ID)
	}
	if got := b.thread("COORD-a"); len(got) != 1 {
		t.Errorf("one schema shows %d messages of two", len(got))
	}
}

func TestSchemaFromSearchPath(t *testing.T) {
	dsn := pgtest.DSN(t)
	newLab(t, open(t, dsn)).mustSend(entry("COORD-a", "INFO: one"))
	again := newLab(t, open(t, strings.Replace(dsn, "schema=", "search_path=", 1)))
	if got := again.thread("COORD-a"); len(got) != 1 {
		t.Errorf("search_path leads to %d messages", len(got))
	}
}

func TestOpenedByManyAtOnce(t *testing.T) {
	dsn := pgtest.DSN(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := postgres.Open(t.Context(), dsn, postgres.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestAddresses(t *testing.T) {
	for _, test := range []struct{ dsn, say string }{
		{"postgres://u:hunter2@localhost:port/db", "port"},
		{"postgres://u:hunter2@localhost/db?schema=a,b", "schema"},
		{"postgres://u:hunter2@localhost/db?schema=pg_catalog", "schema"},
		{"postgres://u:hunter2@localhost/db?schema=a%22b", "schema"},
	} {
		_, err := postgres.Open(t.Context(), test.dsn, postgres.Options{})
		wantCode(t, err, protocol.Usage)
		if strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), test.say) {
			t.Errorf("%s: %v", test.dsn, err)
		}
	}
	_, err := postgres.Open(t.Context(), "postgres://u:hunter2@127.0.0.1:1/db?sslmode=disable", postgres.Options{})
	wantCode(t, err, protocol.StoreUnavailable)
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error tells the password: %v", err)
	}
}

func TestStatusTellsNoSecret(t *testing.T) {
	dsn := strings.Replace(pgtest.DSN(t), "brenner@", "brenner:hunter2@", 1)
	status, err := open(t, dsn).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, schema := parts(dsn); strings.Contains(fmt.Sprint(status), "hunter2") || !strings.Contains(status.Location, schema) {
		t.Errorf("status says %+v", status)
	}
}
