package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/mail/mailtest"
	"brenner/internal/protocol"
	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
)

// kit makes databases with the roles that deploy/postgresql/roles.sql gives a team.
type kit struct {
	server *pgtest.Server
	pooler int // port; 0: none
	made   atomic.Int64
}

const rolesFile = "../../../deploy/postgresql/roles.sql"

// newKit runs the file as its comment says, in a database that others are copied from.
func newKit(t testing.TB) *kit {
	t.Helper()
	k := &kit{server: pgtest.Start(t, pgtest.Fast)}
	k.server.Psql(t, "postgres", "-c", "CREATE DATABASE team")
	k.roles(t, "team")
	owner, err := postgres.Open(t.Context(), fmt.Sprintf("postgres://brenner_owner@127.0.0.1:%d/team?sslmode=disable", k.server.Port()),
		postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	k.roles(t, "team")
	return k
}

// roles runs the file in a database. The settings of a role belong to the database: a copy does not have them, and without jit=off
// a statement takes the time that its compilation takes, tenths of a second.
func (k *kit) roles(t testing.TB, database string) {
	t.Helper()
	k.server.Psql(t, database, "-v", "schema=brenner", "-v", "owner=brenner_owner", "-v", "node=brenner_node", "-f", rolesFile)
}

// dsn returns the address of a fresh store for the role of nodes.
func (k *kit) dsn(t testing.TB) string {
	t.Helper()
	database := fmt.Sprintf("team_%d", k.made.Add(1))
	k.server.Psql(t, "postgres", "-c", "CREATE DATABASE "+database+" TEMPLATE team")
	k.roles(t, database)
	if k.pooler != 0 {
		return fmt.Sprintf("postgres://brenner_node@127.0.0.1:%d/%s?sslmode=disable&pooler=transaction&listener=127.0.0.1:%d", k.pooler,
			database, k.server.Port())
	}
	return fmt.Sprintf("postgres://brenner_node@127.0.0.1:%d/%s?sslmode=disable", k.server.Port(), database)
}

func (k *kit) engine() mailtest.Engine {
	return mailtest.Engine{
		New:   func(t testing.TB) mail.Store { return open(t, k.dsn(t)) },
		Again: func(t testing.TB, s mail.Store) mail.Store { return open(t, s.(opened).dsn) },
	}
}

// TestBehindPooler: a store behind a pooler in transaction mode, used by the role with the least rights, does all that a store does.
func TestBehindPooler(t *testing.T) {
	k := newKit(t)
	k.pooler = k.server.Pooler(t, "brenner_node", "brenner_owner")
	mailtest.Run(t, k.engine())
}

// TestLeastRights: the role of nodes can neither change tables nor lock programs out, nor see what is beside its schema.
func TestLeastRights(t *testing.T) {
	k := newKit(t)
	dsn := k.dsn(t)
	l := newLab(t, open(t, dsn))
	l.mustSend(entry("COORD-a", "INFO: one"))
	if err := l.store.Rebuild(t.Context()); err != nil {
		t.Errorf("making the search index again: %v", err)
	}
	for _, statement := range []string{
		"DROP TABLE brenner.messages", "ALTER TABLE brenner.messages ADD COLUMN x text", "TRUNCATE brenner.messages",
		"CREATE TABLE brenner.mine (x text)",
		"UPDATE brenner.schema_version SET version = 1000", "CREATE SCHEMA other", "CREATE ROLE other",
	} {
		if err := try(t, dsn, statement); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// TestServerSettings: a server starts with the settings that are handed out.
func TestServerSettings(t *testing.T) {
	server := pgtest.Start(t, pgtest.Fast)
	server.Configure(t, "../../../deploy/postgresql/brenner.conf")
	if got := server.Ask(t, "SHOW autovacuum_naptime"); got != "15s" {
		t.Errorf("autovacuum_naptime is %s", got)
	}
}

// TestPoolerAddresses: what a pooler needs is said where it is missing.
func TestPoolerAddresses(t *testing.T) {
	for _, query := range []string{"pooler=transaction", "pooler=session&listener=db:5432", "listener=db:5432",
		"pooler=transaction&listener=db", "pooler=transaction&listener=db:0"} {
		_, err := postgres.Open(t.Context(), "postgres://u@127.0.0.1:1/db?"+query, postgres.Options{})
		if wantCode(t, err, protocol.Usage); !strings.Contains(err.Error(), "listener=HOST:PORT") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestPoolerRole: a role behind a pooler has every setting that a connection would make for itself, or is told which one is missing.
func TestPoolerRole(t *testing.T) {
	server := pgtest.Start(t, pgtest.Fast)
	settings := []string{"search_path", "jit", "enable_seqscan", "synchronous_commit"}
	right, wrong := []string{"brenner", "off", "off", "on"}, []string{"public", "on", "on", "off"}
	pooler := server.Pooler(t, settings...)
	for i, lacking := range settings { // each role is called after what it lacks
		server.Psql(t, "postgres", "-c", "CREATE ROLE "+lacking+" LOGIN", "-c",
			fmt.Sprintf("ALTER ROLE %s SET %s = %s", lacking, lacking, wrong[i]))
		for j, setting := range settings {
			if i != j {
				server.Psql(t, "postgres", "-c", fmt.Sprintf("ALTER ROLE %s SET %s = %s", lacking, setting, right[j]))
			}
		}
		dsn := fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?sslmode=disable&pooler=transaction&listener=127.0.0.1:%d", lacking, pooler,
			server.Port())
		_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
		if wantCode(t, err, protocol.Usage); !strings.Contains(err.Error(), "its "+lacking+" is "+wrong[i]) ||
			!strings.Contains(err.Error(), "roles.sql") {
			t.Errorf("without %s: %v", lacking, err)
		}
	}
}

// TestTwoReleases: a node of the previous release writes while the schema is migrated. It keeps no journal, so it is refused from then
// on, and nothing is lost of what it wrote.
func TestTwoReleases(t *testing.T) {
	for _, old := range []int{2} { // the schema of the last release
		t.Run(fmt.Sprint(old), func(t *testing.T) {
			dsn := pgtest.DSN(t)
			node := func(o postgres.Options) *postgres.Store {
				s, err := postgres.Open(t.Context(), dsn, o)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = s.Close() })
				return s
			}
			before := node(postgres.Release(old))
			l := newLab(t, before)
			var (
				all  sync.WaitGroup
				sent atomic.Int64
				stop atomic.Bool

				refused atomic.Bool
			)
			write := func(s *postgres.Store, name string) {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				for i := 0; !stop.Load() || i < 40; i++ {
					e := entry(fmt.Sprintf("COORD-%d", rand.IntN(3)), fmt.Sprintf("INFO: %s %d", name, i))
					e.Key = fmt.Sprintf("%s %d", name, i)
					_, err := s.Append(ctx, l.project, start, e)
					if name == "old" && protocol.CodeOf(err) == protocol.SchemaTooNew {
						refused.Store(true)
						return
					}
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					sent.Add(1)
					if rand.IntN(4) == 0 {
						if _, err := s.Inbox(ctx, mail.InboxQuery{Project: l.project, Agent: "RedSky", Limit: 5}); err != nil {
							t.Errorf("%s: %v", name, err)
						}
					}
				}
			}
			all.Go(func() { write(before, "old") })
			time.Sleep(30 * time.Millisecond)
			after := node(postgres.Options{}) // it migrates
			all.Go(func() { write(after, "new") })
			_, err := postgres.Open(t.Context(), dsn, postgres.Release(old)) // an old node that is started again meanwhile
			wantCode(t, err, protocol.SchemaTooNew)
			time.Sleep(200 * time.Millisecond)
			stop.Store(true)
			all.Wait()
			n := 0
			for i := range 3 {
				n += len(l.thread(fmt.Sprintf("COORD-%d", i))) // which proves the chain
			}
			if int64(n) != sent.Load() {
				t.Errorf("%d messages were acknowledged, and %d are there", sent.Load(), n)
			}
			if _, err := after.PutNote(t.Context(), l.project, start, mail.Note{Kind: "k", Key: "a"}); err != nil {
				t.Errorf("what is new: %v", err)
			}
			if !refused.Load() {
				t.Error("the old node writes on, without a journal")
			}
			summariesStay(t, l, dsn, after)
		})
	}
}

// summariesStay: whoever does not know of archived threads does not forget one.
func summariesStay(t *testing.T, l *lab, dsn string, after *postgres.Store) {
	t.Helper()
	_, err := after.ArchiveThread(t.Context(), l.project, "COORD-0",
		func(thread mail.Thread, _ []mail.Message) (mail.ArchivedThread, error) {
			return mail.ArchivedThread{Project: l.project, ID: thread.ID, HeadID: thread.HeadID, Crate: "c.zip", Through: thread.HeadID},
				nil
		})
	if err != nil {
		t.Fatal(err)
	}
	address, schema := parts(dsn)
	if err := try(t, address, "DELETE FROM "+schema+".threads"); err == nil {
		t.Error("summaries of archived threads can be dropped")
	}
	threads, err := after.Threads(t.Context(), mail.ThreadQuery{Project: l.project, IDs: []string{"COORD-0"}})
	if err != nil || len(threads) != 1 || threads[0].Crate != "c.zip" {
		t.Errorf("%v %+v", err, threads)
	}
}

// try runs a statement at an address and returns what the server says.
func try(t testing.TB, address, statement string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), statement)
	return err
}
