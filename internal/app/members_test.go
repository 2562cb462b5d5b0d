package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/server"
)

// TestStrangersWriteNothing: with strict identity one letter to oneself opens no thread. Whoever is no member of it can
// send to it by no tool and no route, and reads it no more than before (PROTOCOL 16).
func TestStrangersWriteNothing(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true, Lab: true})
	tokens := map[string]string{}
	for _, name := range []string{"Alpha", "Beta", "Gamma", mail.Operator} {
		token, err := s.keys.Create(t.Context(), server.AgentToken(name))
		if err != nil {
			t.Fatal(err)
		}
		tokens[name] = token
	}
	waitForKeys(t, s, tokens[mail.Operator])
	loose, critique := s.confide(t)
	before, err := s.app.Mail.Thread(t.Context(), secretThread)
	if err != nil {
		t.Fatal(err)
	}
	delta := "## Deltas\n\n```delta\n" +
		`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":"mine"},"rationale":"r"}` + "\n```\n"
	kickoff := "# Mine\n\n## Research Question\n\nWhy?\n\n## Context\n\nBecause.\n"
	tool := func(who, name string, args map[string]any) string {
		args["project_key"] = s.app.Mail.Project().HumanKey
		return s.rpc(t, tokens[who], "tools/call", map[string]any{"name": name, "arguments": args})
	}
	post := func(who, path string, body map[string]any) string {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		_, answer := s.do(t, "POST", "/api/v1"+path, string(text),
			http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + tokens[who]}})
		return answer
	}
	letter := func(subject, body, thread string, to ...string) map[string]any {
		return map[string]any{"sender_name": "Gamma", "to": to, "subject": subject, "body_md": body, "thread_id": thread}
	}
	routed := func(subject, body string, to ...string) map[string]any {
		return map[string]any{"to": to, "subject": subject, "body_md": body, "thread_id": secretThread}
	}
	for name, answer := range map[string]string{
		"to oneself": tool("Gamma", "send_message", letter("INFO: hello", "Hello.", secretThread, "Gamma")),
		"a DELTA":    tool("Gamma", "send_message", letter("DELTA[gpt]: mine", delta, secretThread, "Gamma")),
		"a KICKOFF":  tool("Gamma", "send_message", letter("KICKOFF: mine", kickoff, secretThread, "Gamma")),
		"to members": tool("Gamma", "send_message", letter("INFO: hello", "Hello.", secretThread, "Alpha", "Beta")),
		"spaces":     tool("Gamma", "send_message", letter("INFO: hello", "Hello.", " "+secretThread+" ", "Gamma")),
		"an answer": tool("Gamma", "reply_message",
			map[string]any{"sender_name": "Gamma", "message_id": critique, "body_md": "Hello.", "to": []string{"Gamma"}}),
		"an answer to a note": tool("Gamma", "reply_message",
			map[string]any{"sender_name": "Gamma", "message_id": loose, "body_md": "Hello.", "to": []string{"Gamma"}}),
		"brenner_submit": tool("Gamma", "brenner_submit", map[string]any{"sender_name": "Gamma", "thread_id": secretThread,
			"title": "mine", "body_md": delta}),
		"brenner_result": tool("Gamma", "brenner_result", map[string]any{"sender_name": "Gamma", "thread_id": secretThread, "test": "T1",
			"outcome": "lost"}),
		"brenner_believe": tool("Gamma", "brenner_believe", map[string]any{"sender_name": "Gamma", "thread_id": secretThread,
			"credences": map[string]any{"H1": 1}}),
		"brenner_compile":   tool("Gamma", "brenner_compile", map[string]any{"thread_id": secretThread, "sender_name": "Gamma"}),
		"brenner_critiques": tool("Gamma", "brenner_critiques", map[string]any{"thread_id": secretThread, "sender_name": "Gamma"}),
		"POST /messages":    post("Gamma", "/messages", routed("INFO: hello", "Hello.", "Gamma")),
		"POST a KICKOFF":    post("Gamma", "/messages", routed("KICKOFF: mine", kickoff, "Gamma")),
		"POST an answer": post("Gamma", fmt.Sprintf("/messages/%d/reply", critique),
			map[string]any{"body_md": "Hello.", "to": []string{"Gamma"}}),
		"POST a result":   post("Gamma", "/sessions/"+secretThread+"/results", map[string]any{"test": "T1", "outcome": "lost"}),
		"POST a rebuttal": post("Gamma", fmt.Sprintf("/critiques/%d/answer", critique), map[string]any{"body_md": "No."}),
	} {
		if !strings.Contains(answer, "NOT_FOUND") || strings.Contains(answer, marker) {
			t.Errorf("%s: %.300s", name, answer)
		}
	}
	if now, err := s.app.Mail.Thread(t.Context(), secretThread); err != nil || now.HeadID != before.HeadID {
		t.Errorf("the thread moved from message %d to %d (%v)", before.HeadID, now.HeadID, err)
	}
	if answer := tool("Gamma", "brenner_artifact", map[string]any{"thread_id": secretThread}); strings.Contains(answer, marker) {
		t.Errorf("Gamma reads %.300s", answer)
	}

	// A member may bring in others, in secret too.
	s.send(t, message.Draft{From: "Beta", To: []string{"Alpha"}, Bcc: []string{"Gamma"}, ThreadID: secretThread, Subject: "INFO: come in",
		Body: "Hello."})
	if answer := tool("Gamma", "send_message", letter("INFO: hello", "Hello.", secretThread, "Beta")); strings.Contains(answer,
		"NOT_FOUND") {
		t.Errorf("Gamma was brought in: %.300s", answer)
	}
	if answer := tool("Gamma", "brenner_artifact", map[string]any{"thread_id": secretThread}); !strings.Contains(answer, marker) {
		t.Errorf("Gamma was brought in and reads %.300s", answer)
	}
}
