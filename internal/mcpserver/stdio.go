package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
)

// RunStdio serves one client over a pair of streams, one JSON-RPC message a line, until the
// input ends or the context does. What was asked before the input ended is still answered.
func (s *Server) RunStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	if s.options.As != "" && s.options.Process != nil { // it is there before it calls
		s.attendance.enter(s.projects.home, s.options.As, mail.SourceStdio)
	}
	conn := newLineConn(in, out, s.options.MaxBody)
	defer conn.Close()
	first, err := conn.Read(ctx)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	session, err := s.sdk.Connect(ctx, &startedTransport{conn, first}, greeting(first))
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		_ = conn.Close()
		_ = session.Close()
		<-ended
		err = ctx.Err()
	}
	return err
}

// greeting gives a client that begins without initialize a session as if it had: some never
// call it.
func greeting(first jsonrpc.Message) *mcp.ServerSessionOptions {
	req, ok := first.(*jsonrpc.Request)
	if !ok || !req.IsCall() || req.Method == "initialize" || speaksModern(req.Params) {
		return nil
	}
	return &mcp.ServerSessionOptions{State: &mcp.ServerSessionState{
		InitializeParams: &mcp.InitializeParams{ProtocolVersion: "2025-06-18"}, InitializedParams: &mcp.InitializedParams{},
	}}
}

// startedTransport is a connection whose first message was read already.
type startedTransport struct {
	conn  *lineConn
	first jsonrpc.Message
}

// Connect implements mcp.Transport.
func (t *startedTransport) Connect(context.Context) (mcp.Connection, error) {
	t.conn.unread = t.first
	return t.conn, nil
}

// lineConn is a connection of lines. Unlike the SDK's own it survives a line that is not
// JSON-RPC, and holds the end of its input back until every call was answered.
type lineConn struct {
	out    io.Writer
	lines  chan line
	closed chan struct{}
	close  sync.Once
	unread jsonrpc.Message // only Read touches it

	writing sync.Mutex // orders lines on out

	mu      sync.Mutex
	pending map[jsonrpc.ID]string // methods of calls without an answer
	open    int                   // those, and calls whose answer is being written
	changed chan struct{}         // closed and made anew when a call is answered
}

type line struct {
	text []byte
	err  error
}

func newLineConn(in io.Reader, out io.Writer, longest int64) *lineConn {
	c := &lineConn{
		out: out, lines: make(chan line), closed: make(chan struct{}),
		pending: map[jsonrpc.ID]string{}, changed: make(chan struct{}),
	}
	// A read of a terminal or a pipe cannot be interrupted: this goroutine ends with its
	// input, or with the process.
	go c.scan(in, longest)
	return c
}

func (c *lineConn) scan(in io.Reader, longest int64) {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, min(longest, 64<<10)), int(longest))
	for scanner.Scan() {
		if text := bytes.TrimSpace(scanner.Bytes()); len(text) > 0 && !c.offer(line{text: bytes.Clone(text)}) {
			return
		}
	}
	err := scanner.Err()
	switch {
	case err == nil:
		err = io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		c.complain(newFault(jsonrpc.CodeInvalidRequest, "a line has more than %d bytes", longest))
	}
	c.offer(line{err: err})
}

func (c *lineConn) offer(l line) bool {
	select {
	case c.lines <- l:
		return true
	case <-c.closed:
		return false
	}
}

// Read implements mcp.Connection.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	if first := c.unread; first != nil {
		c.unread = nil
		return first, nil
	}
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if l.err != nil {
				return nil, c.drain(ctx, l.err)
			}
			if m, ok := c.decode(l.text); ok {
				return m, nil
			}
		}
	}
}

// decode reads a line. One that is no message is answered with a fault, and so are calls that
// the SDK would drop the connection for.
func (c *lineConn) decode(text []byte) (jsonrpc.Message, bool) {
	parsed := parseMessage(text)
	var m jsonrpc.Message
	if parsed.fault == nil {
		var err error
		if m, err = jsonrpc.DecodeMessage(text); err != nil {
			parsed.fault = newFault(jsonrpc.CodeInvalidRequest, "%v", err)
		}
	}
	if parsed.fault != nil {
		_ = c.writeLine(parsed.answer(nil, parsed.fault))
		return nil, false
	}
	if req, ok := m.(*jsonrpc.Request); ok {
		if !knownMethods[req.Method] {
			if parsed.id != nil {
				_ = c.writeLine(parsed.answer(nil, unknownMethod(req.Method)))
			}
			return nil, false
		}
		switch {
		case req.IsCall():
			c.mu.Lock()
			c.pending[req.ID] = req.Method
			c.open++
			c.mu.Unlock()
		case req.Method == "notifications/cancelled":
			c.forget(req.Params)
		}
	}
	return m, true
}

// forget lets a call go that its client cancelled: it gets no answer. The handshake cannot be cancelled.
func (c *lineConn) forget(params json.RawMessage) {
	var value any
	if raw := cancelledID(params); raw == nil || json.Unmarshal(raw, &value) != nil {
		return
	}
	id, err := jsonrpc.MakeID(value)
	if err == nil && c.take(id, func(method string) bool { return method != "initialize" }) {
		c.callDone()
	}
}

// take takes a call from those without an answer if it is one of them, and of a method that will do. Clients
// may use an id again as soon as it was answered, so that this comes before the answer.
func (c *lineConn) take(id jsonrpc.ID, will func(method string) bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	method, waits := c.pending[id]
	if !waits || !will(method) {
		return false
	}
	delete(c.pending, id)
	return true
}

// callDone counts a call that was answered or cancelled.
func (c *lineConn) callDone() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	close(c.changed)
	c.changed = make(chan struct{})
}

// complain answers what belongs to no call.
func (c *lineConn) complain(f *jsonrpc.Error) {
	_ = c.writeLine(rpcResponse{Version: "2.0", ID: json.RawMessage("null"), Error: f})
}

// drain waits until every call was answered.
func (c *lineConn) drain(ctx context.Context, end error) error {
	for {
		c.mu.Lock()
		open, changed := c.open, c.changed
		c.mu.Unlock()
		if open == 0 {
			return end
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return end
		}
	}
}

// Write implements mcp.Connection.
func (c *lineConn) Write(_ context.Context, m jsonrpc.Message) error {
	if response, ok := m.(*jsonrpc.Response); ok {
		if !c.take(response.ID, func(string) bool { return true }) {
			return nil // it was cancelled
		}
		defer c.callDone()
	}
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return c.writeRaw(data)
}

func (c *lineConn) writeLine(v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	return c.writeRaw(data)
}

func (c *lineConn) writeRaw(data []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// Close implements mcp.Connection.
func (c *lineConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements mcp.Connection: a pair of streams has one session only.
func (c *lineConn) SessionID() string { return "" }
