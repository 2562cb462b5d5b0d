package mcpserver

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/protocol"
)

// countedStore counts what is noted, and can be told to refuse it.
type countedStore struct {
	mail.Store
	writes atomic.Int64
	broken atomic.Bool
}

// PutPresences implements mail.Attendance.
func (s *countedStore) PutPresences(ctx context.Context, project mail.ProjectID, list ...mail.Presence) error {
	s.writes.Add(1)
	if s.broken.Load() {
		return protocol.Errorf(protocol.StoreUnavailable, "no")
	}
	return s.Store.PutPresences(ctx, project, list...)
}

// attendedServer is a server that notes who calls.
func attendedServer(t *testing.T) (*Server, *countedStore) {
	t.Helper()
	inner := memory.New()
	t.Cleanup(func() { _ = inner.Close() })
	store := &countedStore{Store: inner}
	s := New(Deps{Home: home(t, store, time.Now)}, Options{Version: "test", Process: &Process{Host: "lab", PID: 7, Started: time.Now()}})
	t.Cleanup(func() { _ = s.Close() })
	populate(t, s, "BlueLake", "RedSky")
	return s, store
}

// present waits until something of an agent is noted.
func present(t *testing.T, s *Server, agent string, holds func(p *mail.Presence) bool) mail.Presence {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		list, err := s.projects.home.mail.Presences(t.Context(), agent)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if holds(&list[i]) {
				return list[i]
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("not noted: %+v", list)
		}
		<-time.After(time.Millisecond)
	}
}

// TestCallsAreNoted: tool, times and the process behind it, for the agent that the call acts for.
func TestCallsAreNoted(t *testing.T) {
	s, _ := attendedServer(t)
	w := &httpWire{url: serve(t, s).URL}
	callOver(t, w, "fetch_inbox", `{"project_key":"srv-cells","agent_name":"bluelake"}`)
	p := present(t, s, "BlueLake", func(p *mail.Presence) bool { return !p.CallEnded.IsZero() })
	if p.Agent != "BlueLake" || p.Source != mail.SourceHTTP || p.Call != "fetch_inbox" || p.Host != "lab" || p.PID != 7 ||
		p.CallEnded.Before(p.LastCall) {
		t.Errorf("%+v", p)
	}
	if list, err := s.projects.home.mail.Presences(t.Context(), "RedSky"); err != nil || len(list) != 0 {
		t.Errorf("%v %+v", err, list)
	}
	callOver(t, w, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake","timeout_seconds":0}`)
	p = present(t, s, "BlueLake", func(p *mail.Presence) bool { return p.Call == "brenner_wait" && !p.CallEnded.IsZero() })
	if !p.WaitingUntil.IsZero() {
		t.Errorf("whoever only looks does not wait: %+v", p)
	}
	callOver(t, w, "fetch_inbox", `{"project_key":"srv-cells","agent_name":"Nobody"}`) // who is not there is not noted

	ctx, cancel := context.WithCancel(t.Context())
	waited := make(chan error, 1)
	go func() {
		_, err := s.callTool(ctx, caller{anyone: true}, "brenner_wait",
			[]byte(`{"project_key":"srv-cells","agent_name":"RedSky","timeout_seconds":40}`))
		waited <- err
	}()
	p = present(t, s, "RedSky", func(p *mail.Presence) bool { return !p.WaitingUntil.IsZero() })
	if d := p.WaitingUntil.Sub(p.LastCall); !p.CallEnded.IsZero() || d < 39*time.Second || d > 50*time.Second {
		t.Errorf("a wait: %+v", p)
	}
	callOver(t, w, "fetch_inbox", `{"project_key":"srv-cells","agent_name":"RedSky"}`) // beside the wait, which goes on
	p = present(t, s, "RedSky", func(p *mail.Presence) bool { return p.Call == "brenner_wait" })
	if !p.CallEnded.IsZero() || p.WaitingUntil.IsZero() {
		t.Errorf("a wait beside another call: %+v", p)
	}
	cancel()
	if err := <-waited; err != nil {
		t.Fatal(err)
	}
	present(t, s, "RedSky", func(p *mail.Presence) bool { return p.Call == "brenner_wait" && !p.CallEnded.IsZero() })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, agent := range []string{"BlueLake", "RedSky"} {
		present(t, s, agent, func(p *mail.Presence) bool { return !p.EndedAt.IsZero() }) // the process, not the agent
	}
}

// TestNotingIsCheap: many calls make few writes, and a store that refuses them fails no call.
func TestNotingIsCheap(t *testing.T) {
	s, store := attendedServer(t)
	began := time.Now()
	store.broken.Store(true)
	for i := range 500 {
		agent := []string{"BlueLake", "RedSky"}[i%2]
		result, err := s.callTool(t.Context(), caller{anyone: true}, "fetch_inbox",
			fmt.Appendf(nil, `{"project_key":"srv-cells","agent_name":%q}`, agent))
		if err != nil || result.failed {
			t.Fatalf("%v %+v", err, result)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// The first of each agent, what goes on every two seconds, and the end.
	if most := 4 + int64(time.Since(began)/noteEvery)*2; store.writes.Load() > most {
		t.Errorf("%d writes, at most %d are needed", store.writes.Load(), most)
	}
}

// TestStdioIsThereBeforeItCalls: a process behind stdio shows from its start to its end.
func TestStdioIsThereBeforeItCalls(t *testing.T) {
	inner := memory.New()
	t.Cleanup(func() { _ = inner.Close() })
	s := New(Deps{Home: home(t, inner, time.Now)}, Options{As: "BlueLake", Process: &Process{Host: "lab", PID: 7, Started: time.Now()}})
	populate(t, s, "BlueLake")
	in, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.RunStdio(t.Context(), in, io.Discard) }()
	p := present(t, s, "BlueLake", func(*mail.Presence) bool { return true })
	if p.Source != mail.SourceStdio || !p.LastCall.IsZero() || !p.EndedAt.IsZero() {
		t.Errorf("%+v", p)
	}
	_ = out.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	present(t, s, "BlueLake", func(p *mail.Presence) bool { return !p.EndedAt.IsZero() })
}

// BenchmarkAttend is what noting adds to a call.
func BenchmarkAttend(b *testing.B) {
	store := memory.New()
	b.Cleanup(func() { _ = store.Close() })
	s := New(Deps{Home: home(b, store, time.Now)}, Options{Process: &Process{Host: "lab", PID: 7}})
	b.Cleanup(func() { _ = s.Close() })
	populate(b, s, "BlueLake")
	b.ReportAllocs()
	for b.Loop() {
		c := &call{arguments: &arguments{}, server: s, caller: caller{anyone: true}, tool: "fetch_inbox", acting: []string{"BlueLake"}}
		c.attend(s.projects.home)
		c.leave(b.Context())
	}
}
