package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/web"
)

const mailThread = "RS-20260110-cells-turn"

// mailSite is a site behind a door, with a session full of mail.
type mailSite struct{ *site }

func newMailSite(t testing.TB, options web.Options) *mailSite {
	t.Helper()
	return &mailSite{siteBehind(t, &session.Door{}, options)}
}

// play makes a session: 1 and 2 are kickoffs, 3 a delta with a rejected block, 4 v1, 5 a critique, 6 a
// delta that waits, 7 a direct message with a blind copy.
func (s *mailSite) play() {
	s.t.Helper()
	_, err := s.Start(s.t.Context(), session.StartRequest{
		From: mail.Operator, Question: "Why do cells turn?", Context: "They do. Nobody knows why.", ThreadID: mailThread,
		Roster: session.RosterRequest{Sources: []session.RosterSource{{Origin: "test", Entries: []protocol.RosterEntry{
			{AgentName: "BlueLake", Role: protocol.RoleHypothesisGenerator, Program: "codex-cli"},
			{AgentName: "RedSky", Role: protocol.RoleAdversarialCritic},
		}}}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.send("BlueLake", "DELTA[gpt]: One way", addHypothesis("Gravity", "It pulls.")+
		"\n```delta\n{\"operation\":\"EDIT\",\"section\":\"hypothesis_slate\",\"target_id\":\"H9\",\"payload\":{\"claim\":\"x\"},"+
		"\"rationale\":\"r\"}\n```\n")
	if _, err := s.Compile(s.t.Context(), session.CompileRequest{ThreadID: mailThread, As: mail.Operator}); err != nil {
		s.t.Fatal(err)
	}
	s.send("RedSky", "CRITIQUE: Too slow",
		"# Critique: Too slow\n\n## Target\n\n**Item**: H1\n\n## Attack\n\nGravity is weak.\n\n## Severity\n\nCritical\n")
	s.send("BlueLake", "DELTA[gpt]: Another way", addHypothesis("Light", "It pushes."))
	s.post(message.Draft{From: "BlueLake", To: []string{"RedSky"}, Bcc: []string{"GreenValley"}, Subject: "INFO: Between us",
		Body: "Look."})
}

func (s *mailSite) send(from, subject, body string) int64 {
	s.t.Helper()
	to := mail.Operator
	if from == to {
		to = "BlueLake"
	}
	return s.post(message.Draft{ThreadID: mailThread, From: from, To: []string{to}, Subject: subject, Body: body})
}

func (s *mailSite) post(d message.Draft) int64 {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	if err := s.Mail().EnsureAgents(s.t.Context(), append(append([]string{d.From}, d.To...), d.Bcc...)...); err != nil {
		s.t.Fatal(err)
	}
	sent, err := s.Mail().Send(s.t.Context(), mail.Outgoing{Draft: d})
	if err != nil {
		s.t.Fatalf("%v %v", err, sent.Findings)
	}
	return sent.Message.ID
}

func addHypothesis(name, claim string) string {
	return fmt.Sprintf("# Delta\n\n```delta\n{\"operation\":\"ADD\",\"section\":\"hypothesis_slate\",\"payload\":{\"name\":%s,"+
		"\"claim\":%s,"+
		"\"mechanism\":\"m\",\"anchors\":[\"§1\"]},\"rationale\":\"r\"}\n```\n", quoted(name), quoted(claim))
}

func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // text always encodes
	}
	return string(data)
}

// get fetches a page as a browser does.
func (s *mailSite) get(path string, want int) string {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Accept", "text/html")
	rec := httptest.NewRecorder()
	s.web.ServeHTTP(rec, r)
	if rec.Code != want {
		s.t.Fatalf("%s answers %d, want %d:\n%.600s", path, rec.Code, want, rec.Body)
	}
	page := rec.Body.String()
	if slip := misprinted.FindString(page); slip != "" {
		s.t.Errorf("%s prints %q", path, slip)
	}
	return page
}

// misprinted is what a template writes where it prints a value by a verb that is not its own.
var misprinted = regexp.MustCompile(`%!\w?\([^)]*\)`)

// shows checks that a page has texts, given without their tags and with single spaces.
func (s *mailSite) shows(page string, want ...string) {
	s.t.Helper()
	text := plainText(page)
	for _, w := range want {
		if !strings.Contains(text, w) && !strings.Contains(page, w) {
			s.t.Errorf("the page does not show %q:\n%s", w, text)
		}
	}
}

func (s *mailSite) hides(page string, bad ...string) {
	s.t.Helper()
	for _, b := range bad {
		if strings.Contains(page, b) {
			s.t.Errorf("the page has %q", b)
		}
	}
}

var (
	anyTag   = regexp.MustCompile(`<[a-zA-Z/!][^>]*>`)
	anySpace = regexp.MustCompile(`\s+`)
	anyValue = regexp.MustCompile(`"[^"]*"`)
	active   = regexp.MustCompile(`(href|src|action)="\s*(javascript|data|vbscript):`)
	activity = regexp.MustCompile(`(?i)\s(on[a-z]+|style|srcdoc|formaction)\s*=`)
)

func plainText(page string) string {
	return anySpace.ReplaceAllString(anyTag.ReplaceAllString(page, " "), " ")
}

// inert checks that nothing on a page acts but what the page brings itself.
// ownPicture is how the pictures begin that the page draws itself.
var ownPicture = regexp.MustCompile(`^<svg ((class="[a-z-]+" )?viewBox="0 0 [0-9.]+ [0-9.]+"|class="(defs" width="0" ` +
	`height="0"|i"|sharebar" width="100%") |x="[0-9.]+%" width="[0-9.]+%")`)

func (s *mailSite) inert(path, page string) {
	s.t.Helper()
	for _, tag := range anyTag.FindAllString(page, -1) {
		lower := strings.ToLower(tag)
		switch {
		case strings.HasPrefix(lower, "<script") && !strings.Contains(lower, `src="/assets/`),
			strings.HasPrefix(lower, "<img") && !strings.Contains(lower, `src="/assets/`),
			strings.HasPrefix(lower, "<iframe"), strings.HasPrefix(lower, "<svg") && !ownPicture.MatchString(tag),
			strings.HasPrefix(lower, "<style"), strings.HasPrefix(lower, "<base"),
			active.MatchString(lower), activity.MatchString(anyValue.ReplaceAllString(tag, `""`)):
			s.t.Errorf("%s: %s", path, tag)
		}
	}
}
