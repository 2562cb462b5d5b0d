package app_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/mcpclient"
	"brenner/internal/mcpserver"
	"brenner/internal/process"
	"brenner/internal/session"
)

// trialLab is a project with a server, for many trials.
type trialLab struct {
	dir  string
	app  *app.App
	gate *gatedStore
	url  string
}

func newTrialLab(t *testing.T) *trialLab {
	t.Helper()
	l := &trialLab{dir: t.TempDir()}
	project, err := app.FindProject(t.Context(), l.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if l.app, err = app.Open(t.Context(), app.Options{Project: project}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.app.Close() })
	if err := l.app.Mail.EnsureAgents(t.Context(), mail.Operator); err != nil {
		t.Fatal(err)
	}
	l.gate = &gatedStore{Store: l.app.Store}
	service := mail.NewService(l.gate, l.app.Mail.Project(), mail.Options{})
	self := process.Self()
	server := mcpserver.New(
		mcpserver.Deps{Home: session.New(service, nil, session.Settings{Probe: l.app.Sessions.Probe()}), Root: l.dir},
		mcpserver.Options{Version: "test", Process: &mcpserver.Process{Host: self.Host, PID: self.PID, Started: self.Started}},
	)
	web := httptest.NewServer(server.Handler())
	l.url = web.URL
	t.Cleanup(func() {
		_ = server.Close()
		web.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return l
}

// gatedStore holds up what some agents send, so that a call takes as long as is needed.
type gatedStore struct {
	mail.Store
	gates sync.Map // by the name of the agent; channels that open
}

// hold holds up an agent until the result is called.
func (g *gatedStore) hold(agent string) (release func()) {
	gate := make(chan struct{})
	g.gates.Store(agent, gate)
	return func() { close(gate) }
}

// Append implements mail.Log.
func (g *gatedStore) Append(ctx context.Context, project mail.ProjectID, at time.Time, entries ...mail.Entry) ([]mail.Message, error) {
	if gate, held := g.gates.Load(entries[0].Message.From); held {
		select {
		case <-gate.(chan struct{}):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return g.Store.Append(ctx, project, at, entries...)
}

// arguments are those of a call in the project, names and values in turn.
func (l *trialLab) arguments(pairs ...any) mcpclient.Arguments {
	args := mcpclient.Arguments{"project_key": l.app.Mail.Project().HumanKey}
	for i := 0; i+1 < len(pairs); i += 2 {
		args[pairs[i].(string)] = pairs[i+1]
	}
	return args
}

// trial is one agent in one situation.
type trial struct {
	testing.TB
	lab   *trialLab
	agent string
	dice  *rand.Rand
	how   string // which way it came to be
	on    string // the session that is asked about; empty: the project
	ends  []func()
}

// end cleans up, the last thing first.
func (t *trial) end() {
	for _, end := range slices.Backward(t.ends) {
		end()
	}
}

// pick chooses one of several ways.
func (t *trial) pick(ways ...string) string {
	t.how += ways[t.dice.IntN(len(ways))] + " "
	words := strings.Fields(t.how)
	return words[len(words)-1]
}

// between is a random span of time.
func (t *trial) between(low, high time.Duration) time.Duration {
	return low + time.Duration(t.dice.Int64N(int64(high-low)))
}

// must ends the test's patience with whatever is no part of a situation.
func (t *trial) must(err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s (%s): %v", t.agent, t.how, err)
	}
}

// overHTTP is the agent's client on the server that all share.
func (t *trial) overHTTP() *mcpclient.Client {
	c := mcpclient.HTTP(mcpclient.HTTPOptions{Endpoint: t.lab.url, Patience: time.Minute})
	t.ends = append(t.ends, func() { _ = c.Close() })
	return c
}

// overStdio starts a server for the agent alone; kill ends it without a word.
func (t *trial) overStdio(ctx context.Context) (c *mcpclient.Client, kill func()) {
	// The process outlives the deadline of a call, but not the trial.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c, err := mcpclient.Stdio(ctx, mcpclient.StdioOptions{
		Args: []string{os.Args[0]}, Patience: time.Minute, Stderr: os.Stderr,
		Env: append(os.Environ(), childRole+"=stdio", childProject+"="+t.lab.dir, childAgent+"="+t.agent),
	})
	t.must(err)
	kill = sync.OnceFunc(func() {
		cancel()
		if c != nil {
			_ = c.Close()
		}
	})
	t.ends = append(t.ends, kill)
	return c, kill
}

// program starts a program of which only the process is known, as cockpit and runner note it.
func (t *trial) program(ctx context.Context, source mail.Source,
	more ...func(*mail.Presence)) (note mail.Presence, stop func(kill bool) mail.Presence) {
	child := exec.Command("cat") // it lives until its input ends
	in, err := child.StdinPipe()
	t.must(err)
	t.must(child.Start())
	note = mail.Presence{
		Agent: t.agent, Source: source, Host: process.Self().Host, PID: child.Process.Pid,
		ProcessStarted: process.Started(ctx, child.Process.Pid),
	}
	for _, change := range more {
		change(&note)
	}
	t.must(t.lab.app.Mail.NotePresence(ctx, note))
	ended := false
	stop = func(kill bool) mail.Presence {
		if !ended {
			ended = true
			if kill {
				_ = child.Process.Kill()
			}
			_ = in.Close()
			_ = child.Wait() // how it ended does not matter
		}
		note.EndedAt = time.Now()
		code := child.ProcessState.ExitCode()
		note.ExitCode = &code
		return note
	}
	t.ends = append(t.ends, func() { stop(true) })
	return note, stop
}

// noted waits until the store knows something of the agent.
func (t *trial) noted(ctx context.Context, what string, holds func(p *mail.Presence) bool) {
	t.Helper()
	for {
		list, err := t.lab.app.Mail.Presences(ctx, t.agent)
		if err != nil {
			t.must(err)
			return
		}
		for i := range list {
			if holds(&list[i]) {
				return
			}
		}
		select {
		case <-ctx.Done():
			t.must(fmt.Errorf("%s was not noted: %+v", what, list))
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}
