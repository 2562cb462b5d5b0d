package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect opens a session of the official client, at a version of the protocol.
func connect(tb testing.TB, url, version string, options *mcp.ClientOptions) *mcp.ClientSession {
	tb.Helper()
	transport := &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: options == nil}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options).
		Connect(tb.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = session.Close() })
	return session
}

func callWith(tb testing.TB, session *mcp.ClientSession, tool string, arguments any) *mcp.CallToolResult {
	tb.Helper()
	result, err := session.CallTool(tb.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		tb.Fatal(err)
	}
	return result
}

// TestClientsSideBySide lets the official client at every version, and one that knows no
// handshake, use the same server at once.
func TestClientsSideBySide(t *testing.T) {
	s := newServer(t, Options{})
	web := serve(t, s)
	populate(t, s, "BlueLake")
	bare := &httpWire{url: web.URL}
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			session := connect(t, web.URL, version, nil)
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != len(s.tools) {
				t.Fatalf("%d tools, %v", len(tools.Tools), err)
			}
			result := callWith(t, session, "send_message", map[string]any{
				"project_key": "srv-cells", "sender_name": "BlueLake", "to": "BlueLake", "subject": "INFO: from " + version, "body_md": "x",
			})
			if result.IsError {
				t.Fatalf("%v", result.Content[0])
			}
			found := callOver(t, bare, "search_messages", fmt.Sprintf(`{"project_key":"srv-cells","query":%q}`, version))
			var list listing[struct{ Subject string }]
			if err := json.Unmarshal(found.Structured, &list); err != nil || len(list.Result) != 1 {
				t.Errorf("%v: %s", err, found.Structured)
			}
			read, err := session.ReadResource(t.Context(),
				&mcp.ReadResourceParams{URI: "resource://inbox/BlueLake?project=/srv/cells&limit=1"})
			if err != nil || !strings.Contains(read.Contents[0].Text, version) {
				t.Errorf("inbox: %v", err)
			}
			if read.CacheScope == "public" {
				t.Error("an inbox may be cached by anybody")
			}
			listed, err := session.ListResources(t.Context(), nil)
			if err != nil || len(listed.Resources) != 2 {
				t.Errorf("resources: %v, %v", listed, err)
			}
			if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "resource://thread/none"}); err == nil {
				t.Error("a thread that is not there was read")
			}
			checkPrompts(t, session)
		})
	}
}

func checkPrompts(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	prompts, err := session.ListPrompts(t.Context(), nil)
	if err != nil || len(prompts.Prompts) != 3 {
		t.Fatalf("prompts: %v, %v", prompts, err)
	}
	for _, p := range prompts.Prompts {
		got, err := session.GetPrompt(t.Context(),
			&mcp.GetPromptParams{Name: p.Name, Arguments: map[string]string{"thread_id": "RS-1", "agent_name": "BlueLake"}})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Messages[0].Content.(*mcp.TextContent).Text
		if !strings.Contains(text, "BlueLake") || !strings.Contains(text, "RS-1") || !strings.Contains(text, "```delta") {
			t.Errorf("%s: %s", p.Name, text)
		}
	}
	if _, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "emperor"}); err == nil {
		t.Error("a prompt that is not there was given")
	}
}

// TestSubscriptions: who subscribed to an artifact, a thread or an inbox hears of changes, over
// sessions and over the sessionless protocol.
func TestSubscriptions(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", sessionless} {
		t.Run(version, func(t *testing.T) {
			s := newServer(t, Options{})
			web := serve(t, s)
			populate(t, s, "BlueLake", "RedSky")
			updated := make(chan string, 16)
			session := connect(t, web.URL, version, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { updated <- req.Params.URI },
			})
			uris := []string{
				"brenner://artifact/" + thread, "brenner://artifact/" + thread + "?project=%2Fsrv%2Fcells",
				"resource://inbox/RedSky?project=/srv/cells", "resource://thread/" + thread,
			}
			for _, uri := range uris {
				if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
					t.Fatal(err)
				}
			}
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "resource://nothing/x"}); err == nil &&
				version < sessionless {
				t.Error("subscribed to nothing")
			}
			w := &httpWire{url: web.URL}
			kickoff(t, w)
			heard(t, updated, uris[2], uris[3])
			contribute(t, w, "BlueLake", "Torque")
			heard(t, updated, uris[2], uris[3])
			callOver(t, w, "brenner_compile", `{"project_key":"srv-cells","thread_id":"`+thread+`","sender_name":"Operator"}`)
			heard(t, updated, uris...)
			if err := session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uris[0]}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// heard waits for notifications about exactly these addresses, in any order.
func heard(t *testing.T, updated <-chan string, uris ...string) {
	t.Helper()
	want := map[string]bool{}
	for _, uri := range uris {
		want[uri] = true
	}
	for len(want) > 0 {
		select {
		case uri := <-updated:
			if !want[uri] {
				t.Errorf("heard of %s", uri)
			}
			delete(want, uri)
		case <-time.After(10 * time.Second):
			t.Fatalf("never heard of %v", want)
		}
	}
}

const thread = "RS-20260110-turning-cells"

// kickoff opens a session by mail.
func kickoff(tb testing.TB, w wire) {
	tb.Helper()
	kickoffWith(tb, w, `["BlueLake","RedSky"]`)
}

// contribute submits one hypothesis.
func contribute(tb testing.TB, w wire, from, name string) {
	tb.Helper()
	result := callOver(tb, w, "brenner_submit",
		fmt.Sprintf(`{"project_key":"srv-cells","thread_id":%q,"sender_name":%q,"title":%q,"deltas":[{"operation":"ADD",
		"section":"hypothesis_slate","payload":{"name":%q,"claim":"It is %s","mechanism":"m","anchors":["§3"]},"rationale":"r"}]}`, thread,
			from, name, name, name))
	if result.IsError {
		tb.Fatal(result.Content[0].Text)
	}
}

// TestStopLetsGo: a server that stops ends streams and waits at once.
func TestStopLetsGo(t *testing.T) {
	s := newServer(t, Options{})
	web := serve(t, s)
	populate(t, s, "BlueLake")
	session := connect(t, web.URL, "2025-11-25",
		&mcp.ClientOptions{ResourceUpdatedHandler: func(context.Context, *mcp.ResourceUpdatedNotificationRequest) {}})
	if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "resource://inbox/BlueLake"}); err != nil {
		t.Fatal(err)
	}
	answered := make(chan callResult, 1)
	go func() {
		answered <- callOver(t, &httpWire{url: web.URL}, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake"}`)
	}()
	for !s.followers.of(s.projects.home).hasWaiters() {
		runtime.Gosched()
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if result := <-answered; !strings.Contains(string(result.Structured), "nothing_yet") {
		t.Errorf("the wait ended with %s", result.Structured)
	}
	response, err := http.Post(web.URL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("after the end: %s %s", response.Status, body)
	}
}
