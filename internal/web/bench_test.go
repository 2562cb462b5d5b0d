package web_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/session"
	"brenner/internal/web"
)

// The project of the benchmark: what the web app has to stay quick with.
const (
	benchSessions = 200
	benchMessages = 100_000
	benchItems    = 1_000
	benchThread   = "RS-20260110-cells-000" // the session with the artifact
)

// benchPages are the pages that are measured, with a thread where they need one.
var benchPages = []struct{ name, path string }{
	{"sessions", "/"},
	{"filtered", "/?q=cells&phase=collecting"},
	{"lastpage", "/?page=8"},
	{"search", "/search?q=marks"},
	{"start", "/start"},
	{"session", "/t/%s"},
	{"artifact", "/t/%s/v/1"},
	{"diff", "/t/%s/diff?from=0&to=1"},
	{"genealogy", "/genealogy"},
	{"inboxes", "/inbox"},
	{"inbox", "/inbox/BlueLake"},
}

// BenchmarkFirstPage opens the large project anew and asks for the list of sessions: what a server has to
// do once.
func BenchmarkFirstPage(b *testing.B) {
	s := newSite(b, web.Options{})
	s.fill(benchSessions, benchMessages, benchItems)
	s.see("/")
	for b.Loop() {
		b.StopTimer()
		s.Sessions = session.New(s.Mail(), nil, session.Settings{})
		s.web = web.New(web.Deps{Sessions: s.Sessions, Viewer: func(context.Context) web.Viewer { return s.viewer }}, web.Options{})
		b.StartTimer()
		s.see("/")
	}
}

// BenchmarkPages asks for every page of a large project and of one with a single small session. cold
// makes the page anew, warm has it kept, note asks after an agent wrote to the session, delta after
// an agent changed its artifact. x-small is how many times as long it takes as in the small
// project, by the medians of both; kB what is sent.
func BenchmarkPages(b *testing.B) {
	small, large := benchSite(b), benchSite(b)
	small.fill(1, 4, 3)
	large.fill(benchSessions, benchMessages, benchItems)
	for _, p := range benchPages {
		path := p.path
		if strings.Contains(path, "%s") {
			path = fmt.Sprintf(path, benchThread)
		}
		if w := large.ask("GET", path); w.Code == http.StatusNotFound && w.Header().Get("Content-Type") == "application/json" {
			continue // there is no such page
		}
		for _, mode := range []string{"cold", "warm", "note", "delta"} {
			b.Run(p.name+"/"+mode, func(b *testing.B) {
				few := small
				if mode == "note" || mode == "delta" { // it grows
					few = benchSite(b)
					few.fill(1, 4, 3)
				}
				times := ratio(large, few, path, mode)
				size := 0
				for b.Loop() {
					b.StopTimer()
					large.change(mode)
					b.StartTimer()
					size = large.once(path, mode)
				}
				b.ReportMetric(times, "x-small")
				b.ReportMetric(float64(size)/1000, "kB")
			})
		}
	}
}

// benchSite is a project as a server has it, with its door.
func benchSite(b *testing.B) *site { return siteBehind(b, &session.Door{}, web.Options{Lab: true}) }

// once asks for a page and tells how many bytes were sent.
func (s *site) once(path, mode string) int {
	if mode == "cold" {
		s.web.Forget()
	}
	w := s.ask("GET", path, "Accept-Encoding", "gzip")
	if w.Code != http.StatusOK {
		s.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.Len()
}

// change does to the session what a mode asks for before each page.
func (s *site) change(mode string) {
	d := message.Draft{ThreadID: benchThread, From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: a note", Body: "Read twice."}
	switch mode {
	case "note":
	case "delta":
		d.Subject, d.Body = "DELTA[gpt]: one more", assays(2000, 2001)
	default:
		return
	}
	if _, err := s.Mail().Send(s.t.Context(), mail.Outgoing{Draft: d}); err != nil {
		s.t.Fatal(err)
	}
}

// ratio asks both projects in turn, so that whatever else the machine does slows both, and compares the
// medians.
func ratio(large, small *site, path, mode string) float64 {
	const samples = 41
	took := [2][]time.Duration{}
	for range samples {
		for i, s := range []*site{large, small} {
			s.change(mode)
			began := time.Now()
			s.once(path, mode)
			took[i] = append(took[i], time.Since(began))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	return float64(took[0][samples/2]) / float64(took[1][samples/2])
}

// fill makes sessions with messages shared out among them; the first has an artifact of so many items.
func (s *site) fill(sessions, messages, items int) {
	s.t.Helper()
	for i := range sessions {
		thread := fmt.Sprintf("RS-20260110-cells-%03d", i)
		s.begin(thread, fmt.Sprintf("Why do cells turn in assay %d?", i), "BlueLake", "RedSky")
		var lines []transfer.Line
		add := func(subject, body string) {
			s.now = s.now.Add(time.Second)
			lines = append(lines, transfer.Line{
				ThreadID: thread, From: "BlueLake", To: []string{"RedSky"}, Subject: subject, Body: body, CreatedAt: s.now,
			})
		}
		if i == 0 {
			for from := 0; from < items; from += 50 {
				add("DELTA[gpt]: assays", assays(from, min(items, from+50)))
			}
		}
		add("DELTA[gpt]: one more", assays(0, 1))
		for len(lines) < messages/sessions-2 {
			add(fmt.Sprintf("INFO: note %d", len(lines)), "Scored blind; the marks are read twice, and the second reading counts.")
		}
		if _, err := transfer.ImportLines(s.t.Context(), s.Mail(), lines, nil); err != nil {
			s.t.Fatal(err)
		}
	}
	if _, err := s.Compile(s.t.Context(), session.CompileRequest{ThreadID: benchThread, As: mail.Operator}); err != nil {
		s.t.Fatal(err)
	}
}

// assays is a delta that adds tests.
func assays(from, to int) string {
	var b strings.Builder
	b.WriteString("# Delta Contribution\n\n## Deltas\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "\n```delta\n"+`{"operation":"ADD","section":"discriminative_tests","target_id":null,"payload":{"name":"Assay %d",`+
			`"procedure":"Track marks","discriminates":"H1 vs H2","expected_outcomes":{"H1":"history","H2":"position"},`+
			`"score":{"likelihood_ratio":2,"cost":%d}},"rationale":"It tells them apart."}`+"\n```\n", i, i%4)
	}
	return b.String()
}
