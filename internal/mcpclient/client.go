// Package mcpclient makes the calls of an MCP client, over streamable HTTP or over the stdio of a
// program that it starts: a few lines of JSON-RPC, for the parts of this module that need to ask an
// MCP server something. Serving MCP is another package's job.
package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"brenner/internal/protocol"
)

// patience is how long one call may take unless Options say otherwise.
const patience = 30 * time.Second

// maxAnswer bounds an answer, in bytes: a whole thread at most.
const maxAnswer = 256 << 20

// The versions of the protocol that are spoken: the first that has no sessions, and one before it for servers that do not know that.
const (
	sessionless = "2026-07-28"
	withSession = "2025-06-18"
)

// Client calls one server: without a session if the server knows the protocol that has none. With others it opens a session where the
// server gives one and goes without where it does not. Safe for concurrent use. Close it.
type Client struct {
	wire     wire
	patience time.Duration

	mu     sync.Mutex
	begun  bool
	modern bool // it knows the sessionless protocol
	lastID int64
}

// wire carries calls to a server.
type wire interface {
	// round sends a request and returns its answer, within the time of the context.
	round(ctx context.Context, r request) (answer, error)
	// notify sends a request that has no answer.
	notify(ctx context.Context, r request) error
	// opened says that a session was begun; forget that it is lost.
	opened()
	forget()
	close() error
}

type request struct {
	Version string `json:"jsonrpc"`
	ID      *int64 `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params"`

	modern bool   // it belongs to the sessionless protocol
	name   string // of what is called or read; empty: nothing has one
}

type answer struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *fault          `json:"error"`
}

// errNoSession says that the server does not know the session any more.
var errNoSession = errors.New("the session has ended")

// Call makes one call, opening a session first and again if it was lost.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	got, err := c.attempt(ctx, method, params)
	if errors.Is(err, errNoSession) {
		c.forget()
		got, err = c.attempt(ctx, method, params)
	}
	switch {
	case errors.Is(err, errNoSession):
		return unavailable("the server ends every session that it begins: %w", err)
	case err != nil:
		return err
	case got.Error != nil:
		return got.Error.failure(method)
	}
	var kind struct {
		Type string `json:"resultType"`
	}
	if json.Unmarshal(got.Result, &kind) == nil && kind.Type != "" && kind.Type != "complete" {
		return protocol.Errorf(protocol.Waiting, "the server answers %s with %s: a person has to answer it first", method,
			protocol.Brief(kind.Type))
	}
	if err := json.Unmarshal(got.Result, result); err != nil {
		return unavailable("the answer to %s cannot be read: %w", method, err)
	}
	return nil
}

// attempt makes a call in the session, which it opens if there is none.
func (c *Client) attempt(ctx context.Context, method string, params any) (answer, error) {
	modern, err := c.begin(ctx)
	if err != nil {
		return answer{}, err
	}
	if !modern {
		return c.round(ctx, request{Method: method, Params: params})
	}
	r, err := sessionlessRequest(method, params)
	if err != nil {
		return answer{}, err
	}
	return c.round(ctx, r)
}

// Close ends the connection and, over stdio, the server.
func (c *Client) Close() error { return c.wire.close() }

func (c *Client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = false
	c.wire.forget()
}

// begin finds out once how the server is spoken to. The sessionless protocol has no handshake: a server that tells what it is speaks it.
// With any other hands are shaken; one that knows no initialize either is called without.
func (c *Client) begin(ctx context.Context) (modern bool, err error) {
	c.mu.Lock()
	begun, modern := c.begun, c.modern
	c.mu.Unlock()
	if begun {
		return modern, nil
	}
	if modern, err = c.discover(ctx); err != nil {
		return false, err
	}
	if !modern {
		err = c.initialize(ctx)
	}
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun, c.modern = true, modern
	return modern, nil
}

// hesitation is how long a server may take to say that it knows the sessionless protocol. Some that do not say nothing.
const hesitation = 5 * time.Second

// discover tells whether the server knows the sessionless protocol.
func (c *Client) discover(ctx context.Context) (bool, error) {
	r, err := sessionlessRequest("server/discover", struct{}{})
	if err != nil {
		return false, err
	}
	soon, cancel := context.WithTimeout(ctx, hesitation)
	defer cancel()
	got, err := c.round(soon, r)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil || got.Error != nil {
		var status statusError
		if err == nil || errors.As(err, &status) || errors.Is(err, context.DeadlineExceeded) {
			return false, nil
		}
		return false, err
	}
	var told struct {
		Versions []string `json:"supportedVersions"`
	}
	return json.Unmarshal(got.Result, &told) == nil && slices.Contains(told.Versions, sessionless), nil
}

// initialize shakes hands.
func (c *Client) initialize(ctx context.Context) error {
	got, err := c.round(ctx, request{Method: "initialize", Params: struct {
		ProtocolVersion string         `json:"protocolVersion"`
		Capabilities    struct{}       `json:"capabilities"`
		ClientInfo      implementation `json:"clientInfo"`
	}{ProtocolVersion: withSession, ClientInfo: self}})
	if err != nil || got.Error != nil {
		return err
	}
	c.wire.opened()
	return c.wire.notify(ctx, request{Version: "2.0", Method: "notifications/initialized", Params: struct{}{}})
}

// round makes a call and waits for its answer.
func (c *Client) round(ctx context.Context, r request) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	c.mu.Lock()
	c.lastID++
	id := c.lastID
	c.mu.Unlock()
	r.Version, r.ID = "2.0", &id
	return c.wire.round(ctx, r)
}

func unavailable(format string, args ...any) error {
	return protocol.Errorf(protocol.StoreUnavailable, format, args...)
}
