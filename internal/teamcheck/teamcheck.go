// Package teamcheck examines a team's installation from outside, as its clients meet it: through the proxy, with
// and without a token. It writes nothing.
package teamcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"brenner/internal/protocol"
)

// Finding is how one check ended. Without a Fix all is well.
type Finding struct {
	Name    string
	Message string
	Fix     string
	Action  *protocol.Action // what does what the fix says; nil: no operation does
	Warning bool             // worth a look; the installation works
}

// Installation is what is examined.
type Installation struct {
	URL   string // of the proxy, such as https://lab.example
	Token string // of an agent or an operator; empty: only what strangers see is examined
}

// patience is how long an answer may take.
const patience = 5 * time.Second

// rounds is how many requests go to the nodes in turn: more than there are likely to be nodes.
const rounds = 12

// examiner asks; each request comes over a connection of its own, so that a proxy sends it where it likes.
type examiner struct {
	base   *url.URL
	token  string
	client *http.Client
	found  []Finding
}

// Examine goes through the checks. The error says that the address cannot be one.
func Examine(ctx context.Context, in Installation) ([]Finding, error) {
	base, err := url.Parse(strings.TrimSuffix(in.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a server; write it as https://lab.example", in.URL)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	transport.DisableKeepAlives = true
	x := &examiner{base: base, token: in.Token, client: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if !x.reachable(ctx) {
		return x.found, nil
	}
	x.encrypted()
	x.strangers(ctx)
	if x.token == "" {
		x.warn("token", "without a token only what strangers see was examined",
			"give one in AGENT_MAIL_BEARER_TOKEN; a short-lived one of the operator will do")
		x.doing(protocol.Operation("token.create").Giving("operator"))
		return x.found, nil
	}
	if x.admitted(ctx) {
		x.sessions(ctx)
		x.stream(ctx)
		x.largeBody(ctx)
	}
	return x.found, nil
}

func (x *examiner) ok(name, message string) {
	x.found = append(x.found, Finding{Name: name, Message: message})
}
func (x *examiner) warn(name, message, fix string) {
	x.found = append(x.found, Finding{Name: name, Message: message, Fix: fix, Warning: true})
}

// doing says which operation does the last fix.
func (x *examiner) doing(a protocol.Action) { x.found[len(x.found)-1].Action = &a }

func (x *examiner) fail(name, message, fix string) {
	x.found = append(x.found, Finding{Name: name, Message: message, Fix: fix})
}

// answer is the head of what came back.
type answer struct {
	status int
	header http.Header
}

// ask sends a request and waits until its answer has begun.
func (x *examiner) ask(ctx context.Context, method, path string, header map[string]string, body []byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, x.base.String()+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := x.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	// The first byte must come; the rest of a stream would take for ever.
	if _, err := io.CopyN(io.Discard, resp.Body, 1); err != nil && !errors.Is(err, io.EOF) {
		return answer{}, err
	}
	return answer{resp.StatusCode, resp.Header}, nil
}

// bearer is the header of who has the token, with others beside it.
func (x *examiner) bearer(more ...string) map[string]string {
	header := map[string]string{"Authorization": "Bearer " + x.token}
	for pair := range slices.Chunk(more, 2) {
		header[pair[0]] = pair[1]
	}
	return header
}

func (x *examiner) reachable(ctx context.Context) bool {
	if _, err := x.ask(ctx, http.MethodGet, "/login", nil, nil); err != nil {
		x.fail("reachable", fmt.Sprintf("%s does not answer: %v", x.base, err),
			"look at the proxy's error log and at systemctl status 'brenner@*'")
		return false
	}
	x.ok("reachable", x.base.String()+" answers")
	return true
}

func (x *examiner) encrypted() {
	if x.base.Scheme == "https" {
		x.ok("encrypted", "over TLS, with a certificate that this machine trusts")
		return
	}
	x.warn("encrypted", "tokens travel over plain HTTP", "let the proxy end TLS, as deploy/nginx/brenner.conf does")
}

// strangers tries what must not work.
func (x *examiner) strangers(ctx context.Context) {
	attempts := []struct {
		name, path, fix string
		give            string // to the servers
		header          map[string]string
	}{
		{"without a token", "/api/v1/sessions", "start every node with strict identity", "strict-identity", nil},
		{"with a token that was never given", "/api/v1/sessions", "start every node with strict identity", "strict-identity",
			map[string]string{"Authorization": "Bearer brenner_forged"}},
		{"with a person's name that no proxy gave", "/api/v1/sessions",
			"let the proxy set X-Forwarded-User itself, or empty it, as deploy/nginx/brenner.conf does", "",
			map[string]string{"X-Forwarded-User": "doctor"}},
		{"metrics without a token", "/metrics", "let the proxy answer 404 at /metrics, and scrape each node by itself", "", nil},
		{"under another host name", "/api/v1/sessions", "name the host with server_name in the proxy, and at the nodes", "allow-host",
			map[string]string{"Origin": "https://elsewhere.example"}},
	}
	let := 0
	for _, a := range attempts {
		got, err := x.ask(ctx, http.MethodGet, a.path, a.header, nil)
		switch {
		case err != nil:
			x.fail("strangers", fmt.Sprintf("%s: %v", a.name, err), "look at the proxy's error log")
		case got.status == http.StatusOK:
			let++
			x.fail("strangers", a.name+": let in", a.fix)
			if a.give != "" {
				x.doing(protocol.Operation("serve").Giving(a.give))
			}
		}
	}
	if let == 0 {
		x.ok("strangers", fmt.Sprintf("none of %d attempts came in", len(attempts)))
	}
}

func (x *examiner) admitted(ctx context.Context) bool {
	got, err := x.ask(ctx, http.MethodGet, "/api/v1/sessions", x.bearer(), nil)
	if err == nil && got.status == http.StatusOK {
		x.ok("token", "comes in")
		return true
	}
	message := fmt.Sprintf("the token is refused with status %d", got.status)
	if err != nil {
		message = err.Error()
	}
	x.fail("token", message, "make one on a machine that reaches the store")
	x.doing(protocol.Operation("token.create"))
	return false
}

// sessions opens an MCP session and uses it over connections of their own, which the proxy sends to one
// node after the other.
func (x *examiner) sessions(ctx context.Context) {
	const name = "sessions"
	const accept = "application/json, text/event-stream"
	open := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"brenner-doctor","version":"1"}}}`
	got, err := x.ask(ctx, http.MethodPost, "/mcp/", x.bearer("Content-Type", "application/json", "Accept", accept), []byte(open))
	if err != nil || got.status != http.StatusOK {
		x.fail(name, fmt.Sprintf("no MCP session can be opened: status %d, %v", got.status, err), "look at the nodes' logs")
		return
	}
	header := x.bearer("Content-Type", "application/json", "Accept", accept, "Mcp-Protocol-Version", "2025-06-18")
	if id := got.header.Get("Mcp-Session-Id"); id != "" {
		header["Mcp-Session-Id"] = id
	}
	for i := range rounds {
		ping := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i+2)
		got, err := x.ask(ctx, http.MethodPost, "/mcp/", header, []byte(ping))
		if err != nil || got.status != http.StatusOK {
			x.fail(name, fmt.Sprintf("call %d of %d in one session: status %d, %v", i+1, rounds, got.status, err),
				"let all nodes use one store (BRENNER_STORE) and one release")
			return
		}
	}
	x.ok(name, fmt.Sprintf("%d calls of one MCP session over as many connections", rounds))
}

// stream opens the stream of events: its head must come at once, not when a buffer is full.
func (x *examiner) stream(ctx context.Context) {
	got, err := x.ask(ctx, http.MethodGet, "/api/v1/events", x.bearer("Accept", "text/event-stream"), nil)
	switch {
	case err != nil:
		x.fail("stream", fmt.Sprintf("no event within %s: %v", patience, err), "proxy_buffering off, as deploy/nginx/brenner.conf has it")
	case got.status != http.StatusOK:
		x.fail("stream", fmt.Sprintf("events are refused with status %d", got.status), "look at the nodes' logs")
	default:
		x.ok("stream", "events come through at once")
	}
}

// largeBody sends as much as the largest message may need.
func (x *examiner) largeBody(ctx context.Context) {
	body := append([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"filling":"`), bytes.Repeat([]byte("x"), 6<<20)...)
	body = append(body, `"}}}`...)
	got, err := x.ask(ctx, http.MethodPost, "/mcp/",
		x.bearer("Content-Type", "application/json", "Accept", "application/json, text/event-stream"), body)
	if err != nil || got.status == http.StatusRequestEntityTooLarge {
		x.fail("large messages", fmt.Sprintf("6 MiB do not pass: status %d, %v", got.status, err),
			"client_max_body_size 16m, as deploy/nginx/brenner.conf has it")
		return
	}
	x.ok("large messages", "6 MiB pass the proxy")
}
