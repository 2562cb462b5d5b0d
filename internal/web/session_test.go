package web_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/web"
)

var entryID = regexp.MustCompile(`id="m(\d+)" data-row`)

func entryIDs(page string) []string {
	var list []string
	for _, m := range entryID.FindAllStringSubmatch(page, -1) {
		list = append(list, m[1])
	}
	return list
}

// TestSessionPage: everything that a session is about is on its page.
func TestSessionPage(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	page := s.get("/t/"+mailThread, 200)
	s.shows(page, "Why do cells turn?", "All alike", "two agents", "Waits for you 3",
		"Latest version Draft v1", "1 change to take in", "3 owed", "Critical attack on H1 RedSky: Too slow", "none of these 33 %",
		"hypothesis generator · 2 contributions · codex-cli", "adversarial critic",
		"Too slow", "Critical", `href="/t/`+mailThread+`/v/1#H1"`,
		"BlueLake adds 1 explanation", "Adds H1 Gravity It pulls.", "Block 2 rejected edit H9", "INVALID_TARGET",
		"hypothesis_slate has no item “H9”.",
		"Open v1", `href="/t/`+mailThread+`/diff?from=0&amp;to=1"`, "… owed RedSky", "settled by #3 BlueLake", "in 2",
		"artifacts/"+mailThread+".md")
	if got := fmt.Sprint(entryIDs(page)); got != "[6 5 4 3 2 1]" {
		t.Errorf("the timeline has %s", got)
	}
	s.now = s.now.Add(time.Hour)
	s.shows(s.get("/t/"+mailThread, 200), "2 answers overdue", "! overdue RedSky", "settled by #3 BlueLake")
	for _, path := range []string{"/t/RS-20260110-not-there", "/t/RS-20260110-not-there/diagnose", "/t/" + mailThread + "?at=x",
		"/t/" + mailThread + "?before=-1"} {
		s.get(path, 404)
	}
	s.get("/t/"+mailThread+"?type=NONSENSE", 400)
}

// TestMeasurementsAsATable: what was expected of a value stands in words too, with how far the value lies off.
func TestMeasurementsAsATable(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	s.contribute(mailThread, "BlueLake", block("ADD", "discriminative_tests", "", fields{
		"name": "Rate", "procedure": "Measure.", "discriminates": "H1, H2", "quantity": fields{"unit": "km", "range": []int{0, 100}},
		"expected_outcomes": fields{"H1": "70 ± 3", "H2": "60–65"},
	}, "r"))
	s.contribute(mailThread, "RedSky", block("EDIT", "discriminative_tests", "T1", fields{"last_run": fields{"value": "80 ± 4"}}, "r"))
	s.shows(s.get("/t/"+mailThread, 200), "80 ± 4 km", "H1 70 ± 3 (2.0 σ); H2 60–65 (3.8 σ)")
}

// TestSessionPageLab: forms that write are there in lab mode alone; elsewhere the page says how to
// get them. Looking at a preview is always free.
func TestSessionPageLab(t *testing.T) {
	forms := []string{"/compile\" method=\"dialog\" data-stay", "Compile v2", "/persist\"", "Write the file", "/complete\"",
		"/do/answer?of=5", "/critiques/5/promote"}
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	s.shows(s.get("/t/"+mailThread, 200), forms...)
	s = newMailSite(t, web.Options{})
	s.play()
	page := s.get("/t/"+mailThread, 200)
	s.hides(page, forms[1:]...)
	s.shows(page, "Preview v2", "brenner serve --lab")
}

// TestPlainWords: titles and what waits say nothing that takes the protocol to understand.
func TestPlainWords(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	for path, want := range map[string][]string{
		"/start":                     {"<title>Ask a question · brenner</title>", "<h1>Ask a question</h1>"},
		"/start?after=" + mailThread: {"<h1>Ask a question after another</h1>"},
		"/genealogy":                 {"<title>Family tree · brenner</title>", "<h1>Family tree</h1>"},
	} {
		s.shows(s.get(path, 200), want...)
	}
	head, _, _ := strings.Cut(s.get("/t/"+mailThread, 200), `id="found"`)
	s.shows(head, "The draft has gaps", "1 change to take in")
	s.hides(head, "lint", "acknowledgement", "pending delta", "Genealogy")
}

// TestAttackCards: an attack is read where it stands, with what was answered; both are inert, cut, and lead to the whole.
func TestAttackCards(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	s.shows(s.cards(), `<p>Gravity is weak.</p>`)
	s.hides(s.cards(), "answered by", "bytes")
	id := s.send("RedSky", "CRITIQUE: Too far", "# Critique: Too far\n\n## Target\n\n**Item**: H1\n\n## Attack\n\n"+
		"<script>alert(1)</script> See H1.\n\n"+strings.Repeat("Cells are far apart. ", 60)+"\n\n## Severity\n\nMajor\n")
	if _, err := s.CritiqueAnswer(t.Context(), id, mail.Operator, "It **holds** for H1."); err != nil {
		t.Fatal(err)
	}
	page := s.cards()
	s.inert("the attacks", page)
	s.shows(page, "&lt;script&gt;alert(1)", fmt.Sprintf(`href="/t/%s?at=%d#m%d"`, mailThread, id, id), "the whole attack",
		"in words", "<strong>holds</strong>")
}

// cards are the attacks on the page of the session.
func (s *mailSite) cards() string {
	_, rest, _ := strings.Cut(s.get("/t/"+mailThread, 200), `id="critiques"`)
	cards, _, _ := strings.Cut(rest, `id="timeline"`)
	return cards
}

// TestTimelinePaging: every message of a long thread is on exactly one page, in either direction.
func TestTimelinePaging(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	for i := range 130 {
		s.send("BlueLake", fmt.Sprintf("INFO: note %d", i), "# Note\n\nText.\n")
	}
	link := regexp.MustCompile(`<a class="button quiet" href="([^"]+)" rel="(prev|next)"`)
	turn := func(page, rel string) string {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			if m[2] == rel {
				return strings.TrimSuffix(m[1], "#timeline")
			}
		}
		return ""
	}
	var seen []string
	path, last := "/t/"+mailThread, ""
	for path != "" {
		page := s.get(path, 200)
		ids := entryIDs(page)
		if len(ids) > 50 {
			t.Fatalf("%s shows %d messages", path, len(ids))
		}
		seen = append(seen, ids...)
		last, path = path, turn(page, "next")
	}
	if len(seen) != 136 || seen[0] != "137" || seen[135] != "1" {
		t.Fatalf("%d messages, from %s to %s", len(seen), seen[0], seen[len(seen)-1])
	}
	back := s.get(last, 200)
	if turn(back, "prev") == "" {
		t.Error("the oldest page does not lead back")
	}
	at := s.get("/t/"+mailThread+"?at=60", 200)
	s.shows(at, `id="m60"`, "The page around message #60.")
	only := s.get("/t/"+mailThread+"?type=DELTA", 200)
	if got := fmt.Sprint(entryIDs(only)); got != "[6 3]" {
		t.Errorf("DELTA alone: %s", got)
	}
	s.shows(s.get("/t/"+mailThread+"?type=HANDOFF", 200), "No message here is a HANDOFF.")
}

// TestDiagnosisPage: what cannot be read is named, with its repair.
func TestDiagnosisPage(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	s.take(fmt.Sprintf(`{"thread_id":%q,"from":"RedSky","to":["Operator"],"subject":"DELTA[gemini]: `+
		`Broken","body_md":%s,"created_ts":"2026-01-10T08:00:00Z"}`, mailThread,
		quoted("# Delta\n\n```delta\n{'operation':'add','section':'hypotheses','payload':{'name':'X','claim':'Y','mechanism':'Z',"+
			"'anchors':['§1']},'rationale':'r',}\n```\n")))
	page := s.get("/t/"+mailThread+"/diagnose", 200)
	s.shows(page, "2 blocks rejected", "2 messages with problems", "1 message can be mended", "/diagnose-fix", "DELTA[gemini]: Broken",
		"How it can be mended", "&#34;operation&#34;: &#34;ADD&#34;")
	findings, _, _ := strings.Cut(page, "How it can be mended")
	if n := strings.Count(findings, "INVALID_JSON"); n != 1 {
		t.Errorf("the finding is said %d times", n)
	}
}
