package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"brenner/internal/web"
)

func reference(thread, item, relation string) fields {
	return fields{"session": thread, "item": item, "relation": relation}
}

func TestGenealogy(t *testing.T) {
	s := paper(t)
	has(t, "without references", s.get("/genealogy", http.StatusOK), "No item refers to another one yet")
	s.open(laterThread, "And plants?")
	s.contribute(laterThread, "RedSky",
		hypothesis("Plants too", "They turn.",
			fields{"references": []fields{reference(paperThread, "H2", "extends"), reference("RS-20250101-lost", "H7", "informed_by")}}),
		hypothesis("Not by weight", "They float.", fields{"references": []fields{reference(paperThread, "H1", "refutes")}}))
	s.publish(laterThread)

	page := s.get("/genealogy", http.StatusOK)
	has(t, "the picture", page, "<svg", `class="node killed" href="/t/`+paperThread+`/v/latest?item=H1#H1"`, `class="node missing"`,
		`class="edge loose" data-relation="informed_by"`,
		`data-relation="refutes"`, `data-canvas tabindex="0"`)
	lacks(t, "the picture", page, "<style", "style=")
	has(t, "the table", page, "extended by", "Plants too", "(not there)")
	has(t, "what leads nowhere", page, "References that lead nowhere yet", "RS-20250101-lost#H7")

	focus := s.get("/genealogy?focus="+laterThread+"%23H2", http.StatusOK)
	has(t, "the focus", focus, "node centre", "Not by weight")
	lacks(t, "the focus", focus, "Plants too")
	has(t, "a session", s.get("/genealogy?focus="+laterThread, http.StatusOK), `<option value="`+laterThread+`" selected>`)
}

// A circle passes no door of ours; without one it is what a store of another kind may hold.
func TestGenealogyInACircle(t *testing.T) {
	s := &mailSite{newSite(t, web.Options{})}
	s.open(paperThread, "First?")
	s.open(laterThread, "Second?")
	s.contribute(paperThread, "BlueLake", hypothesis("One", "a", fields{"references": []fields{reference(laterThread, "H1", "extends")}}))
	s.contribute(laterThread, "BlueLake", hypothesis("Two", "b", nil))
	s.contribute(laterThread, "BlueLake",
		block("EDIT", "hypothesis_slate", "H1", fields{"references": []fields{reference(paperThread, "H1", "refines")}}, "r"))
	page := s.get("/genealogy", http.StatusOK)
	has(t, "the circle", page, "References in a circle", "left out", paperThread+"#H1")
}

// A graph of thousands is shown around its focus, and the page says so.
func TestLargeGenealogy(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.open(paperThread, "How many?")
	for k := range 10 {
		var blocks []string
		for i := range 60 {
			n := k*60 + i
			payload := fields{"name": fmt.Sprint("Link ", n), "statement": "s", "load": "l", "test": "t", "status": "unchecked"}
			if n > 0 {
				payload["references"] = []fields{reference(paperThread, fmt.Sprint("A", n), "refines")}
			}
			blocks = append(blocks, block("ADD", "assumption_ledger", "", payload, "r"))
		}
		s.contribute(paperThread, "BlueLake", blocks...)
	}
	page := s.get("/genealogy?focus="+paperThread+"%23A300", http.StatusOK)
	has(t, "the page", page, "120 items of 600", "The table has all of them", "1–60 of 600")
	if n := strings.Count(page, `<a class="node`); n != 120 {
		t.Errorf("%d items are drawn, want 120", n)
	}
	has(t, "the last page", s.get("/genealogy?page=10", http.StatusOK), "541–600 of 600")
}
