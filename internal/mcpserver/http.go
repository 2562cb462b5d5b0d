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

	"brenner/protocol"
)

// Headers of the transport.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// sessionless is the first version of the protocol that has no sessions: every request stands
// for itself and says so in its header and metadata.
const sessionless = "2026-07-28"

// gate sorts HTTP requests: those with a session, and those that open one, go to the SDK; so do
// those of the sessionless protocol; bare calls are answered here.
type gate struct {
	server   *Server
	sessions http.Handler // the SDK, with sessions
	modern   http.Handler // the SDK, without
	calls    calls
}

// Handler serves MCP over HTTP, at whatever path it is mounted. Host and Origin are the
// business of whoever mounts it. A call may take as long as brenner_wait does, so that a write
// timeout of the http.Server has to be longer than 50 s.
func (s *Server) Handler() http.Handler {
	get := func(*http.Request) *mcp.Server { return s.sdk }
	options := mcp.StreamableHTTPOptions{
		JSONResponse: true, MaxRequestBodyBytes: s.options.MaxBody,
		Logger: quieter(s.options.Logger), DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	}
	modern := options
	modern.Stateless = true
	return &gate{
		server: s, sessions: introduce(mcp.NewStreamableHTTPHandler(get, &options)), modern: introduce(mcp.NewStreamableHTTPHandler(get, &modern)),
		calls: calls{byID: map[callID]*underWay{}},
	}
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
	if version := r.Header.Get(versionHeader); version != "" && version < sessionless && !slices.Contains(mcp.SupportedProtocolVersions(), version) {
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
		writeFault(w, http.StatusMethodNotAllowed, nil, newFault(jsonrpc.CodeInvalidRequest, "POST a JSON-RPC message; %s needs a session", r.Method))
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
	if id := r.Header.Get(sessionHeader); id != "" {
		g.inSession(w, r, who, id, body, messages)
		return
	}
	switch {
	case r.Header.Get(versionHeader) >= sessionless || speaksModern(first.params):
		g.toSDK(&faultWriter{ResponseWriter: w, body: body}, r, g.modern)
	case !batch && first.method == "initialize":
		g.toSDK(&faultWriter{ResponseWriter: w, body: body}, r, g.sessions)
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
		writeFault(w, http.StatusRequestEntityTooLarge, nil, newFault(jsonrpc.CodeInvalidRequest, "the request has more than %d bytes", g.server.options.MaxBody))
		return nil, false
	}
	writeFault(w, http.StatusBadRequest, nil, newFault(jsonrpc.CodeParseError, "the request ended early"))
	return nil, false
}

// inSession answers what came in a session.
func (g *gate) inSession(w http.ResponseWriter, r *http.Request, who caller, session string, body []byte, messages []rpcMessage) {
	leave, own := g.server.visits.enter(session, who)
	defer leave()
	first := &messages[0]
	if own && len(messages) == 1 && g.quick(w, r, who, first) {
		return
	}
	var under *underWay
	if own && first.id != nil && first.method != "" {
		under = g.calls.begin(session, first.id)
		defer under.end()
	}
	if own && first.method == "notifications/cancelled" {
		g.calls.cancel(session, first.params)
	}
	g.toSDK(&faultWriter{ResponseWriter: w, body: body, call: under}, r, g.sessions) // which reads the message for itself
}

// toSDK hands a request on, with the headers that the SDK insists on and clients forget. What it
// refuses in plain text goes out as JSON-RPC.
func (g *gate) toSDK(w *faultWriter, r *http.Request, sdk http.Handler) (accepted bool) {
	r.Header.Set("Accept", "application/json, text/event-stream")
	sdk.ServeHTTP(w, r)
	w.finish()
	return w.status == 0
}

// stream lets a client listen in its session, or end it.
func (g *gate) stream(w http.ResponseWriter, r *http.Request, who caller) {
	id := r.Header.Get(sessionHeader)
	leave, _ := g.server.visits.enter(id, who)
	defer leave()
	if g.toSDK(&faultWriter{ResponseWriter: w}, r, g.sessions) && r.Method == http.MethodDelete {
		g.server.visits.forget(id)
	}
}

// quick answers the call of a tool in a session without the SDK, which would read and write each
// several times. Tools that wait are left to it: they can be cancelled. As in the SDK, a call in a
// session does not end with its connection.
func (g *gate) quick(w http.ResponseWriter, r *http.Request, who caller, m *rpcMessage) bool {
	if m.fault != nil || m.method != "tools/call" || m.id == nil ||
		r.Header.Get(versionHeader) >= sessionless || speaksModern(m.params) {
		return false
	}
	var named struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(m.params, &named) != nil {
		return false
	}
	if t := g.server.tools[named.Name]; t == nil || t.waits { // an unknown one is its business too
		return false
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	defer context.AfterFunc(g.server.stopping, cancel)()
	writeAnswer(w, g.server.dispatch(ctx, who, m))
	return true
}

func unknownMethod(method string) *jsonrpc.Error {
	return newFault(jsonrpc.CodeMethodNotFound, "method %q not found", method)
}
