package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/message"
	"brenner/internal/session"
	"brenner/internal/termtext"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ideas = "## Deltas\n\n```delta\n" + `{"operation": "ADD", "section": "hypothesis_slate", "payload": {"name": "Fast \u001b[2Jclock",
"claim": "A clock of one fly drives all others through light.", "mechanism": "m", "anchors": ["§1"]},
"rationale": "It explains the onset."}` +
	"\n```\n"

// project is a project with one session, one delta and one version.
func project(t *testing.T) *session.Sessions {
	t.Helper()
	ctx, store := t.Context(), memory.New()
	home, err := store.EnsureProject(ctx, "/srv/cells", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	door := &session.Door{}
	service := mail.NewService(store, home, mail.Options{Door: door})
	sessions := session.New(service, nil, session.Settings{})
	door.Attach(sessions)
	if err := service.EnsureAgents(ctx, "Operator", "BlueLake"); err != nil {
		t.Fatal(err)
	}
	return sessions
}

func begin(t *testing.T, s *session.Sessions, question string) string {
	t.Helper()
	started, err := s.Start(t.Context(), session.StartRequest{
		From: "Operator", Question: question, Context: "They do.", Roster: session.RosterRequest{Recipients: []string{"BlueLake"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return started.ThreadID
}

func send(t *testing.T, s *session.Sessions, thread, subject, body string) {
	t.Helper()
	_, err := s.Mail().Send(t.Context(), mail.Outgoing{Draft: message.Draft{
		From: "BlueLake", To: []string{"Operator"}, ThreadID: thread, Subject: subject, Body: body,
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// desk80 is the view in a terminal of 80 by 24, driven key by key.
type desk80 struct {
	t *testing.T
	m *model
}

// open begins with the list of sessions.
func open(t *testing.T, s *session.Sessions) *desk80 {
	return openFirst(t, Options{Sessions: s, Now: time.Now}, 80, 24).keys("3")
}

// openFirst begins with the first screen.
func openFirst(t *testing.T, o Options, width, height int) *desk80 {
	d := &desk80{t, newModel(t.Context(), o)}
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// send hands over a message and runs what it asks for, as the loop would.
func (d *desk80) send(msg tea.Msg) {
	_, cmd := d.m.Update(msg)
	if cmd != nil {
		if next := cmd(); next != nil {
			if _, quit := next.(tea.QuitMsg); !quit {
				d.send(next)
			}
		}
	}
}

func (d *desk80) keys(keys ...string) *desk80 {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace}
	for _, k := range keys {
		if code, ok := special[k]; ok {
			d.send(tea.KeyPressMsg{Code: code})
			continue
		}
		for _, r := range k {
			d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return d
}

// screen is what is seen, and checks that it fits.
func (d *desk80) screen() string {
	d.t.Helper()
	content := d.m.View().Content
	text := ansi.Strip(content)
	lines := strings.Split(text, "\n")
	if len(lines) != d.m.height {
		d.t.Errorf("%d lines in a terminal of %d", len(lines), d.m.height)
	}
	for _, line := range lines {
		if termtext.Cells(line) > d.m.width {
			d.t.Errorf("a line is wider than the terminal: %q", line)
		}
	}
	return text
}

func (d *desk80) wants(texts ...string) *desk80 {
	d.t.Helper()
	screen := d.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			d.t.Errorf("%q is not to be seen:\n%s", text, screen)
		}
	}
	return d
}

func TestEmptyProject(t *testing.T) {
	open(t, project(t)).wants("There is no session yet", "q quit")
}

// TestTour goes through every screen with the keys that lead there.
func TestTour(t *testing.T) {
	s := project(t)
	thread := begin(t, s, "Why do the cells turn?")
	send(t, s, thread, "DELTA[gpt]: First ideas", ideas)
	d := open(t, s)
	d.wants("Sessions", "collecting", "Why do the cells turn?")
	d.keys("enter").wants("1 Problems", "2 Thread", "3 Artifact", "4 Agents", "brenner compile")
	d.keys("3").wants("No version is published yet")
	if _, err := s.Compile(t.Context(), session.CompileRequest{ThreadID: thread, As: "Operator"}); err != nil {
		t.Fatal(err)
	}
	d.send(news{})
	d.wants("version 1", "Hypothesis", "H1", "unreviewed", `Fast \x1b[2Jclock`)
	d.keys("/", "H1", "enter", "enter").wants("claim", "by BlueLake in #", "because It explains the onset.")
	d.keys("esc").wants("filter: H1").keys("esc").wants("Predictions")
	d.keys("2").wants("COMPILED", "DELTA", "KICKOFF", "BlueLake").keys("j", "enter").wants("First ideas", "accepted", "from", "Operator (")
	d.keys("esc", "4").wants("BlueLake").keys("enter").wants("Why: BlueLake")
	d.keys("esc", "tab").wants("Problems")
	d.keys("?").wants("Keys", "these keys").keys("?").wants("Problems")
	d.keys("esc").wants("Sessions").keys("esc").wants("Sessions")
}

// TestProblemsFirst: a session that needs a person is above one that does not, and an open
// critique among its problems.
func TestProblemsFirst(t *testing.T) {
	s := project(t)
	troubled := begin(t, s, "Which session needs me?")
	send(t, s, troubled, "DELTA[gpt]: First ideas", ideas)
	if _, err := s.Compile(t.Context(), session.CompileRequest{ThreadID: troubled, As: "Operator"}); err != nil {
		t.Fatal(err)
	}
	send(t, s, troubled, "CRITIQUE: The clock is too slow", "# Critique\n\n## Target\n\nH1 of v1\n\n## Attack\n\nIt drifts.\n\n## "+
		"Evidence\n\nA stopwatch.\n\n## Severity\n\nCritical\n\n## Suggested Resolution\n\nMeasure it.\n")
	begin(t, s, "A quiet one, and newer")
	d := open(t, s)
	screen := d.screen()
	if strings.Index(screen, "Which session needs me?") > strings.Index(screen, "A quiet one") {
		t.Errorf("the quiet session stands first:\n%s", screen)
	}
	d.keys("enter").wants("Critical", "The clock is too slow")
}

// TestReceiptOfTheMerge: a block that reads well and changes nothing is not called accepted.
func TestReceiptOfTheMerge(t *testing.T) {
	s := project(t)
	thread := begin(t, s, "Why do the cells turn?")
	send(t, s, thread, "DELTA[gpt]: Nobody there", "## Deltas\n\n```delta\n"+
		`{"operation": "EDIT", "section": "hypothesis_slate", "target_id": "H9", "payload": {"claim": "x"}, "rationale": "r"}`+"\n```\n")
	open(t, s).keys("enter", "2", "enter").wants("Nobody there", "rejected", "H9")
}

// TestFilter: words narrow the list, Esc widens it again, and letters are letters while typing.
func TestFilter(t *testing.T) {
	s := project(t)
	for i := range 40 {
		begin(t, s, fmt.Sprintf("Question number %d about jellyfish", i))
	}
	d := open(t, s)
	d.keys("/", "jelly 17", "enter").wants("Question number 17", "1/1", "filter: jelly 17")
	if strings.Contains(d.screen(), "number 18") {
		t.Error("a row that does not match is shown")
	}
	d.keys("esc").wants("1/40").keys("G").wants("40/40").keys("g", "j").wants("2/40")
	d.keys("/", "zebra").wants("nothing matches").keys("backspace", "esc").wants("40")
}

// TestHostileText: what agents write cannot move the cursor, nor break a line.
func TestHostileText(t *testing.T) {
	s := project(t)
	thread := begin(t, s, "Why \u202edo cells turn?")
	send(t, s, thread, "INFO: \u2066日本語 and "+strings.Repeat("wide ", 18), "body \x1b[31m\r\u009b2J\n"+strings.Repeat("x", 500))
	d := open(t, s)
	for _, keys := range [][]string{{}, {"enter"}, {"2"}, {"enter"}, {"G"}} {
		content := d.keys(keys...).m.View().Content
		d.screen()
		for _, bad := range []string{"\x1b]0", "\x1b[2J", "\x1b[H", "\x07", "\r", "\u202e", "\u2066", "\u009b"} {
			if strings.Contains(content, bad) {
				t.Errorf("after %v %q reaches the terminal", keys, bad)
			}
		}
	}
}

// TestSmallTerminals: nothing breaks where almost nothing fits.
func TestSmallTerminals(t *testing.T) {
	s := project(t)
	begin(t, s, "Why do the cells turn?")
	d := open(t, s)
	for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 5}, {10, 4}, {1, 4}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, key := range []string{"enter", "tab", "tab", "tab", "?", "esc", "esc"} {
			d.keys(key)
			if lines := strings.Split(d.m.View().Content, "\n"); len(lines) > max(size[1], frameLines+1) {
				t.Errorf("%d lines in a terminal of %d", len(lines), size[1])
			}
		}
	}
}
