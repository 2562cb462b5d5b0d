package foreign

import (
	"bufio"
	"bytes"
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

	"brenner/protocol"
)

// caller speaks MCP over streamable HTTP: the few calls that mail needs. It opens a session where
// the server gives one and goes without where it does not.
type caller struct {
	place  place
	client *http.Client

	mu      sync.Mutex
	begun   bool
	session string
	lastID  int64
}

// The bounds of one call. An answer holds a whole thread at most.
const (
	patience  = 30 * time.Second
	maxAnswer = 256 << 20
)

const protocolVersion = "2025-06-18"

type rpcRequest struct {
	Version string `json:"jsonrpc"`
	ID      *int64 `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

type rpcAnswer struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    struct {
		Code protocol.Code `json:"code"`
	} `json:"data"`
}

// errNoSession says that the server does not know the session any more.
var errNoSession = errors.New("the session has ended")

// call makes one call, opening a session first and again if it was lost.
func (c *caller) call(ctx context.Context, method string, params, result any) error {
	for attempt := 0; ; attempt++ {
		if err := c.begin(ctx); err != nil {
			return err
		}
		answer, err := c.round(ctx, method, params)
		if errors.Is(err, errNoSession) && attempt == 0 {
			c.forget()
			continue
		}
		if err != nil {
			return err
		}
		if answer.Error != nil {
			return answer.Error.failure(method)
		}
		if err := json.Unmarshal(answer.Result, result); err != nil {
			return unavailable("the answer to %s cannot be read: %w", method, err)
		}
		return nil
	}
}

func (c *caller) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun, c.session = false, ""
}

// begin shakes hands, once. A server that knows no initialize is called without.
func (c *caller) begin(ctx context.Context) error {
	c.mu.Lock()
	begun := c.begun
	c.mu.Unlock()
	if begun {
		return nil
	}
	type info struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	answer, err := c.round(ctx, "initialize", struct {
		ProtocolVersion string   `json:"protocolVersion"`
		Capabilities    struct{} `json:"capabilities"`
		ClientInfo      info     `json:"clientInfo"`
	}{ProtocolVersion: protocolVersion, ClientInfo: info{"brenner", "1"}})
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.begun = true
	c.mu.Unlock()
	if answer.Error != nil {
		return nil
	}
	return c.notify(ctx, "notifications/initialized")
}

func (c *caller) notify(ctx context.Context, method string) error {
	res, err := c.post(ctx, rpcRequest{Version: "2.0", Method: method, Params: struct{}{}})
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// round posts a call and waits for its answer.
func (c *caller) round(ctx context.Context, method string, params any) (rpcAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c.mu.Lock()
	c.lastID++
	id := c.lastID
	c.mu.Unlock()
	res, err := c.post(ctx, rpcRequest{Version: "2.0", ID: &id, Method: method, Params: params})
	if err != nil {
		return rpcAnswer{}, err
	}
	defer res.Body.Close()
	if session := res.Header.Get("Mcp-Session-Id"); session != "" {
		c.mu.Lock()
		c.session = session
		c.mu.Unlock()
	}
	answer, err := readAnswer(res, id)
	if err != nil {
		return answer, unavailable("the answer to %s cannot be read: %w", method, err)
	}
	return answer, nil
}

func (c *caller) post(ctx context.Context, request rpcRequest) (*http.Response, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "%w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.place.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "%w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.place.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.place.token)
	}
	c.mu.Lock()
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	if c.begun {
		req.Header.Set("Mcp-Protocol-Version", protocolVersion)
	}
	held := c.session != ""
	c.mu.Unlock()
	res, err := c.client.Do(req)
	if err != nil {
		if ended := context.Cause(ctx); errors.Is(ended, context.Canceled) {
			return nil, ended
		}
		return nil, unavailable("the server at %s cannot be reached: %w", c.place.endpoint, err)
	}
	return checked(res, held)
}

// checked turns statuses into errors.
func checked(res *http.Response, held bool) (*http.Response, error) {
	if res.StatusCode < 300 {
		return res, nil
	}
	text, _ := io.ReadAll(io.LimitReader(res.Body, 300))
	res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound && held:
		return nil, errNoSession
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return nil, protocol.Errorf(protocol.NotAllowed, "the server refuses (%s): %s; %s holds the token", res.Status, text, tokenVariable)
	}
	return nil, unavailable("the server answers %s: %s", res.Status, text)
}

// readAnswer reads plain JSON, or a stream of events up to the answer.
func readAnswer(res *http.Response, id int64) (rpcAnswer, error) {
	body := io.LimitReader(res.Body, maxAnswer)
	var answer rpcAnswer
	if media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); media != "text/event-stream" {
		return answer, json.NewDecoder(body).Decode(&answer)
	}
	lines := bufio.NewReader(body)
	var data strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if text, ok := strings.CutPrefix(line, "data:"); ok {
			data.WriteString(strings.TrimPrefix(text, " "))
		}
		if strings.TrimRight(line, "\r\n") == "" && data.Len() > 0 {
			answer = rpcAnswer{}
			if json.Unmarshal([]byte(data.String()), &answer) == nil && string(answer.ID) == strconv.FormatInt(id, 10) {
				return answer, nil
			}
			data.Reset()
		}
		if err != nil {
			return answer, fmt.Errorf("the stream ended without it: %w", err)
		}
	}
}

// failure makes an error of a fault. A code of ours that came with it is kept.
func (e *rpcError) failure(method string) error {
	if known(e.Data.Code) {
		return protocol.Errorf(e.Data.Code, "%s", e.Message)
	}
	return protocol.Errorf(protocol.Internal, "the server answers %s with fault %d: %s%w", method, e.Code, e.Message, errUncoded)
}

// errUncoded marks a refusal of the server that carries no code of ours. The contract does not
// say how a server tells that something is not there, so that where one thing was asked for such
// a refusal is taken for that.
var errUncoded = errors.New("")

// absent tells whether an error may mean that what was asked for is not there.
func absent(err error) bool {
	return errors.Is(err, errUncoded) || err != nil && protocol.CodeOf(err).Info().Class == protocol.ClassNotFound
}

// known tells whether a code is in our table.
func known(code protocol.Code) bool { return code != "" && code.Info().Meaning != "" }

func unavailable(format string, args ...any) error {
	return protocol.Errorf(protocol.StoreUnavailable, format, args...)
}
