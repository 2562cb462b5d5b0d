package web_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	s := paper(t)
	page := s.get("/t/"+paperThread+"/diff", http.StatusOK)
	has(t, "the page", page, "2 added", "1 edited", "1 killed", `type="range"`, `max="3"`, `value="2"`)
	h2 := element(t, page, "article", "H2")
	has(t, "H2", h2, "<ins> gently</ins>", "RedSky", "Less is seen", "message 5")
	lacks(t, "H2", h2, "<del>")
	has(t, "H1", element(t, page, "article", "H1"), "It turns in orbit", "Seen in orbit", "killed")
	has(t, "A1", element(t, page, "article", "A1"), "added", "Cells live", `/v/2?item=A1#A1`)
	has(t, "both texts", page, `class="changed"`, `class="added"`, "unchanged line", "<details class=\"fold\">")
}

// The first version is compared with nothing, the draft with the latest; any two can be compared.
func TestDiffSides(t *testing.T) {
	s := paper(t)
	first := s.get("/t/"+paperThread+"/diff?to=1", http.StatusOK)
	has(t, "the first version", first, "From nothing to", "7 added")
	if explicit := s.get("/t/"+paperThread+"/diff?from=0&to=1", http.StatusOK); !strings.Contains(explicit, "From nothing to") {
		t.Error("0 is not nothing")
	}
	draft := s.get("/t/"+paperThread+"/diff?to=draft", http.StatusOK)
	has(t, "the draft", draft, "to <a href=\"/t/"+paperThread+"/draft\">draft</a>", "<ins> at night</ins>")
	back := s.get("/t/"+paperThread+"/diff?from=2&to=1", http.StatusOK)
	has(t, "backwards", back, "revived", "removed", "<del> gently</del>")
	same := s.get("/t/"+paperThread+"/diff?from=2&to=2", http.StatusOK)
	has(t, "a version and itself", same, "Nothing changed", "The two hold the same")
}

// Without a script the versions are a list of links, with a step to either side.
func TestHistory(t *testing.T) {
	page := paper(t).get("/t/"+paperThread+"/diff", http.StatusOK)
	has(t, "the list", page, `rel="prev" href="/t/`+paperThread+`/diff?from=0&amp;to=1"`, `rel="next" href="/t/`+paperThread+
		`/diff?from=2&amp;to=draft"`,
		`data-name="v1"`, `data-name="v2" aria-current="true"`, `data-name="draft"`, "1 delta not compiled yet", "Operator")
}
