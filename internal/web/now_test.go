package web_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/web"
)

// TestNowIsPaged: beyond a page it does not grow, and every open question is on one.
func TestNowIsPaged(t *testing.T) {
	s := newSite(t, web.Options{Lab: true})
	const sessions = 23
	for i := range sessions {
		s.begin(fmt.Sprintf("RS-20260110-cells-%03d", i), fmt.Sprintf("Why do cells turn in assay %03d?", i), "BlueLake")
	}
	seen := map[string]int{}
	for page := 1; page <= 3; page++ {
		html := s.see(fmt.Sprintf("/now?page=%d", page))
		if n := strings.Count(html, `class="ses"`); n > 10 {
			t.Errorf("page %d has %d questions", page, n)
		}
		for i := range sessions {
			seen[fmt.Sprint(i)] += strings.Count(html, fmt.Sprintf(`dir="auto">Why do cells turn in assay %03d?</a></h3>`, i))
		}
	}
	for i := range sessions {
		if seen[fmt.Sprint(i)] != 1 {
			t.Errorf("question %d is shown %d times", i, seen[fmt.Sprint(i)])
		}
	}
}

// TestNowActsInPlace: what waits opens beside the page with its text and a field, and then comes the next one. A question first, wherever
// its session stands.
func TestNowActsInPlace(t *testing.T) {
	s := newSite(t, web.Options{Lab: true})
	for i := range 12 {
		s.begin(fmt.Sprintf("RS-20260110-cells-%03d", i), fmt.Sprintf("Why do cells turn in assay %03d?", i), "BlueLake")
	}
	ask := func(thread, subject string) int64 {
		sent, err := s.Mail().Send(t.Context(), mail.Outgoing{Draft: message.Draft{
			ThreadID: thread, From: "BlueLake", To: []string{mail.Operator}, Subject: "QUESTION: " + subject,
			Body: "# Question\n\n## Question\n\nWhich *dish*?\n",
		}})
		if err != nil {
			t.Fatal(err)
		}
		return sent.Message.ID
	}
	first, second := ask("RS-20260110-cells-000", "Which dish?"), ask("RS-20260110-cells-001", "Which day?")
	page := s.see("/now")
	s.expect(page, "BlueLake asks you", "asks a question", "Why do cells turn in assay 000?")
	for _, word := range []string{"process ", "KICKOFF", "DELTA", "pid"} {
		if strings.Contains(page[strings.Index(page, "<main"):strings.Index(page, "</main>")], word) {
			t.Errorf("the page says %q", word)
		}
	}
	open := func(thread string, id int64) string {
		return s.see("/now?do=" + url.QueryEscape(fmt.Sprintf("reply/%s/bluelake/%d/0", thread, id)))
	}
	html := open("RS-20260110-cells-000", first)
	s.expect(html, fmt.Sprintf(`data-api="POST /api/v1/messages/%d/reply"`, first),
		"<em>dish</em>", ">Which dish?<", "1 of 2 that wait", "next: BlueLake asks you", fmt.Sprintf("%d%%2F0", second))
	if html := open("RS-20260110-cells-000", 999); strings.Contains(html, "drawer-h") {
		t.Error("something opens that does not wait")
	}
	locked := web.New(s.deps, web.Options{})
	s.web = locked
	if html := open("RS-20260110-cells-000", first); strings.Contains(html, "data-api") || !strings.Contains(html, "Read-only") {
		t.Error("a page that may not write offers a form")
	}
}
