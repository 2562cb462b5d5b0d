package teamtest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/store/postgres/pgtest"
)

var (
	large   = flag.Int("messages", 50_000, "how many messages the large store of BenchmarkScale has")
	samples = flag.Int("samples", 200, "how often BenchmarkScale measures each call")
	port    = flag.Int("port", 0, "port of a PostgreSQL server that runs, for BenchmarkScale: what was filled there before is measured "+
		"again; 0: a new one")
)

// action is something whose time is measured. before is not.
type action struct {
	name       string
	before, do func(d *depot, i int) error
}

// BenchmarkScale: what a call takes in a large store, as a multiple of what it takes in a small one in the same run; pages through a
// whole node on each of them, and what that takes of memory; bytes on disk for each message.
func BenchmarkScale(b *testing.B) {
	server := pgtest.Running(*port)
	if *port == 0 {
		server = pgtest.Start(b, pgtest.Durable)
	}
	big := openDepot(b, server.DSN(), layout{messages: *large, sessions: max(20, *large/1000), agents: max(20, *large/10_000)})
	small := openDepot(b, server.DSN(), layout{messages: 1000, sessions: 20, agents: 20})
	small.fill()
	big.fill()
	b.Logf("%d messages in %d sessions of %d agents: %.0f bytes on disk for each message, all indexes included",
		big.messages, big.sessions, big.agents, float64(size(b, server, big.dsn))/float64(big.messages))
	for _, a := range calls {
		compare(b, small, big, a)
	}
	b.Run("page", func(b *testing.B) {
		small.serve()
		big.serve()
		for _, a := range pages {
			compare(b, small, big, a)
		}
		for _, d := range []*depot{small, big} {
			d.Logf("%d messages: a node has %d MB of memory", d.messages, d.memory())
		}
	})
}

// size is what the tables and indexes of a store take.
func size(b testing.TB, server *pgtest.Server, dsn string) int64 {
	_, schema, _ := strings.Cut(dsn, "schema=")
	server.Ask(b, "CHECKPOINT")
	return number(server.Ask(b, "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = '"+schema+
		"'::regnamespace"))
}

var calls = []action{
	{name: "send", do: func(d *depot, _ int) error { return d.send(d.next()) }},
	{name: "inbox", do: inbox},
	{name: "inbox again", before: inbox, do: inbox}, // what is read is in memory
	{name: "wait", do: func(d *depot, _ int) error {
		status, err := d.store.Status(d.Context())
		if err != nil {
			return err
		}
		woken := make(chan error, 1)
		go func() { woken <- d.store.Wait(d.Context(), d.project, status.Cursor) }()
		if err := d.send(d.next()); err != nil {
			return err
		}
		return <-woken
	}},
	{name: "thread", do: beginning},
	{name: "thread again", before: beginning, do: beginning},
	{name: "search a word of twenty messages", do: func(d *depot, i int) error { return d.search(fmt.Sprintf("rare%d", i%d.rare())) }},
	{name: "search a word of a thousandth", do: func(d *depot, i int) error { return d.search(fmt.Sprintf("some%d", i%1000)) }},
	{name: "search a word of all", do: func(d *depot, _ int) error { return d.search("cells") }},
}

func inbox(d *depot, i int) error {
	_, err := d.store.Inbox(d.Context(), mail.InboxQuery{Project: d.project, Agent: agentName(i % d.agents), Limit: 20})
	return err
}

// beginning reads the first messages of a thread.
func beginning(d *depot, i int) error {
	_, err := d.store.Messages(d.Context(), mail.MessageQuery{Project: d.project, Thread: sessionName(i % d.sessions), Limit: 50})
	return err
}

func (d *depot) search(words string) error {
	query, err := mail.ParseSearch(words)
	if err == nil {
		_, err = d.store.Search(d.Context(), mail.SearchQuery{Project: d.project, Expr: query, Limit: 20})
	}
	return err
}

// pages are asked for after somebody wrote: what is kept does not help.
var pages = []action{
	{name: "of sessions", before: func(d *depot, _ int) error {
		return d.send(d.next())
	}, do: func(d *depot, _ int) error { return d.show("/") }},
	{name: "of a session", before: func(d *depot, _ int) error { return d.send(d.next()) }, do: func(d *depot, _ int) error {
		session, _ := d.place(d.messages + int(d.sent.Load()))
		return d.show("/t/" + sessionName(session))
	}},
	{name: "of an inbox", before: func(d *depot, _ int) error {
		return d.send(d.next())
	}, do: func(d *depot, i int) error { return d.show("/inbox/" + agentName(i%d.agents)) }},
}

// compare does something in both stores in turn, so that whatever else the machine does slows both.
func compare(b *testing.B, small, big *depot, a action) {
	b.Run(strings.ReplaceAll(a.name, " ", "-"), func(b *testing.B) {
		var took [2][]time.Duration
		for range max(b.N, *samples) {
			for which, d := range []*depot{small, big} {
				i := rand.IntN(1 << 40)
				if a.before != nil {
					if err := a.before(d, i); err != nil {
						b.Fatal(err)
					}
				}
				began := time.Now()
				if err := a.do(d, i); err != nil {
					b.Fatal(err)
				}
				took[which] = append(took[which], time.Since(began))
			}
		}
		for i := range took {
			slices.Sort(took[i])
		}
		at := func(which int, part float64) float64 {
			return float64(took[which][int(part*float64(len(took[which])-1))].Microseconds())
		}
		b.ReportMetric(at(1, 0.5), "p50-µs")
		b.ReportMetric(at(1, 0.95), "p95-µs")
		b.ReportMetric(at(1, 0.5)/at(0, 0.5), "p50-ratio")
		b.ReportMetric(at(1, 0.95)/at(0, 0.95), "p95-ratio")
	})
}

// serve starts a node on the store, signs in there, and opens the list and every session that is under way once.
func (d *depot) serve() {
	d.Helper()
	l := &lab{TB: d, dir: d.TempDir(), project: d.projectPath, dsn: d.dsn, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	d.node = &node{lab: l, port: freePort(d)}
	l.base = fmt.Sprintf("http://127.0.0.1:%d", d.node.port)
	var operator struct{ Token string }
	l.brenner(&operator, "token", "create", "--operator")
	began := time.Now()
	d.node.start()
	d.Cleanup(func() { d.node.end(syscall.SIGTERM) })
	d.Cleanup(l.logs)
	d.node.ready()
	d.Logf("%d messages: a node is ready after %s, with %d MB", d.messages, time.Since(began), d.memory())
	d.page = l.newPage(operator.Token)
	began = time.Now()
	l.must(d.show("/"))
	d.Logf("%d messages: the first list of sessions after %s, with %d MB", d.messages, time.Since(began), d.memory())
	began = time.Now()
	for i := range d.active() {
		l.must(d.show("/t/" + sessionName(d.sessions-1-i)))
	}
	d.Logf("%d messages: the first visit of a session takes %s", d.messages, time.Since(began)/time.Duration(d.active()))
}

// show asks the node for a page.
func (d *depot) show(path string) error {
	reply, data, err := d.page.ask(context.Background(), "GET", path, http.Header{"Cookie": {d.page.cookie}, "Accept": {"text/html"}}, "")
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s %.300s", path, reply.Status, data)
	}
	return err
}

var resident = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// memory is what the process of the node has in memory, in MB; 0 where the system does not tell.
func (d *depot) memory() int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.node.cmd.Process.Pid))
	if m := resident.FindSubmatch(status); m != nil {
		return number(string(m[1])) >> 10
	}
	return 0
}
