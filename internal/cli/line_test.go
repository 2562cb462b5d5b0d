package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/mcpserver"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/store/foreign/foreigntest"
	"brenner/internal/store/postgres/pgtest"
	"brenner/internal/store/sqlite"
)

// other is a server of somebody else's that a script uses as its store.
type other struct {
	dsn   string
	leave func()                                             // ends it
	post  func(from, to, thread, subject, body string) error // past every door
	curt  bool                                               // does not say in words of ours what is not there
}

// TestWholeLine plays the whole line of a session on every kind of store: engines of ours, our own server over a store
// in memory and as a program, and servers of others. Beside the commands of the other scripts this one has:
//
//	smuggle FROM TO THREAD SUBJECT FILE   put mail on the other server that nobody has judged
//	goaway                                end the other server
//	[foreign], [smuggles]                 the store is another server; mail can be smuggled in
//	[tells]                               the store says whether it has the project
func TestWholeLine(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { playLine(t, nil) })
	t.Run("postgres", func(t *testing.T) {
		dsn := pgtest.DSN(t) // or skip
		playLine(t, func() other { return other{dsn: dsn} })
	})
	t.Run("memory", func(t *testing.T) { playLine(t, func() other { return serveMemory(t) }) })
	t.Run("serve", func(t *testing.T) { playLine(t, func() other { return serveProgram(t) }) })
	accents := foreigntest.Accents()
	for _, a := range []foreigntest.Accent{accents[0], accents[len(accents)-1].Listing()} {
		t.Run(a.Name, func(t *testing.T) {
			playLine(t, func() other {
				imitation := foreigntest.New(a)
				web := httptest.NewServer(imitation)
				return other{dsn: "mcp+" + web.URL + "/mcp/", leave: web.Close, post: imitation.Post, curt: true}
			})
		})
	}
}

// playLine runs the script on a store; without one, on the project's own.
func playLine(t *testing.T, begin func() other) {
	var store other
	params := scripts(t, "testdata/line", func(env *testscript.Env) {
		if begin == nil {
			return
		}
		store = begin()
		env.Setenv("BRENNER_STORE", store.dsn)
		if store.leave != nil {
			env.Defer(store.leave)
		}
	})
	params.Condition = func(condition string) (bool, error) {
		switch condition {
		case "foreign":
			return store.leave != nil, nil
		case "smuggles":
			return store.post != nil, nil
		case "tells":
			return !store.curt, nil
		}
		return missing(condition)
	}
	params.Cmds["goaway"] = func(*testscript.TestScript, bool, []string) { store.leave() }
	params.Cmds["smuggle"] = func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 5 {
			ts.Fatalf("usage: smuggle FROM TO THREAD SUBJECT FILE")
		}
		ts.Check(store.post(args[0], args[1], args[2], args[3], ts.ReadFile(args[4])))
	}
	testscript.Run(t, params)
}

// serveMemory is our own server over a store in memory.
func serveMemory(t *testing.T) other {
	store := memory.New()
	project, err := store.EnsureProject(t.Context(), "/srv/elsewhere", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	door := &session.Door{}
	sessions := session.New(mail.NewService(store, project, mail.Options{Door: door}), nil, session.Settings{})
	door.Attach(sessions)
	server := mcpserver.New(mcpserver.Deps{Home: sessions}, mcpserver.Options{})
	web := httptest.NewServer(server.Handler())
	leave := sync.OnceFunc(func() {
		_ = server.Close() // open streams would hold the other up
		web.Close()
		_ = store.Close()
	})
	return other{dsn: "mcp+" + web.URL + "/mcp/", leave: leave, post: smuggler(store)}
}

// serveProgram is brenner serve in a folder of its own.
func serveProgram(t *testing.T) other {
	dir := t.TempDir()
	cmd := exec.Command("brenner", "serve", "--addr", "127.0.0.1:0", "--json", "--project", dir)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	leave := sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // it may be gone already
		_ = cmd.Wait()         // it was killed
	})
	var at struct{ URL string }
	if err := json.NewDecoder(out).Decode(&at); err != nil {
		leave()
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, ".brenner", "brenner.db"), sqlite.Options{})
	if err != nil {
		leave()
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return other{dsn: "mcp+" + at.URL, leave: leave, post: smuggler(store)}
}

// smuggler puts mail into the store behind a server of ours, as a server without a door would.
func smuggler(store mail.Store) func(from, to, thread, subject, body string) error {
	return func(from, to, thread, subject, body string) error {
		project, err := projectOf(store, thread)
		if err != nil {
			return err
		}
		_, err = store.Append(context.Background(), project, time.Now(), mail.Entry{
			Message: message.Message{
				ThreadID: thread, From: from, To: []string{to}, Subject: subject, Body: body, Importance: message.Normal,
				Intake: protocol.Strict,
			},
			Type: protocol.TypeDelta,
		})
		return err
	}
}

// projectOf finds the project of a thread.
func projectOf(store mail.Store, thread string) (mail.ProjectID, error) {
	projects, err := store.Projects(context.Background())
	for _, p := range projects {
		threads, err := store.Threads(context.Background(), mail.ThreadQuery{Project: p.ID, IDs: []string{thread}})
		if err != nil || len(threads) > 0 {
			return p.ID, err
		}
	}
	return 0, cmp.Or(err, mail.NoThread(thread))
}
