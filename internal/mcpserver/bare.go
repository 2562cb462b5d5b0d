package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bare answers requests that came without any handshake. There is no session: a call ends when
// its client goes, and what only a session can have is refused.
func (g *gate) bare(w http.ResponseWriter, r *http.Request, who caller, messages []rpcMessage, batch bool) {
	g.answer(w, messages, batch, func(m *rpcMessage) (rpcResponse, bool) { return g.server.dispatch(r.Context(), who, m), false }, ignored)
}

// ignored is for notifications: those without a session concern nothing.
func ignored(*rpcMessage) {}

// answer answers messages outside the SDK, in a session or without one. call answers a call, unless it is over; heard
// takes a notification.
//
//nolint:revive // batch is what the client sent, not a mode
func (g *gate) answer(w http.ResponseWriter, messages []rpcMessage, batch bool, call func(m *rpcMessage) (answer rpcResponse, over bool),
	heard func(m *rpcMessage)) {
	answers := []rpcResponse{}
	for i := range messages {
		m := &messages[i]
		switch {
		case m.fault != nil:
			answers = append(answers, m.answer(nil, m.fault))
		case m.id == nil && bareMethods[m.method] != nil:
			writeFault(w, http.StatusBadRequest, nil, newFault(jsonrpc.CodeInvalidRequest, "%s is a call and needs an id", m.method))
			return
		case m.id == nil:
			heard(m)
		case m.method == "": // a response to what was never asked
		default:
			if answer, over := call(m); !over {
				answers = append(answers, answer)
			} else if !batch { // the specification wants a stream here, without the answer
				w.Header().Set("Content-Type", "text/event-stream")
				w.WriteHeader(http.StatusOK)
				return
			}
		}
	}
	switch {
	case len(answers) == 0:
		w.WriteHeader(http.StatusAccepted)
	case batch:
		writeJSON(w, http.StatusOK, answers)
	default:
		writeAnswer(w, answers[0])
	}
}

// bareMethods are the calls that need no session.
var bareMethods = map[string]func(ctx context.Context, s *Server, who caller, params json.RawMessage) (any, error){
	"ping": func(context.Context, *Server, caller, json.RawMessage) (any, error) { return struct{}{}, nil },
	"tools/list": func(_ context.Context, s *Server, who caller, _ json.RawMessage) (any, error) {
		return &mcp.ListToolsResult{Tools: s.listingFor(who), Cacheable: lasting}, nil
	},
	"tools/call": bareCall,
	"resources/list": func(ctx context.Context, s *Server, who caller, _ json.RawMessage) (any, error) {
		return s.listResources(ctx, who)
	},
	"resources/templates/list": func(context.Context, *Server, caller, json.RawMessage) (any, error) {
		return &mcp.ListResourceTemplatesResult{ResourceTemplates: templates, Cacheable: lasting}, nil
	},
	"resources/read": bareRead,
	"prompts/list": func(context.Context, *Server, caller, json.RawMessage) (any, error) {
		return &mcp.ListPromptsResult{Prompts: promptList(), Cacheable: lasting}, nil
	},
	"prompts/get":         barePrompt,
	"completion/complete": bareCompletion,
}

func bareCall(ctx context.Context, s *Server, who caller, params json.RawMessage) (any, error) {
	var call struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := decodeParams(params, &call); err != nil {
		return nil, err
	}
	result, err := s.callTool(ctx, who, call.Name, call.Arguments)
	if err != nil {
		return nil, err
	}
	return result.encoded(), nil
}

func bareRead(ctx context.Context, s *Server, who caller, params json.RawMessage) (any, error) {
	var read struct {
		URI string `json:"uri"`
	}
	if err := decodeParams(params, &read); err != nil {
		return nil, err
	}
	return s.readResource(ctx, who, read.URI)
}

func barePrompt(ctx context.Context, s *Server, _ caller, params json.RawMessage) (any, error) {
	var get struct {
		Name      string            `json:"name"`
		Arguments map[string]string `json:"arguments"`
	}
	if err := decodeParams(params, &get); err != nil {
		return nil, err
	}
	return s.getPrompt(ctx, get.Name, get.Arguments)
}

func bareCompletion(ctx context.Context, s *Server, who caller, params json.RawMessage) (any, error) {
	var wanted mcp.CompleteParams
	if err := decodeParams(params, &wanted); err != nil {
		return nil, err
	}
	return s.complete(ctx, who, &wanted)
}

func decodeParams(params json.RawMessage, to any) error {
	if len(params) == 0 {
		return newFault(jsonrpc.CodeInvalidParams, "params are missing")
	}
	if err := json.Unmarshal(params, to); err != nil {
		return newFault(jsonrpc.CodeInvalidParams, "the params cannot be read: %v", err)
	}
	return nil
}

// dispatch answers one bare call.
func (s *Server) dispatch(ctx context.Context, who caller, m *rpcMessage) (answer rpcResponse) {
	method := bareMethods[m.method]
	if method == nil {
		if knownMethods[m.method] {
			return m.answer(nil, newFault(jsonrpc.CodeInvalidRequest, "%s needs a session: call initialize first", m.method))
		}
		return m.answer(nil, unknownMethod(m.method))
	}
	defer func() {
		if r := recover(); r != nil {
			s.options.Logger.Error("a request panicked", "method", m.method, "panic", r, "stack", string(debug.Stack()))
			answer = m.answer(nil, newFault(jsonrpc.CodeInternalError, "%s failed", m.method))
		}
	}()
	result, err := method(ctx, s, who, m.params)
	if err != nil {
		return m.answer(nil, faultOf(err, ""))
	}
	return m.answer(result, nil)
}
