package postgres_test

import (
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
)

// locked keeps a table locked while it does something.
func locked(t testing.TB, address, table string, do func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, statement := range []string{"BEGIN", "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE"} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	do()
}

// TestTimeouts: the server itself ends a statement that waits for a lock or takes too long, reading and writing. The caller is
// told, nothing goes on running, and the store works again afterwards.
func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		name, says string
		options    postgres.Options
	}{
		{"lock_timeout", "keeps the store locked", postgres.Options{LockTimeout: 200 * time.Millisecond}},
		{"statement_timeout", "ended a statement that took too long", postgres.Options{StatementTimeout: 200 * time.Millisecond}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dsn := pgtest.DSN(t)
			s, err := postgres.Open(t.Context(), dsn, c.options)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			l := newLab(t, s)
			l.mustSend(entry("COORD-a", "INFO: one"))
			address, schema := parts(dsn)
			locked(t, address, schema+".messages", func() {
				began := time.Now()
				_, err := s.Messages(t.Context(), mail.MessageQuery{Project: l.project, Thread: "COORD-a"})
				wantReason(t, err, c.says)
				_, err = l.send(entry("COORD-a", "INFO: two"))
				wantReason(t, err, c.says)
				if took := time.Since(began); took > 8*time.Second {
					t.Errorf("it took %s", took)
				}
				// A statement that was not ended waits as long as the lock is held; others, such as those of the server itself,
				// come to their end.
				const going = "SELECT count(*)::text FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%messages%' AND pid <> " +
					"pg_backend_pid()"
				for end := time.Now().Add(5 * time.Second); ask(t, address, going) != "0"; {
					if time.Now().After(end) {
						t.Fatal("a statement goes on")
					}
				}
			})
			if l.mustSend(entry("COORD-a", "INFO: three")); len(l.thread("COORD-a")) != 2 {
				t.Errorf("%d messages are there", len(l.thread("COORD-a")))
			}
		})
	}
}

func wantReason(t testing.TB, err error, says string) {
	t.Helper()
	if wantCode(t, err, protocol.StoreUnavailable); !strings.Contains(err.Error(), says) {
		t.Errorf("the error does not say %q: %v", says, err)
	}
}

// ask returns one value.
func ask(t testing.TB, address, query string) (value string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), query).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestEncrypted: the parameters of an address for TLS are followed, for all connections of a store, and a server that cannot be trusted is
// refused with the reason.
func TestEncrypted(t *testing.T) {
	server := pgtest.Start(t, pgtest.Fast)
	own, other := pgtest.NewAuthority(t), pgtest.NewAuthority(t)
	plain := server.Address() + "?sslmode=disable"
	server.Encrypt(t, own)
	within(t, "the server takes encrypted connections", func() bool { return ask(t, plain, "SHOW ssl") == "on" })
	address := func(host, root string) string {
		return "postgres://brenner@" + net.JoinHostPort(host, strconv.Itoa(server.Port())) + "/postgres?sslmode=verify-full&sslrootcert=" +
			root + "&schema=secret"
	}
	l := newLab(t, open(t, address("127.0.0.1", own.File)))
	l.mustSend(entry("COORD-a", "INFO: one"))
	status, err := l.store.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.store.Wait(t.Context(), l.project, status.Cursor-1); err != nil { // it listens on a connection of its own
		t.Error(err)
	}
	const kinds = "SELECT string_agg(DISTINCT ssl::text, ' ') FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name " +
		"= 'brenner'"
	if got := ask(t, plain, kinds); got != "true" {
		t.Errorf("encrypted connections: %s", got)
	}
	for name, dsn := range map[string]string{"another authority": address("127.0.0.1", other.File),
		"another name": address("localhost", own.File)} {
		_, err := postgres.Open(t.Context(), dsn, postgres.Options{})
		if wantReason(t, err, "certificate of the server is not trusted"); !strings.Contains(err.Error(), "x509") ||
			postgres.Recovering(dsn, err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = postgres.Open(t.Context(), address("127.0.0.1", "/no/such/ca.crt"), postgres.Options{})
	if wantCode(t, err, protocol.Usage); !strings.Contains(err.Error(), "/no/such/ca.crt") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestKickoffsOfABusyAgent: the few calls to a round among much mail are found by their own index.
func TestKickoffsOfABusyAgent(t *testing.T) {
	s := open(t, pgtest.DSN(t))
	l := newLab(t, s)
	kickoff := entry("RS-20260110-a", "KICKOFF: cells")
	kickoff.Type = protocol.TypeKickoff
	l.mustSend(kickoff)
	for range 5 {
		var entries []mail.Entry
		for range 400 {
			entries = append(entries, entry("COORD-a", "INFO: one more"))
		}
		l.mustSend(entries...)
	}
	address, schema := parts(s.dsn)
	sql(t, address, "ANALYZE "+schema+".deliveries")
	within(t, "the index is used", func() bool {
		found, err := s.Inbox(t.Context(),
			mail.InboxQuery{Project: l.project, Agent: "RedSky", Types: []protocol.MessageType{protocol.TypeKickoff}, Limit: 8})
		if err != nil || len(found) != 1 || found[0].Message.Type != protocol.TypeKickoff {
			t.Fatalf("%v %+v", err, found)
		}
		return ask(t, address, "SELECT idx_scan::text FROM pg_stat_user_indexes WHERE indexrelname = 'deliveries_kickoff' AND "+
			"schemaname = '"+schema+"'") != "0"
	})
}
