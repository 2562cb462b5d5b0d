package web_test

import (
	"net/http"
	"strings"
	"testing"

	"brenner/internal/web"
)

func TestArtifactSections(t *testing.T) {
	page := paper(t).get("/t/"+paperThread+"/v/2", http.StatusOK)
	at := 0
	for _, id := range []string{
		"research_thread", "hypothesis_slate", "predictions_table", "discriminative_tests", "assumption_ledger", "anomaly_register",
		"adversarial_critique",
	} {
		i := strings.Index(page, `<section id="`+id+`"`)
		if i < at {
			t.Errorf("section %s is missing or out of order", id)
		}
		at = i
	}
	h1 := element(t, page, "article", "H1")
	has(t, "H1", h1, "<del", "Gravity", "Killed", "It turns in orbit", "RedSky")
	has(t, "H3", element(t, page, "article", "H3"), "third alternative", `id="H3.claim"`, `data-form="unknown"`)
	has(t, "H2", element(t, page, "article", "H2"), "edited", "gently", `data-review="unreviewed"`)
	lacks(t, "H3", element(t, page, "article", "H3"), "at night") // that is pending
	has(t, "the page", page, "1 delta", "/draft")
}

// The matrix says which cells differ; the column of a killed hypothesis stays, greyed and struck.
func TestPredictionsMatrix(t *testing.T) {
	s := paper(t)
	before := s.get("/t/"+paperThread+"/v/1", http.StatusOK)
	has(t, "P1", element(t, before, "td", "P1.H1"), `data-group="A"`)
	has(t, "P1", element(t, before, "td", "P1.H2"), `data-group="B"`)
	has(t, "P1", element(t, before, "td", "P1.H3"), `data-group="A"`) // case and spacing make no difference
	has(t, "P2", element(t, before, "tr", "P2"), "tells no two apart", "says nothing")
	has(t, "the pairs", before, "<b>H1</b> · <b>H3</b>", "no prediction<")

	after := s.get("/t/"+paperThread+"/v/2", http.StatusOK)
	gone := element(t, after, "td", "P1.H1")
	has(t, "a killed column", gone, `class="gone"`, "N/A", "<del>")
	lacks(t, "a killed column", gone, "data-group")
	has(t, "what is left", element(t, after, "td", "P1.H2"), "data-group")
}

func TestTestsByRank(t *testing.T) {
	page := paper(t).get("/t/"+paperThread+"/v/1", http.StatusOK)
	first, second := strings.Index(page, `<article class="item" id="T2"`), strings.Index(page, `<article class="item" id="T1"`)
	if first < 0 || second < first {
		t.Error("the better test does not stand first")
	}
	t2 := element(t, page, "article", "T2")
	has(t, "T2", t2, `aria-label="Score 9.5 of 12"`, `data-part="speed" x="55" width="30"`, "counts 3", "It did turn")
	t1 := element(t, page, "article", "T1")
	has(t, "T1", t1, `href="#H2">H2</a>`)
	lacks(t, "T1", t1, `href="#H9"`)
}

func TestStatusGroups(t *testing.T) {
	page := paper(t).get("/t/"+paperThread+"/v/2", http.StatusOK)
	unchecked, verified := strings.Index(page, `data-status="unchecked"><bdi>`), strings.Index(page, `data-status="verified"><bdi>`)
	if unchecked < 0 || verified < unchecked {
		t.Errorf("assumptions do not stand by status: unchecked at %d, verified at %d", unchecked, verified)
	}
}

// An item says once where it came from; a field that came otherwise leads to a note of its own, which says who wrote it,
// when, where and why.
func TestProvenance(t *testing.T) {
	page := paper(t).get("/t/"+paperThread+"/v/2", http.StatusOK)
	claim := element(t, page, "div", "H2.claim")
	has(t, "the claim", claim, `class="src" href="#src-5-1"`, "written by RedSky")
	mechanism := element(t, page, "div", "H2.mechanism")
	lacks(t, "the mechanism", mechanism, `class="src"`)
	has(t, "H2", element(t, page, "article", "H2"), `class="written"`, `href="#src-3-2"`, `href="#src-5-1"`, "BlueLake", "RedSky")
	note := element(t, page, "li", "src-5-1")
	has(t, "the note", note, "RedSky", "<time", "message 5", "Less is seen", "/t/"+paperThread+"?at=5#m5")
	lacks(t, "a cell", element(t, page, "td", "P1.H2"), `class="src"`)
	has(t, "the row", element(t, page, "tr", "P1"), `class="src" href="#src-3-4"`)
}

// A finding leads to the place it is about.
func TestLintPanel(t *testing.T) {
	page := paper(t).get("/t/"+paperThread+"/v/1", http.StatusOK)
	has(t, "the panel", page, `id="lint"`, `href="#H1.anchors"`, `href="#assumption_ledger"`, `href="#P2.H2"`, "EA-001", "WP-001")
}

func TestDraft(t *testing.T) {
	s := paper(t)
	page := s.get("/t/"+paperThread+"/draft", http.StatusOK)
	has(t, "the draft", page, "1 delta since v2", "at night")
	has(t, "H3", element(t, page, "article", "H3"), "edited")
	latest := s.get("/t/"+paperThread+"/v/latest", http.StatusOK)
	has(t, "the latest version", latest, "v2")
}

// Whatever an agent writes is text.
func TestHostileArtifact(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.open(paperThread, "Why? "+mischief)
	huge := strings.Repeat("W", 20_000)
	s.contribute(paperThread, "BlueLake",
		hypothesis(mischief, mischief, fields{"references": []fields{{"session": "RS-20250101-x", "item": "H1", "relation": "extends"}},
			mischief: fields{"deep": mischief}}),
		hypothesis("עברית", huge, nil), hypothesis(mischief+"2", mischief, nil),
		block("ADD", "predictions_table", "",
			fields{"condition": mischief, "predictions": fields{"H1": mischief, "H2": "a", "H9": mischief}}, mischief),
		block("ADD", "discriminative_tests", "", fields{
			"name": mischief, "procedure": mischief, "discriminates": mischief,
			"expected_outcomes": fields{"H1": mischief, mischief: mischief}, "last_run": fields{"x": mischief},
		}, mischief),
		block("ADD", "assumption_ledger", "", fields{"name": mischief, "statement": mischief, "load": mischief, "test": mischief,
			"status": "unchecked"}, mischief),
		block("ADD", "anomaly_register", "", fields{"name": mischief, "observation": mischief, "conflicts_with": []string{mischief},
			"status": "active"}, mischief),
		block("ADD", "adversarial_critique", "", fields{"name": mischief, "attack": mischief, "evidence": mischief,
			"current_status": mischief}, mischief),
		block("KILL", "hypothesis_slate", "H3", fields{"reason": mischief}, mischief))
	s.publish(paperThread)
	for _, path := range []string{"/t/" + paperThread + "/v/1", "/t/" + paperThread + "/v/1?item=H2", "/t/" + paperThread + "/diff",
		"/t/" + paperThread + "/draft", "/t/" + paperThread + "/map", "/genealogy", "/genealogy?focus=" + paperThread} {
		inert(t, s.get(path, http.StatusOK))
	}
	short := s.get("/t/"+paperThread+"/v/1", http.StatusOK)
	has(t, "a long field", element(t, short, "div", "H2.claim"), "Show all 20000 bytes")
	lacks(t, "a long field", short, huge)
	has(t, "the item alone", s.get("/t/"+paperThread+"/v/1?item=H2", http.StatusOK), huge)
}
