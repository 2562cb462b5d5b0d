package mcpclient

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"brenner/internal/protocol"
)

// HTTPOptions say where a server is and how to get in.
type HTTPOptions struct {
	Endpoint  string
	Token     string        // of the Authorization header; empty: none
	TokenHint string        // where a person puts the token, for a refusal
	Client    *http.Client  // nil: the default one
	Patience  time.Duration // with one call; 0: half a minute
}

// HTTP makes a client of a server at an address. Nothing is sent before the first call.
func HTTP(o HTTPOptions) *Client {
	if o.Client == nil {
		o.Client = http.DefaultClient
	}
	return &Client{wire: &httpWire{options: o}, patience: cmp.Or(o.Patience, patience)}
}

type httpWire struct {
	options HTTPOptions

	mu      sync.Mutex
	open    bool
	session string
}

func (w *httpWire) opened() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = true
}

func (w *httpWire) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open, w.session = false, ""
}

func (w *httpWire) close() error {
	w.options.Client.CloseIdleConnections()
	return nil
}

func (w *httpWire) notify(ctx context.Context, r request) error {
	res, err := w.post(ctx, r)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func (w *httpWire) round(ctx context.Context, r request) (answer, error) {
	res, err := w.post(ctx, r)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	if session := res.Header.Get("Mcp-Session-Id"); session != "" {
		w.mu.Lock()
		w.session = session
		w.mu.Unlock()
	}
	got, err := readAnswer(res, *r.ID)
	if err != nil {
		return got, unavailable("the answer to %s cannot be read: %w", r.Method, err)
	}
	return got, nil
}

func (w *httpWire) post(ctx context.Context, r request) (*http.Response, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "%w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.options.Endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "%w", err)
	}
	held := w.sign(req, &r)
	res, err := w.options.Client.Do(req)
	if err != nil {
		if ended := context.Cause(ctx); errors.Is(ended, context.Canceled) {
			return nil, ended
		}
		return nil, unavailable("the server at %s cannot be reached: %w", w.options.Endpoint, err)
	}
	return w.checked(res, held)
}

// sign sets the headers of a call and tells whether it belongs to a session.
func (w *httpWire) sign(req *http.Request, r *request) (held bool) {
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if w.options.Token != "" {
		req.Header.Set("Authorization", "Bearer "+w.options.Token)
	}
	if r.modern { // so that who routes it need not read it
		req.Header.Set("Mcp-Protocol-Version", sessionless)
		req.Header.Set("Mcp-Method", r.Method)
		if r.name != "" {
			req.Header.Set("Mcp-Name", r.name)
		}
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session != "" {
		req.Header.Set("Mcp-Session-Id", w.session)
	}
	if w.open {
		req.Header.Set("Mcp-Protocol-Version", withSession)
	}
	return w.session != ""
}

// checked turns statuses into errors.
func (w *httpWire) checked(res *http.Response, held bool) (*http.Response, error) {
	if res.StatusCode < 300 {
		return res, nil
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	res.Body.Close()
	text := body[:min(len(body), 300)]
	var told answer
	switch {
	case held && (res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusBadRequest &&
		bytes.Contains(bytes.ToLower(text), []byte("session"))):
		return nil, errNoSession
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return nil, protocol.Errorf(protocol.NotAllowed, "the server refuses (%s): %s; %s holds the token", res.Status, text,
			w.options.TokenHint)
	case res.StatusCode < http.StatusInternalServerError && json.Unmarshal(body, &told) == nil && told.Error != nil && told.Error.Code != 0:
		res.Body = io.NopCloser(bytes.NewReader(body)) // a fault of the call is its answer, whatever the status
		return res, nil
	}
	return nil, unavailable("the server answers %s: %s%w", res.Status, text, statusError(res.StatusCode))
}

// statusError marks what a server answered that could be reached.
type statusError int

// Error implements error: the status is said already.
func (statusError) Error() string { return "" }

// readAnswer reads plain JSON, or a stream of events up to the answer.
func readAnswer(res *http.Response, id int64) (answer, error) {
	body := io.LimitReader(res.Body, maxAnswer)
	var got answer
	if media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); media != "text/event-stream" {
		return got, json.NewDecoder(body).Decode(&got)
	}
	lines := bufio.NewReader(body)
	var data strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if text, ok := strings.CutPrefix(line, "data:"); ok {
			data.WriteString(strings.TrimPrefix(text, " "))
		}
		if (strings.TrimRight(line, "\r\n") == "" || err != nil) && data.Len() > 0 {
			got = answer{}
			if json.Unmarshal([]byte(data.String()), &got) == nil && got.answers(id) {
				return got, nil
			}
			data.Reset()
		}
		if err != nil {
			return got, fmt.Errorf("the stream ended without it: %w", err)
		}
	}
}

// answers tells whether this is the answer to a call; some servers make a text of the number.
func (a *answer) answers(id int64) bool {
	return strings.Trim(string(a.ID), `"`) == strconv.FormatInt(id, 10)
}
