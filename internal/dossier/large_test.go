package dossier_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/literature"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

const largeThread = "RS-20260110-cells-turn-late"

// scribe writes a thread message by message into a project.
type scribe struct {
	t    *testing.T
	app  *app.App
	now  time.Time
	sent int
}

type fields map[string]any

func block(operation, section, target string, payload fields) string {
	object := fields{"operation": operation, "section": section, "payload": payload, "rationale": "It follows from the notes."}
	if target != "" {
		object["target_id"] = target
	}
	data, _ := json.Marshal(object)
	return fmt.Sprintf("```delta\n%s\n```\n", data)
}

func newScribe(t *testing.T) *scribe {
	t.Helper()
	s := &scribe{t: t, now: time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)}
	root := t.TempDir()
	var err error
	s.app, err = app.Open(context.Background(), app.Options{Project: app.Project{Root: root, WorkDir: root}, Now: func() time.Time {
		return s.now
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.app.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *scribe) post(from, subject, body string) {
	s.t.Helper()
	s.now = s.now.Add(7 * time.Minute)
	s.sent++
	line := transfer.Line{
		Number: 1, ThreadID: largeThread, From: from, To: []string{"Operator"}, Subject: subject, Body: body, CreatedAt: s.now,
		Importance: "normal", Intake: "lenient",
	}
	done, err := transfer.ImportLines(context.Background(), s.app.Mail, []transfer.Line{line}, nil)
	if err != nil || done.Imported != 1 {
		s.t.Fatalf("%s: %v, %+v", subject, err, done)
	}
}

func (s *scribe) compile() {
	s.t.Helper()
	s.now = s.now.Add(time.Hour)
	if err := s.app.Mail.EnsureAgents(context.Background(), mail.Operator); err != nil {
		s.t.Fatal(err)
	}
	out, err := s.app.Sessions.Compile(context.Background(), session.CompileRequest{ThreadID: largeThread, As: mail.Operator})
	if err != nil || !out.NewVersion {
		s.t.Fatalf("no version: %v", err)
	}
}

func (s *scribe) evidence(name, text string) string {
	s.t.Helper()
	added, err := s.app.Evidence.Add(context.Background(), evidencepack.Addition{Name: name, Data: []byte(text), Title: "Notes on " + name,
		Source: "https://example.org/" + name, By: "Operator", At: s.now})
	if err != nil {
		s.t.Fatal(err)
	}
	return added.ID
}

// paper adds a source with a bibliographic entry.
func (s *scribe) paper(name, text string) {
	s.t.Helper()
	cite := literature.Item{
		Type: "article-journal", Title: "On late cells", DOI: "10.1000/Late.1", Author: []literature.Name{{Given: "Ann", Family: "Poe"}},
		Issued: &literature.Date{Parts: [][]int{{2019, 4}}},
	}
	added := evidencepack.Addition{Name: name, Data: []byte(text), Title: "On late cells", Cite: &cite, By: "Operator", At: s.now}
	if _, err := s.app.Evidence.Add(context.Background(), added); err != nil {
		s.t.Fatal(err)
	}
}

// ran keeps a run as evidence.
func (s *scribe) ran(exit int, command ...string) {
	s.t.Helper()
	run := evidencepack.FinishedRun{Run: evidence.Run{
		Thread: largeThread, Test: "T1", Command: command, ExitCode: &exit, StartedAt: s.now.Format(time.RFC3339Nano), Seconds: 2.5,
		System: "linux/amd64",
	}, Title: "T1: " + command[0], By: "Operator", At: s.now}
	for _, f := range []**os.File{&run.Out, &run.Err} {
		file, err := os.CreateTemp(s.t.TempDir(), "run")
		if err == nil {
			_, err = file.WriteString("counted\n")
		}
		if err != nil {
			s.t.Fatal(err)
		}
		defer file.Close()
		*f = file
	}
	if _, err := s.app.Evidence.AddRun(context.Background(), run); err != nil {
		s.t.Fatal(err)
	}
}

var explanations = []struct{ name, claim string }{
	{"Positional gradient", "Cells read the concentration of a diffusing signal and turn where it falls below a threshold."},
	{"Lineage memory", "Cells inherit their fate from the blastomere they descend from, whatever surrounds them later."},
	{"Contact inhibition", "Cells turn when they touch a neighbour that has turned already; the first one turns by chance."},
	{"Mechanical strain", "Stretching of the sheet opens channels, and the calcium that enters turns the cells."},
	{"Clock and wavefront", "An oscillator in each cell is frozen by a front that passes once; its phase then decides."},
	{"Contaminated medium", "A batch of medium carried a trace of the factor, and all differences between dishes come from it."},
}

// writers are the agents of the session, with the shorthand of their models.
var writers = []struct{ name, program, model, role, shorthand string }{
	{"BlueLake", "codex-cli", "gpt-5.1", "hypothesis_generator", "gpt"},
	{"RedSky", "claude-code", "opus-4.5", "test_designer", "opus"},
	{"GreenRiver", "gemini-cli", "gemini-3-pro", "adversarial_critic", "gemini"},
}

func kickoff() string {
	roster := protocol.Roster{Mode: protocol.ModeRoleSeparated}
	for _, w := range writers {
		roster.Entries = append(roster.Entries, protocol.RosterEntry{AgentName: w.name, Role: protocol.Role(w.role), Program: w.program,
			Model: w.model})
	}
	return "# Cells turn\n\n## Research Question\nWhy do cells of the late blastula keep their fate when they are moved, although cells " +
		"of the early one lose it?\n\n" +
		message.RenderSessionConfiguration(roster) + "\n## Context\nTwo laboratories report opposite results.\n\n## Excerpt\n> x (§1)\n"
}

// large writes a session of 6 hypotheses, 40 predictions, 30 tests, 13 versions and about 290 messages.
func large(t *testing.T) *scribe {
	s := newScribe(t)
	notes := s.evidence("late.txt", "Cells keep their fate when they are moved late.\nThey lose it when they are moved early.\nThe sheet "+
		"is stretched by a third.\n")
	s.post("Operator", "KICKOFF: ["+largeThread+"] Cells turn", kickoff())
	body := "# Delta\n\n"
	for i, e := range explanations {
		anchor := "inference"
		if i < 2 {
			anchor = fmt.Sprintf("\"Cells keep their fate when they are moved late\" (%s)", notes)
		}
		body += block("ADD", "hypothesis_slate", "", fields{"name": e.name, "claim": e.claim, "mechanism": "It acts through the membrane.",
			"anchors": []string{anchor}, "third_alternative": i == 5})
	}
	s.post("BlueLake", "DELTA[gpt]: six explanations", body)
	s.tests(0, 6)
	s.predictions(0, 10)
	s.compile()
	for v := 2; v <= 13; v++ {
		s.round(v)
		s.compile()
	}
	return s
}

// tests adds some of the thirty tests.
func (s *scribe) tests(from, to int) {
	body := "# Delta\n\n"
	for i := from; i < to; i++ {
		expected := fields{}
		for h := range explanations {
			switch (i + h) % 4 {
			case 0:
				expected[fmt.Sprint("H", h+1)] = "fate is kept"
			case 1:
				expected[fmt.Sprint("H", h+1)] = "fate is lost within two hours"
			case 2:
				expected[fmt.Sprint("H", h+1)] = "half of the cells turn"
			}
		}
		body += block("ADD", "discriminative_tests", "", fields{
			"name": fmt.Sprintf("Move %d cells at stage %d", 10*(i+1), i%9+3),
			"procedure": "Move the cells with a hair loop, wait for two divisions, count those that stain. Repeat on five sheets of " +
				"three animals.",
			"discriminates": "H1 vs H2 vs H3", "expected_outcomes": expected, "potency_check": "Stain a sheet that is known to turn.",
			"score": fields{"likelihood_ratio": i%3 + 1, "cost": 3 - i%3, "speed": 1 + i%3, "ambiguity": 2},
		})
	}
	s.post("RedSky", fmt.Sprintf("DELTA[opus]: tests %d to %d", from+1, to), body)
}

// predictions adds some of the forty rows.
func (s *scribe) predictions(from, to int) {
	body := "# Delta\n\n"
	for i := from; i < to; i++ {
		cells := fields{}
		for h := range explanations {
			cells[fmt.Sprint("H", h+1)] = []string{"more cells turn", "no difference", "fewer cells turn"}[(i+h*h)%3]
		}
		body += block("ADD", "predictions_table", "",
			fields{"condition": fmt.Sprintf("The sheet is kept at %d degrees for %d hours", 14+i%9, i+1), "predictions": cells})
	}
	s.post("BlueLake", fmt.Sprintf("DELTA[gpt]: predictions %d to %d", from+1, to), body)
}

// round is what happens between two versions.
func (s *scribe) round(v int) {
	if v <= 5 {
		s.tests(6*(v-1), 6*v)
	}
	if v <= 4 {
		s.predictions(10*(v-1), 10*v)
	}
	for i, w := range writers {
		first, second := 0.15+0.03*float64((v*i)%7), 0.1+0.02*float64((v+i)%5)
		s.post(w.name, "INFO: where I stand",
			fmt.Sprintf("# Info\n\n```belief\n{\"credences\": {\"H1\": %.2f, \"H2\": %.2f, \"H3\": 0.1}}\n```\n", first, second))
	}
	target := v%5 + 1
	s.post("GreenRiver", fmt.Sprintf("CRITIQUE: What would H%d forbid?", target), fmt.Sprintf("# Critique: What would H%d forbid in "+
		"round %d?\n\n## Target\n**Item**: H%d\n\n## Attack\nEvery outcome seen so far can be read as support. Say which count of "+
		"stained cells would count against it.\n\n## Evidence\nNone.\n\n## Severity\n%s\n",
		target, v, target, []string{"Critical", "Major", "Minor"}[v%3]))
	if v%3 != 0 {
		s.post("Operator", fmt.Sprintf("INFO: Rebuttal of critique #%d", s.last()),
			"# Rebuttal\n\n## Rebuttal\nFewer than ten in a hundred would.\n")
	}
	s.post(writers[v%2].name, fmt.Sprintf("DELTA[%s]: sharper", writers[v%2].shorthand), "# Delta\n\n"+block("EDIT", "hypothesis_slate",
		fmt.Sprintf("H%d", target), fields{"mechanism": fmt.Sprintf("It acts through the membrane, as round %d shows.", v)}))
	outcome := []string{"fate is kept", "fate is lost within two hours", "half of the cells turn"}[v%3]
	s.post("RedSky", fmt.Sprintf("DELTA[opus]: result of T%d", v-1),
		"# Delta\n\n"+block("EDIT", "discriminative_tests", fmt.Sprintf("T%d", v-1), fields{
			"status": "passed", "last_run": fields{"outcome": outcome, "exploratory": v == 7}, "evidence_refs": []string{"EV-001"},
		}))
	if v == 6 {
		s.post("RedSky", "DELTA[opus]: a late prediction",
			"# Delta\n\n"+block("EDIT", "discriminative_tests", "T3", fields{"expected_outcomes": fields{"H2": "fate is kept"}}))
	}
	if v == 8 || v == 10 {
		s.post("GreenRiver", "DELTA[gemini]: a kill", "# Delta\n\n"+block("KILL", "hypothesis_slate", fmt.Sprintf("H%d", v/2+2),
			fields{"reason": "Five sheets in fresh medium turned as the others did, so that the medium cannot be what differs."}))
	}
	for i := range 15 {
		s.post(writers[i%3].name, fmt.Sprintf("INFO: note %d of round %d", i+1, v), "# Info\n\nStaining goes on.\n")
	}
}

// last is the id of the latest message.
func (s *scribe) last() int64 {
	of, err := s.app.Sessions.Session(context.Background(), largeThread)
	if err != nil {
		s.t.Fatal(err)
	}
	return of.View.Head
}

// small writes the beginning of that session: two versions.
func small(t *testing.T) *scribe {
	s := newScribe(t)
	notes := s.evidence("late.txt", "Cells keep their fate when they are moved late.\n")
	s.paper("paper.md", "Late cells are late.\n")
	s.ran(0, "python3", "count.py")
	s.ran(3, "/usr/bin/make", "stain")
	s.post("Operator", "KICKOFF: ["+largeThread+"] Cells turn", kickoff())
	body := "# Delta\n\n"
	for _, e := range explanations[:4] {
		body += block("ADD", "hypothesis_slate", "", fields{
			"name": e.name, "claim": e.claim, "mechanism": "m", "anchors": []string{fmt.Sprintf("\"Cells keep their fate\" (%s)", notes)},
		})
	}
	s.post("BlueLake", "DELTA[gpt]: explanations", body)
	s.tests(0, 3)
	s.post("RedSky", "INFO: sources", "# Info\n\nSee EV-002; EV-003 counted, EV-004 did not.\n")
	s.compile()
	s.round(3)
	s.compile()
	return s
}
