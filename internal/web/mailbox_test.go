package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/web"
)

// take imports lines as they come from another program.
func (s *mailSite) take(lines ...string) {
	s.t.Helper()
	if _, err := transfer.Import(s.t.Context(), s.Mail(), strings.NewReader(strings.Join(lines, "\n")+"\n")); err != nil {
		s.t.Fatal(err)
	}
}

// TestMessagePage: one message whole, with what only its reader may see.
func TestMessagePage(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	page := s.get("/m/3", 200)
	s.shows(page, "DELTA[gpt]: One way", "From BlueLake", "2 delta blocks ✓ 1 accepted ✕ 1 rejected", `href="/t/`+mailThread+`/v/1#H1"`,
		"Chain hash", "Intake strict", "sent", `href="/m/3/raw"`, `name="reply_to" data-type="number" value="3"`, "Send to BlueLake")
	s.shows(s.get("/m/4", 200), "Artifact hash", "Open v1")
	if raw := s.get("/m/5/raw", 200); !strings.HasPrefix(raw, "# Critique: Too slow\n") {
		t.Errorf("raw text %q", raw)
	}
	s.hides(s.get("/m/7", 200), "GreenValley")
	s.viewer = web.Viewer{Name: "GreenValley"}
	s.shows(s.get("/m/7", 200), "Bcc GreenValley")
	for _, path := range []string{"/m/99", "/m/0", "/m/x", "/m/99/raw", "/m/99999999999999999999"} {
		s.get(path, 404)
	}
	s = newMailSite(t, web.Options{})
	s.play()
	page = s.get("/m/3", 200)
	s.hides(page, "<textarea")
	s.shows(page, "brenner serve --lab")
}

// TestInboxes: every agent's box with what waits in it, the viewer's own first; a token opens its own
// alone.
func TestInboxes(t *testing.T) {
	s := newMailSite(t, web.Options{})
	s.shows(s.get("/inbox", 200), "No agent is registered yet")
	s.play()
	page := s.get("/inbox", 200)
	s.shows(page, "O Operator you", "RedSky", "2 unread", "1 to acknowledge")
	s.now = s.now.Add(time.Hour)
	s.shows(s.get("/inbox", 200), "! 1 overdue")
	s.viewer = web.Viewer{Name: "RedSky"}
	page = s.get("/inbox", 200)
	s.shows(page, "RS RedSky you")
	s.hides(page, "BlueLake")
	s.get("/inbox/BlueLake", 403)
	s.get("/inbox/redsky", 200)
}

// TestInboxPage: filters, pages and acts; looking changes nothing.
func TestInboxPage(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	for i := range 60 {
		s.post(message.Draft{ThreadID: mailThread, From: mail.Operator, To: []string{"BlueLake"}, Subject: fmt.Sprintf("INFO: note %d", i),
			Body: "# N\n\nText.\n"})
	}
	path, count := "/inbox/BlueLake", 0
	for pages := 0; path != ""; pages++ {
		page := s.get(path, 200)
		n := strings.Count(page, `<article class="entry`)
		if count += n; n > 25 || pages > 10 {
			t.Fatalf("%s shows %d", path, n)
		}
		_, rest, found := strings.Cut(page, `<a class="button quiet" href="/inbox/BlueLake?before=`)
		if path = ""; found {
			id, _, _ := strings.Cut(rest, `"`)
			path = "/inbox/BlueLake?before=" + id
		}
	}
	if count != 62 { // its KICKOFF, v1 and the notes
		t.Errorf("%d messages on all pages", count)
	}
	s.shows(s.get("/inbox/RedSky?type=KICKOFF", 200), "● unread", "! overdue", "due 3")
	s.shows(s.get("/inbox/RedSky?show=overdue&type=KICKOFF", 200), "! overdue")
	kickoff := s.get("/inbox/BlueLake?type=KICKOFF", 200)
	s.shows(kickoff, "● unread", "settled by #3", "/api/v1/messages/1/read", "/api/v1/messages/1/ack", "/api/v1/messages/1/reply",
		`name="as" value="BlueLake"`)
	s.shows(s.get("/inbox/Operator?type=CRITIQUE", 200), "/api/v1/critiques/5/answer")
	s.shows(s.get("/inbox/BlueLake?show=overdue&type=KICKOFF", 200), "No mail that is overdue")
	if _, err := s.Mail().Acknowledge(t.Context(), "BlueLake", 1, ""); err != nil {
		t.Fatal(err)
	}
	s.shows(s.get("/inbox/BlueLake?show=overdue", 200), "No mail that is overdue.")
	s.shows(s.get("/inbox/BlueLake?show=owed", 200), "No mail that is to acknowledge.")
	s.hides(s.get("/inbox/BlueLake?show=unread", 200), `id="m1"`)
	received, err := s.Mail().Inbox(t.Context(), mail.InboxQuery{Agent: "BlueLake", Unread: true})
	if err != nil || len(received) != 61 || !received[0].Delivery.DeliveredAt.IsZero() {
		t.Errorf("looking changed what is unread: %d, %v", len(received), err)
	}
	s.get("/inbox/Nobody", 404)
	s.get("/inbox/BlueLake?show=nonsense", 400)
	s = newMailSite(t, web.Options{})
	s.play()
	page := s.get("/inbox/BlueLake", 200)
	s.hides(page, "/api/v1/messages/")
	s.shows(page, "brenner serve --lab")
}

// TestComposePage: templates of every type, answers with what they answer, and the door's own
// validation.
func TestComposePage(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	page := s.get("/compose?type=CRITIQUE&to=BlueLake&thread="+mailThread, 200)
	s.shows(page, `value="CRITIQUE: "`, "## Attack", `name="thread_id" value="`+mailThread+`"`, `data-validate="/api/v1/validate/message"`,
		`<option value="RedSky">`)
	for _, kind := range []string{"KICKOFF", "DELTA", "CRITIQUE", "ACK", "CLAIM", "HANDOFF", "BLOCKED", "QUESTION", "INFO"} {
		s.shows(page, `data-type="`+kind+`"`)
	}
	s.shows(s.get("/compose?reply=5", 200), `value="Re: CRITIQUE: Too slow"`, `name="to" data-type="list" value="RedSky"`,
		`name="reply_to" data-type="number" value="5"`)
	s.get("/compose?reply=99", 404)
	s.get("/compose?type=nonsense", 400)
	s = newMailSite(t, web.Options{})
	page = s.get("/compose", 200)
	s.shows(page, "<button disabled>Send</button>", "brenner serve --lab")
}

// hostileText is text that would act, break out or lay waste to a page if it could.
var hostileText = strings.Join([]string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</textarea><svg onload=alert(1)>`,
	`javascript:alert(1)`, `{{.Data}}`, "\u202egnp.exe\u202c", `<iframe srcdoc="<b>">`, `</details></main><base href=//evil>`,
}, " ")

// TestHostileMail: whatever is in a field is text on every page.
func TestHostileMail(t *testing.T) {
	s := newMailSite(t, web.Options{Lab: true})
	s.play()
	long := strings.Repeat("W", 100_000)
	body := "# " + hostileText + "\n\n" + hostileText +
		"\n\n[link](javascript:alert(1)) ![](data:text/html,x)\n\n| a | b |\n|:-:|--:|\n| " + hostileText +
		" | 2 |\n\n- [ ] task\n\n##### deep\n\n# shallow\n\n" +
		"```delta\n{\"operation\":" + quoted(hostileText) + ",\"section\":" + quoted(hostileText) + ",\"target_id\":" +
		quoted(hostileText) + "}\n```\n\n" + long + "\n"
	line := func(subject, body string) string {
		return fmt.Sprintf(`{"thread_id":%q,"from":"RedSky","to":["Operator"],"subject":%s,"body_md":%s,`+
			`"created_ts":"2026-01-10T08:00:00Z","ack_required":true}`, mailThread, quoted(subject), quoted(body))
	}
	s.take(line("DELTA[x]: "+hostileText, body), line("CRITIQUE: "+hostileText, "# Critique: "+hostileText+"\n\n## Target\n\n**Item**: "+
		hostileText+"\n\n## Attack\n\nx\n\n## Severity\n\n"+hostileText+"\n"),
		line("KICKOFF: "+hostileText, "# K\n\n## Research Question\n\n"+hostileText+"\n"), line(long, long))
	s.post(message.Draft{ThreadID: mailThread, From: "BlueLake", To: []string{mail.Operator}, Subject: "DELTA[gpt]: H",
		Body: addHypothesis(hostileText, hostileText)})
	paths := []string{"/t/" + mailThread, "/t/" + mailThread + "/diagnose", "/inbox", "/inbox/Operator", "/compose?reply=8", "/m/8", "/m/9",
		"/m/10", "/m/11", "/m/12",
		"/compose?subject=" + `%22%3E%3Cscript%3Ealert(1)%3C/script%3E` +
			"&to=%3Cimg%20src=x%20onerror=alert(1)%3E&from=%22onfocus=alert(1)%20x=%22&thread=%3Cscript%3E"}
	for _, path := range paths {
		page := s.get(path, 200)
		s.inert(path, page)
		if len(page) > 700_000 {
			t.Errorf("%s has %d bytes", path, len(page))
		}
	}
	s.shows(s.get("/t/"+mailThread, 200), "the whole message", `href="/m/8/raw"`)
	s.endless()
	if raw := s.get("/m/8/raw", 200); raw != body {
		t.Error("the raw text is not what was sent")
	}
	for _, path := range []string{"/t/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "/inbox/%3Cimg%20src=x%20onerror=alert(1)%3E",
		"/m/%3Cscript%3E"} {
		s.inert(path, s.get(path, 404))
	}
}

// endless sends what has no end, and finds pages of an ordinary size all the same.
func (s *mailSite) endless() {
	s.t.Helper()
	blocks := strings.Repeat("```delta\n{}\n```\n\n", 5000)
	var names []string
	for i := range 400 {
		names = append(names, fmt.Sprintf("Agent%d", i))
	}
	s.take(fmt.Sprintf(`{"thread_id":%q,"from":"RedSky","to":%s,"subject":"DELTA[x]: `+
		`many","body_md":%s,"created_ts":"2026-01-10T08:00:00Z","ack_required":true}`,
		mailThread, `["`+strings.Join(names, `","`)+`"]`, quoted(blocks)))
	for path, want := range map[string]string{"/t/" + mailThread: "4980 more blocks not shown",
		"/t/" + mailThread + "/diagnose": "4980 more blocks", "/m/13": "4800 more blocks", "/inbox/RedSky": ""} {
		page := s.get(path, 200)
		s.shows(page, want)
		if len(page) > 900_000 {
			s.t.Errorf("%s has %d bytes", path, len(page))
		}
	}
	s.shows(s.get("/t/"+mailThread, 200), "and 380 more", "and 3")
}
