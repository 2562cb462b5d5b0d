package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/session"
)

// fakeHands remember what was asked of them.
type fakeHands struct{ done []string }

func (h *fakeHands) note(words ...string) (string, error) {
	h.done = append(h.done, strings.Join(words, " "))
	return "done: " + words[0], nil
}

func (h *fakeHands) Restart(_ context.Context, thread, agent string) (string, error) {
	return h.note("restart", agent)
}
func (h *fakeHands) Pause(_ context.Context, thread, agent string) (string, error) {
	return h.note("pause", agent)
}
func (h *fakeHands) Resume(_ context.Context, thread, agent string) (string, error) {
	return h.note("resume", agent)
}
func (h *fakeHands) Nudge(_ context.Context, thread, agent string) (string, error) {
	return h.note("nudge", agent)
}
func (h *fakeHands) Tell(_ context.Context, thread string, word session.Word) (string, error) {
	return h.note("tell", string(word))
}
func (h *fakeHands) Log(context.Context, string, string) (string, error) {
	return "first\n" + hostile + "\nlast\n", nil
}

const hostile = "\x1b]0;owned\x07\x1b[2J\u202e\r\u009b31m日本語 " +
	"and a very long line that goes on and on and on, beyond the edge of every terminal there is"

// atWork is a project with one agent at work on this machine, another without a program, and a gate.
func atWork(t *testing.T) (*session.Sessions, string) {
	t.Helper()
	ctx, store := t.Context(), memory.New()
	home, err := store.EnsureProject(ctx, "/srv/cells", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	service := mail.NewService(store, home, mail.Options{})
	s := session.New(service, nil, session.Settings{Probe: session.Probe{
		Work: func(context.Context, string) ([]session.Work, error) {
			return []session.Work{{
				Agent: "BlueLake", Where: session.InRun, Program: "p", Round: 1, PID: 7, Due: time.Now().Add(10 * time.Minute),
				Printed:  time.Now().Add(-42 * time.Second),
				LastLine: hostile, Processes: 3, CPU: time.Second, CPUShare: 0.5,
			}}, nil
		},
		Run: func(context.Context, string) (session.RunState, bool, error) {
			return session.RunState{GateRound: 2, GateSince: time.Now(), Live: true}, true, nil
		},
	}})
	if err := service.EnsureAgents(ctx, "Operator", "BlueLake"); err != nil {
		t.Fatal(err)
	}
	return s, begin(t, s, "Why do the cells turn?")
}

// TestNow: the first screen says what everyone does and what waits, in terminals of two sizes, and no text drives it.
func TestNow(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 15}} {
		s, thread := atWork(t)
		h := &fakeHands{}
		d := openFirst(t, Options{Sessions: s, Hands: h, Now: time.Now}, size[0], size[1])
		d.wants("1 Now", "2 To do", "3 Sessions", "1 thing waits for you", thread, "BlueLake", "42s", "50%", "o output")
		for _, keys := range [][]string{{"j", "j"}, {"o"}, {"G"}, {"esc"}, {"2"}, {"enter"}} {
			d.keys(keys...)
			content := d.m.View().Content
			d.screen()
			for _, bad := range []string{"\x1b]0", "\x1b[2J", "\x07", "\r", "\u202e", "\u009b"} {
				if strings.Contains(content, bad) {
					t.Errorf("after %v %q reaches the terminal", keys, bad)
				}
			}
		}
	}
}

// TestHands: keys act on the row under the cursor, after a yes and not without.
func TestHands(t *testing.T) {
	s, _ := atWork(t)
	h := &fakeHands{}
	d := openFirst(t, Options{Sessions: s, Hands: h, Now: time.Now}, 80, 24)
	d.keys("j", "j").wants("BlueLake").keys("R").wants("Start BlueLake again? y/n").keys("j").wants("nothing was done")
	d.keys("R", "y").wants("done: restart").keys("p", "y").wants("done: pause").keys("n", "y").wants("done: nudge")
	d.keys("2").wants("gate", "Say whether round 2 is to be played", "brenner resume").keys("c").wants("Let the run of").keys("y").
		wants("done: tell")
	d.keys("x", "y")
	want := []string{"restart BlueLake", "pause BlueLake", "nudge BlueLake", "tell " + string(session.WordGo),
		"tell " + string(session.WordStop)}
	if got := strings.Join(h.done, "|"); got != strings.Join(want, "|") {
		t.Errorf("done %q", got)
	}
	d.keys("1", "j", "j", "o").wants("BlueLake printed", "first", "last")
	without := openFirst(t, Options{Sessions: s, Now: time.Now}, 80, 24).keys("j", "j", "R")
	if strings.Contains(without.screen(), "y/n") {
		t.Error("a view without hands asks")
	}
}

// TestSameWordsAsThePage: the view says of an agent what the page Now says of it, also where that is more than the verdict of its program.
func TestSameWordsAsThePage(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	waits := []session.ToDo{{Kind: session.ToDoReply, ThreadID: "RS-1", Agent: "RedSky", MessageID: 4}}
	for _, a := range []session.Activity{
		{ThreadID: "RS-1", Agent: "BlueLake", State: liveness.Asks, Reason: "its program asks: make all? (1 Yes, 2 No)"},
		{ThreadID: "RS-1", Agent: "RedSky", State: liveness.Waiting},
		{ThreadID: "RS-1", Agent: "BlueLake", State: liveness.SignedOut, Reason: "its service does not know it: log in"},
		{ThreadID: "RS-1", Agent: "BlueLake", State: liveness.Working, Paused: true},
	} {
		word, says := a.Doing(waits, now)
		cells := activityRow(&a, waits, now).cells
		if state, last := strings.TrimSpace(cells[0].text), cells[len(cells)-1].text; state != string(word) || last != says {
			t.Errorf("%s is %q, %q; the page says %q, %q", a.Agent, state, last, word, says)
		}
	}
}
