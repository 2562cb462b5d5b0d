// Package mcpclient makes the calls of an MCP client, over streamable HTTP or over the stdio of a
// program that it starts: a few lines of JSON-RPC, for the parts of this module that need to ask an
// MCP server something. Serving MCP is another package's job.
package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"brenner/internal/protocol"
)

// patience is how long one call may take unless Options say otherwise.
const patience = 30 * time.Second

// maxAnswer bounds an answer, in bytes: a whole thread at most.
const maxAnswer = 256 << 20

const protocolVersion = "2025-06-18"

// Client calls one server. It opens a session where the server gives one and goes without where it
// does not. Safe for concurrent use. Close it.
type Client struct {
	wire     wire
	patience time.Duration

	mu     sync.Mutex
	begun  bool
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
	if err := json.Unmarshal(got.Result, result); err != nil {
		return unavailable("the answer to %s cannot be read: %w", method, err)
	}
	return nil
}

// attempt makes a call in the session, which it opens if there is none.
func (c *Client) attempt(ctx context.Context, method string, params any) (answer, error) {
	if err := c.begin(ctx); err != nil {
		return answer{}, err
	}
	return c.round(ctx, method, params)
}

// Close ends the connection and, over stdio, the server.
func (c *Client) Close() error { return c.wire.close() }

func (c *Client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = false
	c.wire.forget()
}

// begin shakes hands, once. A server that knows no initialize is called without.
func (c *Client) begin(ctx context.Context) error {
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
	got, err := c.round(ctx, "initialize", struct {
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
	if got.Error != nil {
		return nil
	}
	c.wire.opened()
	return c.wire.notify(ctx, request{Version: "2.0", Method: "notifications/initialized", Params: struct{}{}})
}

// round makes a call and waits for its answer.
func (c *Client) round(ctx context.Context, method string, params any) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	c.mu.Lock()
	c.lastID++
	id := c.lastID
	c.mu.Unlock()
	return c.wire.round(ctx, request{Version: "2.0", ID: &id, Method: method, Params: params})
}

func unavailable(format string, args ...any) error {
	return protocol.Errorf(protocol.StoreUnavailable, format, args...)
}
