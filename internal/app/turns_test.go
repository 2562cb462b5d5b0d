//go:build unix

package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// hostile is a stream in which everything that an agent can write tries to be more than text.
const hostile = `{"type":"system","subtype":"init","model":"<b>opus</b>"}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"<script>alert(1)</script>",` +
	`"input":{"a":"</pre><script>alert(2)</script>"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","content":"<img src=x onerror=alert(3)> \u202egnp",` +
	`"is_error":true}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"` + "```delta\\n{\\\"operation\\\":\\\"ADD\\\"," +
	"\\\"section\\\":\\\"anomaly_register\\\",\\\"payload\\\":{\\\"name\\\":\\\"n\\\",\\\"observation\\\":\\\"o\\\"," +
	"\\\"conflicts_with\\\":[\\\"H1\\\"],\\\"status\\\":\\\"active\\\"},\\\"rationale\\\":\\\"r\\\"}\\n```" + `"}]}}
{"type":"result","subtype":"success","result":"x","total_cost_usd":0.25,"usage":{"input_tokens":10,"output_tokens":4}}
`

// TestTurnsOnTheWeb: what programs did is shown as text, and a message leads to the turn that wrote it.
func TestTurnsOnTheWeb(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	root := s.app.Project.Root
	if err := os.WriteFile(filepath.Join(root, "stream"), []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	started, err := s.app.Sessions.Start(t.Context(), session.StartRequest{
		From: mail.Operator, Question: "Why does the tide turn?", Context: "Notes.",
		Roster: session.RosterRequest{Sources: []session.RosterSource{{Origin: "test", Entries: []protocol.RosterEntry{{
			AgentName: "BlueLake", Role: protocol.Roles()[0], Program: "streams", Model: "gpt",
		}}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := runner.Run(t.Context(), runner.Options{
		Sessions: s.app.Sessions, ThreadID: started.ThreadID, As: mail.Operator, Root: root, Brenner: []string{"/bin/false"},
		Kept:     runner.Kept{Rounds: 1, Deadline: time.Minute},
		Programs: program.NewCatalog(map[string]program.Template{"streams": {Headless: []string{"cat", filepath.Join(root, "stream")}}}),
	})
	if err != nil || len(report.Rounds[0].Agents[0].Messages) != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	get := func(path string, want int) string {
		t.Helper()
		status, body := s.do(t, "GET", path, "", http.Header{})
		if status != want {
			t.Fatalf("%s: %d", path, status)
		}
		return body
	}
	thread := "/t/" + started.ThreadID
	turn := thread + "/turns/1/BlueLake"
	if page := get(thread, http.StatusOK); !strings.Contains(page, thread+"/turns") {
		t.Error("the session does not lead to its turns")
	}
	if page := get(thread+"/turns", http.StatusOK); !strings.Contains(page, turn) || !strings.Contains(page, "1 call, 1 failed") ||
		!strings.Contains(page, "14 tokens, $0.25") {
		t.Errorf("%s", page)
	}
	page := get(turn, http.StatusOK)
	for _, want := range []string{"&lt;script&gt;alert(1)", "&lt;/pre&gt;&lt;script&gt;alert(2)", "&lt;img src=x", "[U+202E]",
		"You are BlueLake in the research session"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"<script>alert", "<img src=x", "<b>opus", "\u202e"} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %q", never)
		}
	}
	if page := get("/m/"+strconv.FormatInt(report.Rounds[0].Agents[0].Messages[0], 10), http.StatusOK); !strings.Contains(page, turn) {
		t.Error("the message does not lead to its turn")
	}
	get(thread+"/turns/2/BlueLake", http.StatusNotFound)
	get(thread+"/turns/1/..%2f..%2fBlueLake", http.StatusNotFound)
	get("/t/RS-20260110-not-there/turns", http.StatusNotFound)
}
