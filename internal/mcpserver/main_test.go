package mcpserver

import (
	"context"
	"flag"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"brenner/internal/evidence"
	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/message"
	"brenner/internal/session"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) {
	if path := os.Getenv(stdioEnv); path != "" {
		os.Exit(stdioProcess(path))
	}
	flag.Parse()
	os.Exit(run(m))
}

// run tests, then looks for goroutines that have no owner any more.
func run(m *testing.M) int {
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			return 1
		}
	}
	return code
}

// tick is a clock that moves a second each time it is asked: answers are the same on every run.
type tick struct {
	mu  sync.Mutex
	now time.Time
}

func (c *tick) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

// home is a project in a store, as a server finds it.
func home(tb testing.TB, store mail.Store, now func() time.Time) *session.Sessions {
	tb.Helper()
	sessions, err := openHome(tb.Context(), store, now)
	if err != nil {
		tb.Fatal(err)
	}
	return sessions
}

func openHome(ctx context.Context, store mail.Store, now func() time.Time) (*session.Sessions, error) {
	project, err := store.EnsureProject(ctx, "/srv/cells", now())
	if err != nil {
		return nil, err
	}
	door := &session.Door{}
	service := mail.NewService(store, project, mail.Options{Now: now, Door: door, Pick: func(int) int { return 7 }})
	sessions := session.New(service, nil, session.Settings{Library: func() (*evidence.Library, error) { return library, nil }})
	door.Attach(sessions)
	return sessions, nil
}

// newServer makes a server over an empty store in memory.
func newServer(tb testing.TB, options Options) *Server {
	tb.Helper()
	clock := &tick{now: time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)}
	store := memory.New()
	tb.Cleanup(func() { _ = store.Close() })
	options.Version = "test"
	s := New(Deps{Home: home(tb, store, clock.Now)}, options)
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// serve puts a server on a port of its own.
func serve(tb testing.TB, s *Server) *httptest.Server {
	tb.Helper()
	web := httptest.NewServer(s.Handler())
	tb.Cleanup(func() {
		_ = s.Close() // open streams would hold the other up
		web.Close()
	})
	return web
}

// populate registers agents.
func populate(tb testing.TB, s *Server, names ...string) {
	tb.Helper()
	for _, name := range names {
		if _, err := s.projects.home.mail.Register(tb.Context(),
			mail.Registration{Name: name, Program: "codex-cli", Model: "gpt-5"}); err != nil {
			tb.Fatal(err)
		}
	}
}

// post sends ordinary mail inside the project.
func post(tb testing.TB, s *Server, from, to, subject, body string) mail.Message {
	tb.Helper()
	sent, err := s.projects.home.mail.Send(tb.Context(),
		mail.Outgoing{Draft: message.Draft{From: from, To: []string{to}, Subject: subject, Body: body}})
	if err != nil {
		tb.Fatal(err)
	}
	return sent.Message
}

// library is the evidence of the project in transcripts: one source.
var library = func() *evidence.Library {
	text := "Cells keep their fate when moved late.\nThey lose it when moved early.\n"
	content := evidence.Content{Raw: text, Text: evidence.NewText(text, evidence.Written)}
	return &evidence.Library{Pack: &evidence.Pack{Sources: []*evidence.Source{{
		ID: "EV-001", Title: "Notes", Kind: evidence.KindSource, File: "EV-001.txt", Text: "EV-001.txt", Indexed: true,
		Excerpts: []evidence.Excerpt{{ID: "E1", Text: "They lose it when moved early.", From: 2, To: 2}},
		Open:     func() evidence.Content { return content },
	}}}}
}()
