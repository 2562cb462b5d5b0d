package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/acp"
)

// actAs makes a process of this test binary an agent.
const actAs = "ACP_TEST_AS"

func TestMain(m *testing.M) {
	if as := os.Getenv(actAs); as != "" {
		if as == "noise" { // what is no message is passed over
			fmt.Println("Welcome!\n{\"jsonrpc\": \"2.0\"}\n[]\n{")
		}
		if as == "gone" {
			os.Exit(3)
		}
		if err := acp.Serve(context.Background(), os.Stdin, os.Stdout, part(as)); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// part is an agent of which the word says what it does.
type part string

func (p part) Begin(_ context.Context, goesOn string, servers []acp.Server) (string, error) {
	switch {
	case p == "signed-out":
		return "", acp.ErrSignIn
	case goesOn == "lost":
		return "", errors.New("no such session")
	case goesOn != "":
		return goesOn, nil
	}
	text, err := json.Marshal(servers)
	return string(text), err
}

func (p part) Turn(ctx context.Context, s *acp.Stage, prompt string) (*acp.Spent, error) {
	switch p {
	case "asks":
		s.Say("chose " + s.Ask(ctx, "make all"))
	case "long":
		s.Used(1000, 0)
		s.Say("begun")
		<-ctx.Done()
		return &acp.Spent{Input: 900, Cached: 400, Output: 100}, nil
	case "broken":
		s.Broken("429 Too Many Requests")
		return nil, nil
	case "fails":
		return nil, errors.New("429 rate limit")
	case "fast":
		for i := range 900 {
			s.Say(fmt.Sprint(i, ","))
		}
	}
	s.Say("heard " + prompt)
	return &acp.Spent{Input: 10, Output: 2}, nil
}

// heard collects what an agent says.
type heard struct {
	mu   sync.Mutex
	said strings.Builder
	all  []string
}

func (h *heard) hear(update json.RawMessage) {
	var u struct {
		Kind    string                `json:"sessionUpdate"`
		Content struct{ Text string } `json:"content"`
	}
	_ = json.Unmarshal(update, &u)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, u.Kind)
	h.said.WriteString(u.Content.Text)
}

func (h *heard) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.said.String()
}

func begin(t *testing.T, as string, h *heard, permit func(context.Context, acp.Question) string) (*acp.Agent, error) {
	t.Helper()
	a, err := acp.Start(t.Context(), acp.Options{
		Args: []string{os.Args[0]}, Env: append(os.Environ(), actAs+"="+as), Dir: t.TempDir(), Hear: h.hear, Permit: permit,
	})
	if err == nil {
		t.Cleanup(a.Close)
	}
	return a, err
}

func wish(t *testing.T, goesOn string) acp.Wish {
	return acp.Wish{Dir: t.TempDir(), Continue: goesOn, Model: "any", Mode: "any", Servers: []acp.Server{{Name: "brenner", Command: "/b",
		Args: []string{"mcp"}, Env: map[string]string{"A": "b"}}}}
}

// TestTurn: a session with the server that is handed over, a turn, and everything that was said before its end, in order.
func TestTurn(t *testing.T) {
	for _, as := range []string{"plain", "noise", "fast"} {
		var h heard
		a, err := begin(t, as, &h, nil)
		if err != nil {
			t.Fatal(as, err)
		}
		id, goesOn, err := a.Open(t.Context(), wish(t, ""))
		if err != nil || goesOn || id != `[{"Name":"brenner","Command":"/b","Args":["mcp"],"Env":{"A":"b"}}]` {
			t.Fatal(as, id, goesOn, err)
		}
		end, err := a.Prompt(t.Context(), "you", time.Second)
		if err != nil || end.Stop != "end_turn" || *end.Spent != (acp.Spent{Input: 10, Output: 2}) {
			t.Fatalf("%s %+v %v", as, end, err)
		}
		if said := h.text(); !strings.HasSuffix(said, "heard you") || as == "fast" && !strings.HasPrefix(said, "0,1,2,3,") {
			t.Errorf("%s said %q", as, said)
		}
	}
}

// TestGoesOn: a session goes on, what is told of its past is no news, and one that is gone is begun anew.
func TestGoesOn(t *testing.T) {
	for goesOn, want := range map[string]bool{"yesterday": true, "lost": false} {
		var h heard
		a, err := begin(t, "plain", &h, nil)
		if err != nil {
			t.Fatal(err)
		}
		id, went, err := a.Open(t.Context(), wish(t, goesOn))
		if err != nil || went != want || (id == goesOn) != want {
			t.Errorf("%s: %s %v %v", goesOn, id, went, err)
		}
		if _, err := a.Prompt(t.Context(), "you", time.Second); err != nil || h.text() != "heard you" {
			t.Errorf("%s: %v %q", goesOn, err, h.text())
		}
	}
}

// TestConsent: the question with its answers, and what is done with each; an answer that is none refuses.
func TestConsent(t *testing.T) {
	for answer, want := range map[string]string{"yes": "chose yes", "no": "chose no", "": "chose ", "other": "chose "} {
		var h heard
		var asked acp.Question
		a, err := begin(t, "asks", &h, func(_ context.Context, q acp.Question) string { asked = q; return answer })
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := a.Open(t.Context(), wish(t, "")); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Prompt(t.Context(), "", time.Second); err != nil || !strings.HasPrefix(h.text(), want+"heard") {
			t.Errorf("%s: %v %q", answer, err, h.text())
		}
		if asked.Text != "make all" || asked.Own || len(asked.Options) != 3 || asked.Refuse() != "no" ||
			asked.Option("allow_once") != "yes" {
			t.Errorf("%+v", asked)
		}
	}
}

// TestCancel: a turn that is cancelled ends at once, with what it used.
func TestCancel(t *testing.T) {
	var h heard
	a, err := begin(t, "long", &h, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Open(t.Context(), wish(t, "")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for h.text() != "begun" {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	end, err := a.Prompt(ctx, "", time.Minute)
	if err != nil || end.Stop != "cancelled" || *end.Spent != (acp.Spent{Input: 900, Cached: 400, Output: 100}) {
		t.Errorf("%+v %v", end, err)
	}
	if !slices.Contains(h.all, "usage_update") {
		t.Errorf("%q", h.all)
	}
}

// TestRefusals: programs that are not signed in, that fail, that end, and that are not there.
func TestRefusals(t *testing.T) {
	var h heard
	a, err := begin(t, "signed-out", &h, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Open(t.Context(), wish(t, "")); !acp.SignedOut(err) {
		t.Errorf("%v", err)
	}
	if a, err = begin(t, "fails", &h, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Open(t.Context(), wish(t, "")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Prompt(t.Context(), "", time.Second); err == nil || acp.SignedOut(err) ||
		!strings.Contains(err.Error(), "429 rate limit") {
		t.Errorf("%v", err)
	}
	if a, err = begin(t, "broken", &h, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Open(t.Context(), wish(t, "")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Prompt(t.Context(), "", time.Second); err == nil || !strings.HasPrefix(err.Error(), "429 Too Many Requests") {
		t.Errorf("%v", err)
	}
	if _, err = begin(t, "gone", &h, nil); err == nil {
		t.Error("a program that ended was started")
	}
	if _, err := acp.Start(t.Context(), acp.Options{Args: []string{"/not/there"}}); err == nil {
		t.Error("a program that is not there was started")
	}
}
