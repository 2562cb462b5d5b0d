package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/protocol"
)

// Headers of the transport.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// sessionless is the first version of the protocol that has no sessions: every request is complete
// in itself and says so in its header and metadata.
const sessionless = "2026-07-28"

// gate sorts HTTP requests: those of the sessionless protocol, and those that open a session, go to the SDK; calls
// in a session and bare ones are answered here. The SDK's own sessions live in one process: here any server of
// the store serves any client.
type gate struct {
	server *Server
	sdk    http.Handler
}

// Handler serves MCP over HTTP, at whatever path it is mounted. Host and Origin are
// checked by the server that mounts it. A call may take as long as brenner_wait does, so that a write
// timeout of the http.Server has to be longer than 50 s.
func (s *Server) Handler() http.Handler {
	get := func(*http.Request) *mcp.Server { return s.sdk }
	options := mcp.StreamableHTTPOptions{
		JSONResponse: true, MaxRequestBodyBytes: s.options.MaxBody,
		Logger: quieter(s.options.Logger), DisableLocalhostProtection: true, PropagateRequestCancellation: true, Stateless: true,
	}
	return &gate{server: s, sdk: introduce(mcp.NewStreamableHTTPHandler(get, &options))}
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.server.stopping.Err() != nil {
		writeFault(w, http.StatusServiceUnavailable, nil, newFault(jsonrpc.CodeInternalError, "the server is stopping"))
		return
	}
	who, err := g.server.identify(r)
	if protocol.CodeOf(err) == protocol.InvalidInput {
		writeFault(w, http.StatusBadRequest, nil, faultOf(err, ""))
		return
	}
	if err != nil {
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeFault(w, http.StatusUnauthorized, nil, faultOf(err, ""))
		return
	}
	r = r.Clone(context.WithValue(r.Context(), callerKey{}, who))
	if version := r.Header.Get(versionHeader); version != "" && version < sessionless && !slices.Contains(mcp.SupportedProtocolVersions(),
		version) {
		writeFault(w, http.StatusBadRequest, nil, newFault(jsonrpc.CodeInvalidRequest,
			"protocol version %q is not supported, only %s", version, strings.Join(mcp.SupportedProtocolVersions(), ", ")))
		return
	}
	switch {
	case r.Method == http.MethodPost:
		g.post(w, r, who)
	case (r.Method == http.MethodGet || r.Method == http.MethodDelete) && r.Header.Get(sessionHeader) != "":
		g.stream(w, r, who)
	default: // a stream without a session is not offered
		w.Header().Set("Allow", "POST")
		writeFault(w, http.StatusMethodNotAllowed, nil, newFault(jsonrpc.CodeInvalidRequest, "POST a JSON-RPC message; %s needs a session",
			r.Method))
	}
}

func (g *gate) post(w http.ResponseWriter, r *http.Request, who caller) {
	body, ok := g.read(w, r)
	if !ok {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	messages, batch, f := parseMessages(body)
	if f != nil {
		writeFault(w, http.StatusBadRequest, nil, f)
		return
	}
	first := &messages[0]
	if !batch && first.fault != nil {
		writeFault(w, http.StatusBadRequest, first.id, first.fault)
		return
	}
	modern := r.Header.Get(versionHeader) >= sessionless || speaksModern(first.params)
	switch id := r.Header.Get(sessionHeader); {
	case id != "" && !modern:
		g.inSession(w, r, who, id, messages, batch)
	case modern:
		g.toSDK(&faultWriter{ResponseWriter: w, body: body}, r)
	case !batch && first.method == "initialize":
		g.open(w, r, who, body)
	default:
		g.bare(w, r, who, messages, batch)
	}
}

// read takes the whole request in, within its limits.
func (g *gate) read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if kind := r.Header.Get("Content-Type"); kind != "" {
		if media, _, err := mime.ParseMediaType(kind); err != nil || media != "application/json" {
			writeFault(w, http.StatusUnsupportedMediaType, nil, newFault(jsonrpc.CodeInvalidRequest, "send application/json, not %q", kind))
			return nil, false
		}
	}
	r.Header.Set("Content-Type", "application/json")
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(patience)) // where the server cannot, its own limits hold
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, g.server.options.MaxBody))
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
		return body, true
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		writeFault(w, http.StatusRequestEntityTooLarge, nil, newFault(jsonrpc.CodeInvalidRequest, "the request has more than %d bytes",
			g.server.options.MaxBody))
		return nil, false
	}
	writeFault(w, http.StatusBadRequest, nil, newFault(jsonrpc.CodeParseError, "the request ended early"))
	return nil, false
}

// open lets the SDK answer initialize, and adds the id of a session if it agreed.
func (g *gate) open(w http.ResponseWriter, r *http.Request, who caller, body []byte) {
	agreed := &handshake{}
	r = r.WithContext(context.WithValue(r.Context(), handshakeKey{}, agreed))
	g.toSDK(&faultWriter{ResponseWriter: w, body: body, begin: func(h http.Header) error {
		if !agreed.done.Load() {
			return nil
		}
		id, err := g.server.sessions.open(r.Context(), who.bearer())
		if err == nil {
			h.Set(sessionHeader, id)
		}
		return err
	}}, r)
}

// inSession answers what came in a session.
func (g *gate) inSession(w http.ResponseWriter, r *http.Request, who caller, id string, messages []rpcMessage, batch bool) {
	t, err := g.server.sessions.enter(r.Context(), id, who.bearer())
	if err != nil {
		sessionFault(w, err)
		return
	}
	call := func(m *rpcMessage) (rpcResponse, bool) { return g.call(r, who, t, m) }
	g.answer(w, messages, batch, call, func(m *rpcMessage) {
		if raw := cancelledID(m.params); m.method == "notifications/cancelled" && raw != nil {
			_ = g.server.sessions.cancel(r.Context(), t, idText(raw)) // a call that is not cancelled is answered
		}
	})
}

// call answers a call in a session. It does not end with its connection: a message that was asked for is sent all the
// same. But who waits for mail must not take it from a client that will ask again, and can be cancelled: then
// it is over, and gets no answer.
func (g *gate) call(r *http.Request, who caller, t ticket, m *rpcMessage) (answer rpcResponse, over bool) {
	ctx := context.WithValue(context.WithoutCancel(r.Context()), goneKey{}, r.Context().Done())
	if !g.server.waits(m) {
		return g.server.dispatchIn(ctx, who, t, m), false
	}
	ctx, call, end := g.server.sessions.begin(ctx, t, m.id)
	defer end()
	answer = g.server.dispatchIn(ctx, who, t, m)
	return answer, call.over.Load()
}

// waits tells whether a call is of a tool that waits.
func (s *Server) waits(m *rpcMessage) bool {
	var named struct {
		Name string `json:"name"`
	}
	if m.method != "tools/call" || json.Unmarshal(m.params, &named) != nil {
		return false
	}
	t := s.tools[named.Name]
	return t != nil && t.waits
}

// dispatchIn answers one call in a session.
func (s *Server) dispatchIn(ctx context.Context, who caller, t ticket, m *rpcMessage) rpcResponse {
	var p struct {
		URI string `json:"uri"`
	}
	var err error
	switch m.method {
	case "initialize":
		return m.answer(nil, newFault(jsonrpc.CodeInvalidRequest, "this session was opened before: call initialize without its id"))
	case "resources/subscribe", "resources/unsubscribe":
		if err = decodeParams(m.params, &p); err != nil {
			break
		}
		if m.method == "resources/subscribe" {
			err = s.subscribeIn(ctx, who, t, p.URI)
		} else if err = s.sessions.unsubscribe(ctx, t, p.URI); err != nil {
			err = faultOf(err, p.URI)
		}
	case "logging/setLevel": // nothing is logged to clients, whatever the level
	default:
		return s.dispatch(ctx, who, m)
	}
	if err != nil {
		return m.answer(nil, faultOf(err, ""))
	}
	return m.answer(struct{}{}, nil)
}

// toSDK hands a request on, with the headers that the SDK insists on and clients forget. What it
// refuses in plain text goes out as JSON-RPC.
func (g *gate) toSDK(w *faultWriter, r *http.Request) {
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Del(sessionHeader)
	g.sdk.ServeHTTP(w, r)
	w.finish()
}

// stream lets a client listen in its session, or end it.
func (g *gate) stream(w http.ResponseWriter, r *http.Request, who caller) {
	t, err := g.server.sessions.enter(r.Context(), r.Header.Get(sessionHeader), who.bearer())
	if err == nil && r.Method == http.MethodDelete {
		if err = g.server.sessions.end(r.Context(), t); err == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if err != nil {
		sessionFault(w, err)
		return
	}
	g.listen(w, r, who, t)
}

func unknownMethod(method string) *jsonrpc.Error {
	return newFault(jsonrpc.CodeMethodNotFound, "method %q not found", method)
}
