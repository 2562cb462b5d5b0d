package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"brenner/internal/evidence"
	"brenner/internal/literature"
	"brenner/internal/protocol"
	"brenner/internal/web"
)

// pack is one source with an excerpt; hostile text stays text.
func pack(text string) *evidence.Library {
	content := evidence.Content{Raw: text, Text: evidence.NewText(text, evidence.Written)}
	return &evidence.Library{Pack: &evidence.Pack{Sources: []*evidence.Source{{
		ID: "EV-001", Title: "<script>Notes</script>", Source: "https://example.org/1", Kind: evidence.KindSource, File: "EV-001.txt",
		Text:   "EV-001.txt",
		SHA256: strings.Repeat("a", 64), Indexed: true,
		Excerpts: []evidence.Excerpt{{ID: "E1", Text: "They lose it when moved early.", From: 2, To: 2}},
		Open:     func() evidence.Content { return content },
	}}}}
}

func TestEvidencePages(t *testing.T) {
	s := newMailSite(t, web.Options{})
	has(t, "without a pack", s.get("/evidence", http.StatusOK), "no evidence pack yet", "brenner evidence add FILE")
	s.library = pack("Cells keep their fate when moved late.\nThey lose it when moved early.\n")
	page := s.get("/evidence?q=moved+EARLY", http.StatusOK)
	has(t, "the list", page, `href="/evidence/EV-001"`, "&lt;script&gt;Notes", "EV-001#E1", `href="/evidence/EV-001?from=2#L2"`)
	lacks(t, "the list", page, "<script>Notes")
	has(t, "a search for nothing", s.get("/evidence?q=zebra", http.StatusOK), "No source has all these words")
	page = s.get("/evidence/EV-001", http.StatusOK)
	has(t, "the source", page, `id="L2"`, `<li id="E1">`, "They lose it when moved early.", "EV-001#E1", strings.Repeat("a", 64), "2 lines")
	s.get("/evidence/EV-009", http.StatusNotFound)
	s.library.Pack.Sources[0].Open = func() evidence.Content {
		return evidence.Content{Wrong: []protocol.Finding{protocol.NewFinding(protocol.EVQ02, "EV-001: evidence/EV-001.txt is gone.")}}
	}
	s.library = &evidence.Library{Pack: s.library.Pack}
	has(t, "a changed source", s.get("/evidence/EV-001", http.StatusOK), "EV-Q02", "is gone", "no text to compare")
}

// Support is shown beside each item; a quote that is not in its source is among what lint says, and goes when the
// pack has it.
func TestSupportBesideItems(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.library = pack("Nothing of the kind.\n")
	s.writePaper()
	s.contribute(paperThread, "BlueLake", block("EDIT", "hypothesis_slate", "H2", fields{"mechanism": "\"Cells keep their fate\" (EV-001)"},
		"r"))
	page := s.get("/t/"+paperThread+"/draft", http.StatusOK)
	has(t, "the draft", page, "EV-Q01")
	has(t, "H2", element(t, page, "article", "H2"), `data-support="cited"`)
	s.library = pack("Cells keep their fate.\n")
	page = s.get("/t/"+paperThread+"/draft", http.StatusOK)
	lacks(t, "the draft", page, "EV-Q01")
	has(t, "H2", element(t, page, "article", "H2"), `data-support="quoted"`)
	has(t, "T1", element(t, page, "article", "T1"), "Record a result", `name="test" value="T1"`, "/results")
	s = newMailSite(t, web.Options{})
	s.writePaper()
	lacks(t, "outside the lab", s.get("/t/"+paperThread+"/draft", http.StatusOK), "Record a result")
}

// The page of a source says where it stands, how it is cited, and what rests on it.
func TestSourcePageFollowsARetraction(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.library = pack("Cells keep their fate.\n")
	has(t, "a source that nothing cites", s.get("/evidence/EV-001", http.StatusOK), "Nothing in this project cites it", "not looked up")
	source := s.library.Pack.Sources[0]
	source.Status, source.StatusNote = evidence.Retracted, "<b>by its editors</b>"
	source.Cite = &literature.Item{Title: "Fate <maps>", Author: []literature.Name{{Family: "Doe", Given: "Jane"}}, DOI: "10.1000/x<y>"}
	s.writePaper()
	s.contribute(paperThread, "BlueLake", block("EDIT", "hypothesis_slate", "H2", fields{"mechanism": "\"Cells keep their fate\" (EV-001)"},
		"r"))
	page := s.get("/evidence/EV-001", http.StatusOK)
	has(t, "the source", page, "<strong>retracted</strong>", "&lt;b&gt;by its editors", "Jane Doe. Fate &lt;maps&gt;.",
		`href="https://doi.org/10.1000/x%3Cy%3E"`,
		">H2</a>", "quotes it", "still stands on it", `<mark>Cells keep their fate<sup>1</sup></mark>`, "word for word",
		"<b>H2</b> still stand on it", paperThread)
	lacks(t, "the source", page, "<b>by its editors")
	has(t, "the list", s.get("/evidence", http.StatusOK), `<span class="chip warn">retracted</span>`)
}

// The file of a source is something to save, whatever it holds, and its entry is there as BibTeX.
func TestSourceHandsOutFileAndEntry(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.library = pack("Cells keep their fate.\n")
	s.get("/evidence/EV-001/file", http.StatusNotFound)
	lacks(t, "a source without its file", s.get("/evidence/EV-001", http.StatusOK), "open the file")
	source := s.library.Pack.Sources[0]
	source.File, source.Bytes = "EV-001.html", func() []byte { return []byte("<script>alert(1)</script>") }
	source.Cite = &literature.Item{Type: "article-journal", Title: "Fate maps", Author: []literature.Name{{Family: "Doe", Given: "Jane"}}}
	s.library = &evidence.Library{Pack: s.library.Pack}
	has(t, "the source", s.get("/evidence/EV-001", http.StatusOK), `<a href="/evidence/EV-001/file" download>open the file</a>`,
		`<a href="/evidence/EV-001/bib" download>BibTeX</a>`)
	for path, want := range map[string][2]string{
		"/evidence/EV-001/file": {"attachment; filename=EV-001.html", "<script>alert(1)</script>"},
		"/evidence/EV-001/bib":  {"attachment; filename=EV-001.bib", "@article{EV-001,"},
	} {
		rw := httptest.NewRecorder()
		s.web.ServeHTTP(rw, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		h := rw.Header()
		if h.Get("Content-Disposition") != want[0] || h.Get("Content-Type") != "application/octet-stream" ||
			h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasSuffix(h.Get("Content-Security-Policy"), "sandbox") ||
			!strings.HasPrefix(rw.Body.String(), want[1]) {
			t.Errorf("%s: %v %q", path, h, rw.Body)
		}
	}
	for _, path := range []string{"/evidence/EV-009/file", "/evidence/EV-009/bib"} {
		s.get(path, http.StatusNotFound)
	}
}

// What is quoted and not there is told apart, and a picture is shown and nothing else is.
func TestSourceShowsFalseQuotesAndFigures(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.library = pack("The medium was not free of phosphate: its salts brought in three micromoles.\nIt was kept warm.\n")
	s.writePaper()
	s.contribute(paperThread, "BlueLake",
		block("EDIT", "hypothesis_slate", "H2", fields{"mechanism": "\"The medium was free of phosphate\" (EV-001)"}, "r"),
		block("EDIT", "hypothesis_slate", "H3", fields{"mechanism": "\"in three micromoles. It was kept\" (EV-001)"}, "r"))
	page := s.get("/evidence/EV-001", http.StatusOK)
	has(t, "the source", page, "Quoted from it, and not in it", "The medium was free of phosphate",
		"<mark>in three micromoles.\n</mark>", "<mark>It was kept<sup>1</sup></mark>")
	s.get("/evidence/EV-001/figure", http.StatusNotFound)
	for data, status := range map[string]int{"\x89PNG\r\n\x1a\n": http.StatusOK, "<html><script>alert(1)</script>": http.StatusNotFound} {
		s.library.Pack.Sources[0].Figure = func() []byte { return []byte(data) }
		s.library = &evidence.Library{Pack: s.library.Pack}
		s.get("/evidence/EV-001/figure", status)
	}
	has(t, "the source", s.get("/evidence/EV-001", http.StatusOK), `<img src="/evidence/EV-001/figure"`)
}
