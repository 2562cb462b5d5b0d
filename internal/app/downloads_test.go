package app_test

import (
	"net/http"
	"strings"
	"testing"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/server"
	"brenner/internal/session"
)

// TestDownloads: a version leaves through the pages in every form, as a file and never as a page of the server.
func TestDownloads(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true})
	var token string
	for _, name := range []string{"Alpha", "Beta", mail.Operator} {
		var err error
		if token, err = s.keys.Create(t.Context(), server.AgentToken(name)); err != nil {
			t.Fatal(err)
		}
	}
	waitForKeys(t, s, token)
	s.confide(t)
	header := http.Header{"Authorization": {"Bearer " + token}}
	at := "/t/" + secretThread + "/v/1"
	if _, page := s.do(t, "GET", at, "", header); !strings.Contains(page, at+"/download/zip") {
		t.Error("the page of the version offers no crate")
	}
	for form, begins := range map[string]string{
		"md": "---\n", "json": `{"ok":true,"metadata":`, "html": "<!doctype html>", "zip": "PK", "txt": "Beta (", "bib": "@misc{",
		"cff": "cff-version:",
	} {
		code, text := s.do(t, "GET", at+"/download/"+form, "", header)
		if code != http.StatusOK || !strings.HasPrefix(text, begins) {
			t.Errorf("%s: %d %.60q", form, code, text)
		}
		if _, again := s.do(t, "GET", "/t/"+secretThread+"/v/latest/download/"+form, "", header); again != text {
			t.Errorf("%s: other bytes the second time", form)
		}
	}
	for path, want := range map[string]int{"/download/pdf": 404, "/download/": 404} {
		if code, _ := s.do(t, "GET", at+path, "", header); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
	}
	if code, _ := s.do(t, "GET", "/t/"+secretThread+"/v/7/download/md", "", header); code != 404 {
		t.Errorf("a version that does not exist: %d", code)
	}
}

// TestCrateKeepsBlindCopies: with strict identity only the operator takes a crate that names who got a blind copy.
func TestCrateKeepsBlindCopies(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true})
	codes := map[string]int{}
	tokens := map[string]string{}
	for _, name := range []string{"Alpha", "Beta", "Gamma", mail.Operator} {
		var err error
		if tokens[name], err = s.keys.Create(t.Context(), server.AgentToken(name)); err != nil {
			t.Fatal(err)
		}
	}
	waitForKeys(t, s, tokens[mail.Operator])
	s.confide(t)
	s.send(t, message.Draft{From: "Alpha", To: []string{"Beta"}, Bcc: []string{"Gamma"}, ThreadID: secretThread,
		Subject: "DELTA[gpt]: more", Body: "## Deltas\n\n```delta\n" +
			`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"two","claim":"c","mechanism":"m",` +
			`"anchors":["inference"]},"rationale":"r"}` + "\n```\n"})
	if _, err := s.app.Sessions.Compile(t.Context(), session.CompileRequest{ThreadID: secretThread, As: "Alpha"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Beta", mail.Operator} {
		codes[name], _ = s.do(t, "GET", "/t/"+secretThread+"/v/2/download/zip", "",
			http.Header{"Authorization": {"Bearer " + tokens[name]}})
	}
	if codes["Beta"] != http.StatusForbidden || codes[mail.Operator] != http.StatusOK {
		t.Errorf("%v", codes)
	}
}
