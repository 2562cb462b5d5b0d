package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/server"
	"brenner/internal/session"
)

// marker is in everything that Alpha and Beta write to each other, and nowhere else.
const marker = "quokka"

// secretThread is a session of Alpha and Beta.
const secretThread = "RS-20260110-private"

// rpc calls a method of MCP without any handshake and returns the whole answer.
func (s *served) rpc(t *testing.T, token, method string, params any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	_, text := s.do(t, "POST", "/mcp", string(body),
		http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}})
	return text
}

func (s *served) send(t *testing.T, draft message.Draft) mail.Message {
	t.Helper()
	v, err := s.app.Mail.Send(t.Context(), mail.Outgoing{Draft: draft})
	if err != nil {
		t.Fatal(err)
	}
	return v.Message
}

// confide makes a session of Alpha and Beta with a delta, a critique and a version, and a message beside it.
func (s *served) confide(t *testing.T) (loose, critique int64) {
	t.Helper()
	if _, err := s.app.Sessions.Start(t.Context(), session.StartRequest{
		From: "Alpha", Question: "Why does the " + marker + " smile?", Context: "The " + marker + " does.", Excerpt: "> smile (§1), " +
			marker, ThreadID: secretThread,
		Roster: session.RosterRequest{Recipients: []string{"Beta"}},
	}); err != nil {
		t.Fatal(err)
	}
	delta := "## Deltas\n\n```delta\n" + `{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"` + marker +
		`","claim":"` + marker + ` mouth","mechanism":"` + marker +
		` bones","anchors":["inference"],"third_alternative":true},"rationale":"r"}` + "\n```\n"
	s.send(t, message.Draft{From: "Beta", To: []string{"Alpha"}, ThreadID: secretThread, Subject: "DELTA[gpt]: " + marker, Body: delta})
	if _, err := s.app.Sessions.Compile(t.Context(), session.CompileRequest{ThreadID: secretThread, As: "Alpha"}); err != nil {
		t.Fatal(err)
	}
	critique = s.send(t, message.Draft{
		From: "Beta", To: []string{"Alpha"}, ThreadID: secretThread, Subject: "CRITIQUE: " + marker,
		Body: "## Target\n\nH1\n\n## Attack\n\nThe " + marker + " does not smile.\n\n## Evidence\n\nnone\n\n## Severity\n\nmoderate\n",
	}).ID
	loose = s.send(t, message.Draft{From: "Alpha", To: []string{"Beta"}, Subject: "QUESTION: " + marker, Body: "## Question\n\nDid the " +
		marker + " smile?"}).ID
	return loose, critique
}

// addresses are all that the API and the pages can be asked for about a thread and its messages.
func addresses(messages ...int64) []string {
	list := []string{
		"/", "/?q=smile", "/search?q=smile", "/genealogy", "/genealogy?focus=" + secretThread, "/inbox", "/inbox/Alpha", "/compose",
		"/compose?thread=" + secretThread, "/start?thread=" + secretThread,
		"/api/v1/sessions", "/api/v1/sessions?q=smile", "/api/v1/acks", "/api/v1/acks?thread=" + secretThread,
		"/api/v1/agents?liveness=true",
		"/api/v1/agents/Alpha/why", "/api/v1/agents/Alpha/inbox", "/api/v1/search?q=smile", "/api/v1/search?q=smile&thread=" + secretThread,
		"/api/v1/genealogy", "/api/v1/genealogy?focus=" + secretThread, "/api/v1/palette?q=smile", "/api/v1/palette",
	}
	for _, page := range []string{
		"", "/v/1", "/draft", "/diff", "/diagnose", "/v/1/download/md", "/v/1/download/json", "/v/1/download/html", "/v/1/download/zip",
		"/v/latest/download/bib",
	} {
		list = append(list, "/t/"+secretThread+page)
	}
	for _, part := range []string{"", "/messages", "/artifact", "/artifact?format=md", "/history", "/diff", "/blame", "/lint",
		"/diagnose?fix=true", "/critiques", "/acks"} {
		list = append(list, "/api/v1/sessions/"+secretThread+part)
	}
	for _, id := range messages {
		list = append(list, fmt.Sprintf("/m/%d", id), fmt.Sprintf("/m/%d/raw", id), fmt.Sprintf("/compose?reply_to=%d", id),
			fmt.Sprintf("/compose?reply=%d", id),
			fmt.Sprintf("/api/v1/messages/%d", id), fmt.Sprintf("/api/v1/critiques/%d", id))
	}
	return list
}

// TestStrangersReadNothing: with strict identity an agent reads the threads it takes part in and mail from or to it,
// over every surface; the rest is not there (PROTOCOL 16).
func TestStrangersReadNothing(t *testing.T) {
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
	everything := func(who string) map[string]string {
		answers := map[string]string{}
		for _, at := range addresses(loose, critique) {
			_, answers[at] = s.do(t, "GET", at, "", http.Header{"Authorization": {"Bearer " + tokens[who]}})
		}
		key := s.app.Mail.Project().HumanKey
		for tool, args := range map[string]map[string]any{
			"search_messages": {"query": "smile"}, "summarize_thread": {"thread_id": secretThread, "include_examples": true},
			"brenner_artifact": {"thread_id": secretThread}, "brenner_diff": {"thread_id": secretThread},
			"brenner_history": {"thread_id": secretThread}, "brenner_diagnose": {"thread_id": secretThread, "fix": true},
			"brenner_blame":        {"thread_id": secretThread},
			"brenner_critiques":    {"thread_id": secretThread},
			"brenner_compile":      {"thread_id": secretThread, "dry_run": true, "include_artifact": true},
			"macro_prepare_thread": {"thread_id": secretThread, "program": "p", "model": "m", "agent_name": who, "include_bodies": true},
			"brenner_why":          {"agent_name": "Alpha"}, "brenner_agents": {"thread_id": secretThread},
			"reply_message": {"message_id": loose, "sender_name": who, "body_md": "x"}, "brenner_status": {},
		} {
			args["project_key"] = key
			answers[tool] = s.rpc(t, tokens[who], "tools/call", map[string]any{"name": tool, "arguments": args})
		}
		for _, uri := range []string{"resource://thread/" + secretThread + "?include_bodies=true",
			fmt.Sprintf("resource://message/%d", loose), "brenner://artifact/" + secretThread} {
			answers[uri] = s.rpc(t, tokens[who], "resources/read", map[string]any{"uri": uri})
		}
		return answers
	}
	for at, answer := range everything("Gamma") {
		if strings.Contains(answer, marker) {
			t.Errorf("Gamma reads %s: %.300s", at, answer)
		}
		if (strings.HasPrefix(at, "/") || at == "search_messages" || at == "brenner_status") && !strings.Contains(at, secretThread) &&
			strings.Contains(answer, secretThread) {
			t.Errorf("Gamma learns of the thread at %s", at)
		}
		if strings.HasPrefix(at, "/api/v1/sessions/") && !strings.Contains(answer, "NOT_FOUND") {
			t.Errorf("%s: %.200s", at, answer)
		}
	}
	hidden := 0
	for _, answer := range everything("Beta") {
		if strings.Contains(answer, marker) {
			hidden++
		}
	}
	if hidden < 30 { // each of these could have given it away
		t.Errorf("only %d answers show the thread to one who takes part", hidden)
	}
	if answer := s.rpc(t, tokens["Gamma"], "resources/list", struct{}{}); strings.Contains(answer, secretThread) {
		t.Errorf("listed: %s", answer)
	}
	if answer := s.rpc(t, tokens["Beta"], "resources/list", struct{}{}); !strings.Contains(answer, secretThread) {
		t.Errorf("not listed: %s", answer)
	}
}

// TestStrangersHearNothing: the stream of events leaves out what may not be read.
func TestStrangersHearNothing(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true})
	tokens := map[string]string{}
	for _, name := range []string{"Alpha", "Beta", "Gamma"} {
		token, err := s.keys.Create(t.Context(), server.AgentToken(name))
		if err != nil {
			t.Fatal(err)
		}
		tokens[name] = token
	}
	waitForKeys(t, s, tokens["Gamma"])
	heard := s.knock(t, "GET", "/api/v1/events", "Authorization", "Bearer "+tokens["Gamma"])
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(heard.body); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	<-lines // it listens
	s.confide(t)
	last := s.send(t, message.Draft{From: "Alpha", To: []string{"Gamma"}, Subject: "INFO: hello", Body: "x"}).ID
	for deadline := time.After(30 * time.Second); ; {
		select {
		case line := <-lines:
			if !strings.HasPrefix(line, "data:") {
				continue
			}
			if !strings.Contains(line, fmt.Sprintf(`"message_id":%d,`, last)) {
				t.Errorf("heard %s", line)
				continue
			}
			return
		case <-deadline:
			t.Fatal("its own mail is not told")
		}
	}
}
