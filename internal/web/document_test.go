package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/session"
	"brenner/internal/web"
)

const (
	paperThread = "RS-20260110-paper"
	laterThread = "RS-20260111-later"
)

// fields is a payload.
type fields map[string]any

// block writes a delta as agents do.
func block(operation, section, target string, payload fields, rationale string) string {
	envelope := fields{"operation": operation, "section": section, "payload": payload, "rationale": rationale}
	if target != "" {
		envelope["target_id"] = target
	}
	data, err := json.Marshal(envelope)
	if err != nil {
		panic(err) // plain data always encodes
	}
	return "```delta\n" + string(data) + "\n```\n\n"
}

func hypothesis(name, claim string, more fields) string {
	payload := fields{"name": name, "claim": claim, "mechanism": "By itself.", "anchors": []string{"§1", "somewhere"}}
	maps.Copy(payload, more)
	return block("ADD", "hypothesis_slate", "", payload, "Because of "+name)
}

// open begins a thread; its question is in hostile letters, for everything that shows it.
func (s *mailSite) open(thread, question string) {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	if _, err := s.Start(s.t.Context(), session.StartRequest{
		From: mail.Operator, Question: question, Context: "See the notes.", ThreadID: thread,
		Roster: session.RosterRequest{Recipients: []string{"BlueLake", "RedSky"}},
	}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *mailSite) contribute(thread, from string, blocks ...string) int64 {
	s.t.Helper()
	return s.post(message.Draft{ThreadID: thread, From: from, To: []string{mail.Operator}, Subject: "DELTA[gpt]: More",
		Body: "# Delta\n\n" + strings.Join(blocks, "")})
}

func (s *mailSite) publish(thread string) {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	out, err := s.Compile(s.t.Context(), session.CompileRequest{ThreadID: thread, As: mail.Operator})
	if err != nil || !out.NewVersion {
		s.t.Fatalf("compile: %v, new version %v", err, out.NewVersion)
	}
}

// writePaper publishes two versions and leaves a delta pending.
func (s *mailSite) writePaper() {
	s.t.Helper()
	s.open(paperThread, "Why do cells turn?")
	s.contribute(paperThread, "BlueLake",
		hypothesis("Gravity", "It pulls the cell down.", nil), hypothesis("Light", "It pushes the cell up.", nil),
		hypothesis("Neither", "Both are wrong.", fields{"third_alternative": true}),
		block("ADD", "predictions_table", "",
			fields{"condition": "In the dark", "predictions": fields{"H1": "It turns", "H2": "It rests", "H3": "it  TURNS"}}, "Parts them"),
		block("ADD", "predictions_table", "", fields{"condition": "At noon", "predictions": fields{"H1": "It turns", "H3": "It turns"}},
			"Does not"),
		block("ADD", "discriminative_tests", "", fields{
			"name": "A lamp", "procedure": "Shine it", "discriminates": "H1 vs H2 vs H9",
			"expected_outcomes": fields{"H1": "Nothing", "H2": "A turn"},
			"score":             fields{"likelihood_ratio": 1, "cost": 1, "speed": 1, "ambiguity": 1},
		}, "Cheap"),
		block("ADD", "discriminative_tests", "", fields{
			"name": "A centrifuge", "procedure": "Spin it", "discriminates": "H1", "expected_outcomes": fields{"H1": "A turn"},
			"actual_outcomes": fields{"H1": "It did turn"}, "status": "passed",
			"score": fields{"likelihood_ratio": 3, "cost": 2.5, "speed": 9, "ambiguity": 1},
		}, "Strong"))
	s.publish(paperThread)
	s.contribute(paperThread, "RedSky",
		block("EDIT", "hypothesis_slate", "H2", fields{"claim": "It pushes the cell gently up."}, "Less is seen"),
		block("KILL", "hypothesis_slate", "H1", fields{"reason": "It turns in orbit"}, "Seen in orbit"),
		block("ADD", "assumption_ledger", "", fields{"name": "Alive", "statement": "Cells live", "load": "All", "test": "Look",
			"status": "verified"}, "r"),
		block("ADD", "assumption_ledger", "", fields{"name": "Alone", "statement": "Cells are alone", "load": "All", "test": "Count",
			"status": "unchecked"}, "r"))
	s.publish(paperThread)
	s.contribute(paperThread, "BlueLake", block("EDIT", "hypothesis_slate", "H3", fields{"claim": "Both are wrong at night."}, "Later"))
}

func paper(t testing.TB) *mailSite {
	t.Helper()
	s := newMailSite(t, web.Options{})
	s.writePaper()
	return s
}

// element returns the text from an opening tag with an id to the next one of that tag's name.
func element(t testing.TB, page, tag, id string) string {
	t.Helper()
	start := regexp.MustCompile(`<` + tag + `\b[^>]*\bid="` + regexp.QuoteMeta(id) + `"`).FindStringIndex(page)
	if start == nil {
		t.Fatalf("the page has no %s with id %s", tag, id)
	}
	rest := page[start[0]:]
	if end := strings.Index(rest[1:], "<"+tag); end >= 0 {
		return rest[:end+1]
	}
	return rest
}

func has(t testing.TB, where, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s lacks %s", where, w)
		}
	}
}

func lacks(t testing.TB, where, text string, unwanted ...string) {
	t.Helper()
	for _, u := range unwanted {
		if strings.Contains(text, u) {
			t.Errorf("%s has %s", where, u)
		}
	}
}

// inert fails where a page holds markup that an agent wrote.
func inert(t testing.TB, page string) {
	t.Helper()
	lacks(t, "the page", page, "<script>alert", "<img src=x", "onclick=\"alert", " style=\"", "=\"javascript:")
	if strings.Count(page, "<script") != strings.Count(page, "<script src=\"/assets/")+
		strings.Count(page, "<script type=\"module\" src=\"/assets/") {
		t.Error("the page has a script of its own")
	}
}

func TestNoVersionNoPage(t *testing.T) {
	s := paper(t)
	for _, path := range []string{"/v/9", "/v/0", "/v/-1", "/v/two", "/diff?to=9", "/diff?from=x", "/diff?from=-3"} {
		has(t, path, s.get("/t/"+paperThread+path, http.StatusNotFound), "<h1>", "NOT_FOUND")
	}
	for _, path := range []string{"/t/RS-20260110-nowhere/v/1", "/t/RS-20260110-nowhere/draft", "/t/RS-20260110-nowhere/diff",
		"/genealogy?focus=nowhere"} {
		s.get(path, http.StatusNotFound)
	}
}

// An artifact of a thousand items is a page of ordinary size, and every item has its place on it.
func TestLongArtifact(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.writeLong()
	page := s.get("/t/"+paperThread+"/v/1", http.StatusOK)
	if n := len(page); n > 1_200_000 {
		t.Errorf("the page has %d bytes", n)
	}
	for _, id := range []string{"A1", "A199", "X200", "C150", "T77", "P200", "H6"} {
		if n := strings.Count(page, `id="`+id+`"`); n != 1 {
			t.Errorf("%s has %d places", id, n)
		}
	}
	far := s.get("/t/"+paperThread+"/v/1?item=C150", http.StatusOK)
	has(t, "C150", element(t, far, "article", "C150"), "attack of item 149")
	second := s.get("/t/"+paperThread+"/v/1?section=anomaly_register&page=2", http.StatusOK)
	has(t, "the second page", second, `aria-current="page">2</a>`)
	lacks(t, "the second page", second, `<article class="item" id="X1"`)
	whole := s.get("/t/"+paperThread+"/diff", http.StatusOK)
	has(t, "the diff", whole, "More of the text", "Later items")
	if n := len(whole); n > 1_200_000 {
		t.Errorf("the diff has %d bytes", n)
	}
}

// writeLong publishes a version with 1,006 items.
func (s *mailSite) writeLong() {
	s.t.Helper()
	s.open(paperThread, "How long can it get?")
	for i := range 6 {
		s.contribute(paperThread, "BlueLake", hypothesis(fmt.Sprint("Idea ", i), words(i, 40), nil))
	}
	for k := range 20 {
		var blocks []string
		for i := k * 10; i < k*10+10; i++ {
			blocks = append(blocks,
				block("ADD", "predictions_table", "",
					fields{"condition": words(i, 20), "predictions": fields{"H1": words(i, 12), "H2": words(i+1, 12), "H3": words(i, 12)}},
					words(i, 10)),
				block("ADD", "discriminative_tests", "", fields{
					"name": words(i, 6), "procedure": words(i, 50), "discriminates": "H1 vs H2",
					"expected_outcomes": fields{"H1": words(i, 15), "H2": words(i+2, 15)},
					"score":             fields{"likelihood_ratio": i % 4, "cost": i / 4 % 4},
				}, words(i, 10)),
				block("ADD", "assumption_ledger", "", fields{"name": words(i, 6), "statement": words(i, 40), "load": words(i, 20),
					"test": words(i, 20), "status": "verified"}, "r"),
				block("ADD", "anomaly_register", "",
					fields{"name": words(i, 6), "observation": words(i, 40), "conflicts_with": []string{"H1"}, "status": "active"}, "r"),
				block("ADD", "adversarial_critique", "",
					fields{"name": words(i, 6), "attack": fmt.Sprintf("attack of item %d: %s", i, words(i, 50)), "evidence": words(i, 20),
						"current_status": "open"}, "r"))
		}
		s.contribute(paperThread, "RedSky", blocks...)
	}
	s.publish(paperThread)
}

// words is a text of its own for each seed.
func words(seed, n int) string {
	list := strings.Fields("the cell turns when light falls upon its lower half and a pump of calcium answers within two seconds unless " +
		"cold has slowed it")
	out := make([]string, n)
	for i := range out {
		out[i] = list[(seed*7+i*i*3+i*seed)%len(list)]
	}
	return fmt.Sprintf("%d %s", seed, strings.Join(out, " "))
}

// BenchmarkArtifact shows a version of 1,006 items that was not asked for yet.
func BenchmarkArtifact(b *testing.B) {
	s := newMailSite(b, web.Options{})
	s.writeLong()
	n := 0
	for b.Loop() {
		n++
		s.get(fmt.Sprintf("/t/%s/v/1?again=%d", paperThread, n), http.StatusOK)
	}
}
