package web_test

import (
	"strings"
	"testing"

	"brenner/internal/web"
)

// TestPrintHasEverything: the page that Print opens has every item, however many there are.
func TestPrintHasEverything(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	for i := range 30 {
		s.now = s.now.Add(1e9)
		s.send("BlueLake", "DELTA[gpt]: one more", "# Delta\n\n```delta\n"+
			`{"operation":"ADD","section":"adversarial_critique","target_id":null,"payload":{"name":"Attack `+string(rune('A'+i%26))+
			strings.Repeat("x", i/26)+`","attack":"It is wrong.","evidence":"Seen.","current_status":"open"},"rationale":"r"}`+"\n```\n")
	}
	page := s.get("/t/"+mailThread+"/draft", 200)
	s.shows(page, "stand on other pages", `href="?whole=1"`)
	if n := strings.Count(page, `<article class="item`); n >= 30 {
		t.Errorf("%d items on one page", n)
	}
	whole := s.get("/t/"+mailThread+"/draft?whole=1", 200)
	if n := strings.Count(whole, `<article class="item`); n < 30 {
		t.Errorf("%d items in print", n)
	}
	if strings.Contains(whole, "stand on other pages") {
		t.Error("the whole says that it is not whole")
	}
}

// TestProblemsSayWhereToGoOn: an address of each kind has its own advice.
func TestProblemsSayWhereToGoOn(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	said := map[string]bool{}
	for _, path := range []string{"/t/RS-20260110-not-there", "/m/9999", "/inbox/Nobody", "/sections/7"} {
		page := s.get(path, 404)
		if strings.Contains(page, "Check the name.") {
			t.Errorf("%s gives the same advice as any", path)
		}
		_, rest, _ := strings.Cut(page, `<p class="lead">`)
		advice, _, _ := strings.Cut(rest, "NOT_FOUND")
		said[advice] = true
	}
	if len(said) != 4 {
		t.Errorf("%d kinds of advice", len(said))
	}
}

// TestTurnedTextIsMarked: characters that turn text are seen on every page.
func TestTurnedTextIsMarked(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	s.send("BlueLake", "INFO: invoice\u202Egnp.exe", "# Note\n\nRead \u2066this\u2069.\n")
	page := s.get("/t/"+mailThread, 200)
	s.shows(page, "invoice[U+202E]gnp.exe", "Read [U+2066]this[U+2069].")
	if strings.ContainsAny(page, "\u202E\u2066\u2069") {
		t.Error("a turning character is left")
	}
}

// TestMessageStandsInItsSession: the page of a message of a thread is part of the sessions, and its fold has no empty form.
func TestMessageStandsInItsSession(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	if page := s.get("/m/5", 200); !strings.Contains(page, `<a href="/" aria-current="page">Questions</a>`) {
		t.Error("a message of a thread stands under another heading")
	}
	page := s.get("/t/"+mailThread, 200)
	for _, part := range strings.Split(page, "<details")[1:] {
		head, body, _ := strings.Cut(part, "</summary>")
		tag, _, _ := strings.Cut(head, ">")
		if body = strings.TrimSpace(body); strings.HasPrefix(body, `<form class="needs-js"`) && !strings.Contains(tag, "needs-js") {
			t.Errorf("without script this opens to nothing: %.90s", head)
		}
	}
}

// TestSearchFindsItems: a search finds what is in artifacts, and shows no JSON of the messages that wrote it.
func TestSearchFindsItems(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.play()
	page := s.get("/search?q=gravity", 200)
	s.shows(page, "Items and sources", `href="/t/`+mailThread+`/v/1#H1"`, "Gravity", "Messages")
	if strings.Contains(page, "&#34;operation&#34;") || strings.Contains(page, "&quot;operation") {
		t.Error("JSON in a search result")
	}
}
