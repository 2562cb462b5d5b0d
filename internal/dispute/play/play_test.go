package play_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"brenner/disputes"
	"brenner/internal/app"
	"brenner/internal/dispute"
	"brenner/internal/dispute/play"
	"brenner/internal/mail"
)

func stage(t *testing.T, name string, arm dispute.Arm) *dispute.Staged {
	t.Helper()
	folder, err := fs.Sub(disputes.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	d, findings, err := dispute.Read(name, folder)
	if err != nil || len(findings) > 0 {
		t.Fatal(err, findings)
	}
	return d.Stage(arm)
}

func open(t *testing.T) *app.App {
	t.Helper()
	dir := t.TempDir()
	a, err := app.Open(t.Context(), app.Options{Project: app.Project{Root: dir, WorkDir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// said are the letters of a thread, in a word each.
func said(t *testing.T, a *app.App, thread string) []string {
	t.Helper()
	found, err := a.Store.Messages(t.Context(), mail.MessageQuery{Project: a.Mail.Project().ID, Thread: thread})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i := range found {
		list = append(list, found[i].From+" "+found[i].Subject)
	}
	return list
}

// TestKilledPlays ends a play after each of its steps, and goes on with another that knows nothing but the thread: what comes of it is what
// came of one that was left alone.
func TestKilledPlays(t *testing.T) {
	staged := stage(t, "opera", dispute.Named)
	cast := play.Panel(dispute.Follower)
	whole := open(t)
	left, err := play.Play(t.Context(), play.Options{App: whole, Staged: staged, Cast: cast})
	if err != nil || !left.Ended {
		t.Fatal(left, err)
	}
	killed, rest := open(t), errors.New("killed")
	kills := 0
	for {
		got, err := play.Play(t.Context(), play.Options{App: killed, Staged: staged, Cast: cast,
			Tell: func(play.Moment) error { return rest }})
		if err == nil {
			if !got.Ended || got.Effort != left.Effort || !slices.Equal(got.Opened, left.Opened) {
				t.Errorf("%+v, not %+v", got, left)
			}
			break
		}
		if kills++; !errors.Is(err, rest) || kills > 100 {
			t.Fatal(kills, err)
		}
	}
	if kills < 20 {
		t.Errorf("only %d steps were killed", kills)
	}
	one, other := said(t, whole, left.ThreadID), said(t, killed, left.ThreadID)
	if !slices.Equal(one, other) {
		t.Errorf("left alone:\n%s\nkilled:\n%s", strings.Join(one, "\n"), strings.Join(other, "\n"))
	}
}

// TestByHand waits for a person, takes the test that is named, opens its seal, and records what the kickoff had fixed.
func TestByHand(t *testing.T) {
	a, staged := open(t), stage(t, "opera", dispute.Renamed)
	o := play.Options{App: a, Staged: staged, Cast: []play.Player{{Name: "BlueLake"}}}
	r, err := play.Play(t.Context(), o)
	if err != nil || !slices.Equal(r.Waiting, []string{"BlueLake"}) {
		t.Fatal(r, err)
	}
	body := "**Next test**: T4\n\n```belief\n{\"credences\": {\"H2\": 0.5}}\n```\n"
	send(t, a, r.ThreadID, body)
	if r, err = play.Play(t.Context(), o); err != nil || len(r.Opened) != 1 || r.Opened[0].Test != "T4" || r.Turns != 2 {
		t.Fatal(r, err)
	}
	kickoff, err := a.Store.Messages(t.Context(), mail.MessageQuery{Project: a.Mail.Project().ID, Thread: r.ThreadID, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	terms, ok := dispute.ReadTerms(kickoff[0].Body)
	pack, err := a.Evidence.Load()
	if err != nil || !ok {
		t.Fatal(kickoff[0].Body, err)
	}
	if source := pack.Source(r.Opened[0].Evidence); source == nil || source.SHA256 != terms.Seals["T4"] {
		t.Errorf("%s was fixed as %s, and opened as %+v", "T4", terms.Seals["T4"], source)
	}
	if strings.Contains(kickoff[0].Body, "OPERA") {
		t.Errorf("the kickoff gives the name away:\n%s", kickoff[0].Body)
	}
}

func send(t *testing.T, a *app.App, thread, body string) {
	t.Helper()
	out := mail.Outgoing{}
	out.ThreadID, out.From, out.To, out.Subject, out.Body = thread, "BlueLake", []string{mail.Operator}, "INFO: Mine", body
	if _, err := a.Mail.Send(t.Context(), out); err != nil {
		t.Fatal(err)
	}
}

// TestRoundsAreAskedOnce: a program that says nothing in its turn is not waited for; a person beside it is.
func TestRoundsAreAskedOnce(t *testing.T) {
	a, staged := open(t), stage(t, "opera", dispute.Flipped)
	staged.Budget = 1e-9 // nothing can be paid for
	asked := 0
	o := play.Options{App: a, Staged: staged, Cast: []play.Player{{Name: "BlueLake", Program: "claude-code"}, {Name: "RedSky"}},
		Round: func(_ context.Context, _ string, turn int) (string, error) { asked += turn; return "", nil }}
	r, err := play.Play(t.Context(), o)
	if err != nil || r.Ended || asked != 1 || !slices.Equal(r.Waiting, []string{"BlueLake", "RedSky"}) {
		t.Error(r, err, asked)
	}
	o.Cast = o.Cast[:1]
	if r, err = play.Play(t.Context(), o); err != nil || !r.Ended || asked != 2 || len(r.Opened) != 0 {
		t.Error(r, err, asked)
	}
}

// TestTwoAtOnce has two processes play one thread at the same time: everything is said once.
func TestTwoAtOnce(t *testing.T) {
	dir, staged := t.TempDir(), stage(t, "opera", dispute.Named)
	var wait sync.WaitGroup
	for range 2 {
		a, err := app.Open(t.Context(), app.Options{Project: app.Project{Root: dir, WorkDir: dir}})
		if err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			r, err := play.Play(t.Context(), play.Options{App: a, Staged: staged, Cast: play.Panel(dispute.ByNext)})
			if err != nil || !r.Ended {
				t.Error(r, err)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	a, err := app.Open(t.Context(), app.Options{Project: app.Project{Root: dir, WorkDir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	alone := open(t)
	left, err := play.Play(t.Context(), play.Options{App: alone, Staged: staged, Cast: play.Panel(dispute.ByNext)})
	if err != nil {
		t.Fatal(err)
	}
	if one, other := said(t, alone, left.ThreadID), said(t, a, left.ThreadID); !slices.Equal(one, other) {
		t.Errorf("alone:\n%s\nby two:\n%s", strings.Join(one, "\n"), strings.Join(other, "\n"))
	}
}
