package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"brenner/internal/artifact"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// TestEveryArgumentIsDescribed walks all tools: a model knows an argument by its description alone.
func TestEveryArgumentIsDescribed(t *testing.T) {
	for _, known := range catalog(All) {
		for _, f := range known.in {
			if f.about == "" || f.kind == "" {
				t.Errorf("%s: %s has no description or type", known.name, f.name)
			}
		}
	}
}

// TestAdviceNamesTools: what the core wants done, an agent on MCP is told as a call of a tool that there is, or as something for a person.
func TestAdviceNamesTools(t *testing.T) {
	var tools []string
	for _, known := range catalog(All) {
		tools = append(tools, known.name)
	}
	actions := 0
	for _, info := range protocol.Codes() {
		findings := []protocol.Finding{protocol.NewFinding(info.Code, "x")}
		if findings[0].Action == nil {
			continue
		}
		actions++
		got := advised(findings)[0].Fix
		_, call, calls := strings.Cut(got, " Call ")
		if calls && !slices.Contains(tools, strings.TrimSuffix(call, ".")) || !calls && !strings.Contains(got, "ask one") &&
			!strings.Contains(got, " Give ") {
			t.Errorf("%s: %q", info.Code, got)
		}
		if findings[0].Fix != info.Fix {
			t.Errorf("%s: the finding of others was changed", info.Code)
		}
	}
	if actions < 10 {
		t.Errorf("only %d codes name what to do", actions)
	}
	for _, name := range toolsByHand {
		if !slices.Contains(tools, name) {
			t.Errorf("there is no tool %s", name)
		}
	}
	for want, action := range map[string]protocol.Action{
		`Do it. Call brenner_compile with {"thread_id":"RS-1"}.`: protocol.OnThread("compile", "RS-1"),
		"Do it. Only a person can do this: ask one.":             protocol.Operation("evidence.add").Giving("file"),
		"Do it. Give exploratory.":                               protocol.Given("exploratory"),
		`Do it. Call reply_message with {"message_id":7}.`:       {Do: "mail.reply", With: protocol.Arguments{Message: 7}},
	} {
		if got := advice("Do it", &action); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestEveryAllowedValueIsShown: what the door takes from a closed set is in the tools of a session.
func TestEveryAllowedValueIsShown(t *testing.T) {
	var shown strings.Builder
	for _, known := range catalog(Session) {
		shown.Write(inputSchema(known.in))
	}
	var values []string
	for _, s := range artifact.Sections() {
		values = append(values, s.String())
		for _, f := range s.Fields() {
			values = append(append(values, f.Name), f.Values...)
		}
	}
	for _, s := range message.Schemas() {
		values = append(values, string(s.Type))
		for _, section := range s.Sections {
			values = append(values, section.Values...)
		}
	}
	values = append(values, protocol.Shorthands()...)
	for _, i := range []message.Importance{message.Low, message.Normal, message.High, message.Urgent} {
		values = append(values, string(i))
	}
	for _, value := range values {
		if !strings.Contains(shown.String(), value) {
			t.Errorf("%q is nowhere", value)
		}
	}
}

// TestSessionIsSmall: about ten tools, so that a model has room to think.
func TestSessionIsSmall(t *testing.T) {
	tools := catalog(Session)
	if n := len(tools); n < 8 || n > 12 {
		t.Errorf("%d tools", n)
	}
	size := 0
	for _, each := range tools {
		data, err := json.Marshal(each.describe(outlook{profile: Session, named: true, placed: true}))
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
	}
	t.Logf("%d tools, %d tokens", len(tools), size/4)
	if size/4 > 4000 {
		t.Errorf("%d tokens", size/4)
	}
}

// TestDeltaSchema: the schema of a delta takes what the door takes and refuses what it cannot be.
func TestDeltaSchema(t *testing.T) {
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(deltaItem), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, valid := range map[string]bool{
		`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"x"},"rationale":"y","local_id":"z"}`: true,
		`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":"x"}}`:                             true,
		`{"operation":"CHANGE","section":"hypothesis_slate","payload":{}}`:                                                        false,
		`{"operation":"ADD","section":"hypotheses","payload":{}}`:                                                                 false,
		`{"operation":"ADD","section":"hypothesis_slate"}`:                                                                        false,
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSubjectsOfSubmissions: whatever an agent calls its contribution and whatever its program, the subject
// that is made of it has no finding in the answer, and the door no error.
func TestSubjectsOfSubmissions(t *testing.T) {
	s := newServer(t, Options{})
	w := &httpWire{url: serve(t, s).URL}
	for i, model := range []string{"opus 4.5", "gpt-5", "llama-3", ""} {
		if _, err := s.projects.home.mail.Register(t.Context(),
			mail.Registration{Name: fmt.Sprintf("Agent%d", i), Program: []string{"claude-code", "codex-cli", "mine", ""}[i],
				Model: model}); err != nil {
			t.Fatal(err)
		}
	}
	delta := `[{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"n","claim":"c","mechanism":"m",` +
		`"anchors":["inference"]},"rationale":"r"}]`
	for _, title := range []string{
		"", "Adds a hypothesis", strings.Repeat("long words ", 30), strings.Repeat("ж", 200), "two\nlines\x01\x7f", "Re: yours",
		"DELTA: mine",
		"DELTA[Claude Opus]: mine", "delta[gpt5]: mine", "\u200b", "COMPILED: v2", "[x]: y",
	} {
		for agent := range 4 {
			answer := callOver(t, w, "brenner_submit", fmt.Sprintf(`{"project_key":"/srv/cells","thread_id":"RS-20260110-titles",`+
				`"sender_name":"Agent%d","to":["Agent0"],"title":%s,"deltas":%s}`, agent, encodeText(title), delta))
			var sent struct {
				Subject  string
				Findings []protocol.Finding
			}
			if err := json.Unmarshal(answer.Structured, &sent); err != nil {
				t.Fatal(err)
			}
			if answer.IsError || !strings.HasPrefix(sent.Subject, "DELTA[") {
				t.Fatalf("%q: %s", title, answer.Structured)
			}
			if slices.ContainsFunc(sent.Findings, func(f protocol.Finding) bool { return f.Path == "subject" }) {
				t.Errorf("%q of Agent%d: %s: %v", title, agent, sent.Subject, sent.Findings)
			}
		}
	}
}
