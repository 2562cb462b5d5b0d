package mcpserver

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// TestCrowded counts values as JSON has them, not what is in strings.
func TestCrowded(t *testing.T) {
	for text, want := range map[string]bool{
		`[` + strings.Repeat("0,", maxElements-1) + `0]`:            false,
		`[` + strings.Repeat("0,", maxElements) + `0]`:              true,
		`{"a":"` + strings.Repeat(",", 2*maxElements) + `"}`:        false,
		`{"a":"` + strings.Repeat(`\",`, 2*maxElements) + `"}`:      false,
		`{"a":"\\",` + strings.Repeat(`"b":[],`, maxElements) + `}`: true,
		strings.Repeat("[", maxElements+1):                          true,
		`"` + strings.Repeat("[", maxElements+1):                    false,
		`"\`:                                                        false,
	} {
		if crowded([]byte(text)) != want {
			t.Errorf("%.40s: %v", text, !want)
		}
	}
}

// TestHostileRequests: requests of 16 MiB with millions of values, however they are dressed up, are refused
// with a code and cost no more than a few times their size (PROTOCOL 16, bounds).
func TestHostileRequests(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	const size = DefaultMaxBody - 1000
	fill := func(unit string) string { return strings.TrimSuffix(strings.Repeat(unit+",", size/(len(unit)+1)), ",") }
	send := func(to string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message","arguments":{"project_key":"srv-cells",` +
			`"sender_name":"BlueLake","subject":"s","body_md":"b","to":` + to + `}}}`
	}
	for name, body := range map[string]string{
		"a batch":            `[` + fill("0") + `]`,
		"a list":             send(`[` + fill("0") + `]`),
		"a list in a string": send(`"[` + fill("0") + `]"`),
		"names in a string":  send(`"` + fill("a") + `"`),
		"deltas in a string": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brenner_submit",` +
			`"arguments":{"project_key":"srv-cells","sender_name":"BlueLake","thread_id":"FEAT-1","deltas":"[` + fill("{}") + `]"}}}`,
		"metadata": `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
			`"capabilities":{},"clientInfo":{"name":"x","version":"1"},"_meta":{"a":[` + fill("0") + `]}}}`,
		"an address": `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"resource://thread/x?` +
			strings.Repeat("a=b&", size/4) + `"}}`,
		"the name of a tool": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("x", size) + `"}}`,
		"the key of a project": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch_inbox",` +
			`"arguments":{"agent_name":"BlueLake","project_key":"` + strings.Repeat("x", size) + `"}}}`,
		"the name of a recipient": send(`"` + strings.Repeat("x", size) + `"`),
	} {
		t.Run(name, func(t *testing.T) {
			handler, answer := s.Handler(), newRecorder()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			handler.ServeHTTP(answer, req)
			runtime.ReadMemStats(&after)
			if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > 256 {
				t.Errorf("cost %d MiB", spent)
			}
			if text := answer.body.String(); len(text) > 100_000 || !strings.Contains(text, `"error"`) {
				t.Errorf("%d bytes: %s", len(text), fmt.Sprintf("%.300s", text))
			}
		})
	}
}
