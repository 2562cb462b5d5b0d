package web_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/session"
	"brenner/internal/web"
)

// TestPagesAreAsIfMadeAnew: whatever happened before, a page is what a server shows that has just begun and remembers nothing.
func TestPagesAreAsIfMadeAnew(t *testing.T) {
	const thread = "RS-20260110-cells"
	pages := []string{
		"/", "/t/" + thread, "/t/" + thread + "/draft", "/t/" + thread + "/v/latest", "/t/" + thread + "/v/1", "/t/" + thread + "/diff",
		"/t/" + thread + "/diff?from=1&to=draft", "/inbox/BlueLake", "/inbox/Operator", "/search?q=cells", "/genealogy",
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	s := siteBehind(t, &session.Door{}, web.Options{Lab: true})
	s.begin(thread, "Why do cells turn?", "BlueLake", "RedSky")
	s.begin("RS-20260110-other", "Why do cells stop?", "BlueLake")
	for range 10 {
		s.act(random, thread)
		fresh := web.New(s.deps, web.Options{Lab: true, Now: func() time.Time { return s.now }})
		for _, path := range pages {
			got := s.ask("GET", path).Body.String()
			kept := s.web
			s.web = fresh
			want := s.ask("GET", path).Body.String()
			if s.web = kept; got != want {
				t.Fatalf("%s differs:\n%s", path, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
		}
	}
}

// act does something at random that pages show. What the door refuses is no matter.
func (s *site) act(random *rand.Rand, thread string) {
	s.now = s.now.Add(time.Duration(random.IntN(90)) * time.Minute)
	block := func(json string) string { return "# Delta\n\n```delta\n" + json + "\n```\n" }
	hypothesis := `{"operation":"%s","section":"hypothesis_slate","target_id":%s,"payload":{"name":"H %d","claim":"As T1 and #2 ` +
		`say","mechanism":"m","anchors":["§1"]},"rationale":"r"}`
	n := random.IntN(3) + 1
	acts := []message.Draft{
		{Subject: "INFO: a note", Body: "H1 and T2 and #3 about cells."},
		{Subject: "DELTA[gpt]: tests", Body: assays(random.IntN(5), random.IntN(5)+1)},
		{Subject: "DELTA[gpt]: add", Body: block(fmt.Sprintf(hypothesis, "ADD", "null", random.IntN(100)))},
		{Subject: "DELTA[gpt]: edit", Body: block(fmt.Sprintf(hypothesis, "EDIT", fmt.Sprintf("%q", fmt.Sprint("H", n)),
			random.IntN(100)))},
		{Subject: "DELTA[gpt]: kill", Body: block(fmt.Sprintf(`{"operation":"KILL","section":"hypothesis_slate","target_id":"H%d",`+
			`"payload":{"reason":"T1 says so"},"rationale":"r"}`, n))},
		{Subject: "CRITIQUE: of one", Body: fmt.Sprintf("# Critique: weak\n\n## Target\nH%d\n\n## Severity\nMajor\n\n## Attack\nNo.\n", n)},
		{Subject: "QUESTION: who?", Body: "# Q\n\n## Question\nWho?\n"},
	}
	switch k := random.IntN(len(acts) + 3); {
	case k < len(acts):
		d := acts[k]
		d.ThreadID, d.From, d.To, d.ReplyTo = thread, []string{"BlueLake", "RedSky"}[random.IntN(2)], []string{mail.Operator, "BlueLake"},
			int64(random.IntN(4))
		_, _ = s.Mail().Send(s.t.Context(), mail.Outgoing{Draft: d})
	case k == len(acts):
		_, _ = s.Compile(s.t.Context(), session.CompileRequest{ThreadID: thread, As: mail.Operator})
	case k == len(acts)+1:
		_, _ = s.Mail().Acknowledge(s.t.Context(), "BlueLake", int64(random.IntN(8)+1), "")
	default:
		_, _ = s.Mail().MarkRead(s.t.Context(), "BlueLake", int64(random.IntN(8)+1))
	}
}
