package mcpserver

import (
	"context"
	"errors"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newSDK makes the SDK's server, with our tools, templates and prompts in it.
func (s *Server) newSDK() *mcp.Server {
	sdk := mcp.NewServer(&mcp.Implementation{Name: "brenner", Title: "Brenner", Version: s.options.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Logger:       quieter(s.options.Logger),
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{Subscribe: true},
			Completions: &mcp.CompletionCapabilities{}, Extensions: map[string]any{tasksExtension: struct{}{}, appsExtension: struct{}{}},
		},
		SubscribeHandler:   s.subscriptions.subscribe,
		UnsubscribeHandler: s.subscriptions.unsubscribe,
		CompletionHandler: func(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return s.complete(ctx, s.callerOf(req.Extra), req.Params)
		},
		SetCacheable: func(_ context.Context, req mcp.Request, c *mcp.Cacheable) { *c = cacheableAs(req, *c) },
	})
	for _, t := range catalog(s.options.Profile) {
		if t.waits {
			t = waitTool(s.options.LongestWait)
		}
		s.tools[t.name] = t
		sdk.AddTool(t.describe(outlook{}), s.toolHandler)
	}
	for _, t := range templates {
		sdk.AddResourceTemplate(t, s.resourceHandler)
	}
	for _, p := range promptList() {
		sdk.AddPrompt(p, s.promptHandler)
	}
	s.addTaskMethods(sdk)
	sdk.AddReceivingMiddleware(s.intercept)
	return sdk
}

// cacheableAs says how long a result may be kept: what only the program decides for a while, the rest not at all.
func cacheableAs(req mcp.Request, c mcp.Cacheable) mcp.Cacheable {
	switch req.(type) {
	case *mcp.ListToolsRequest, *mcp.ListPromptsRequest, *mcp.ListResourceTemplatesRequest, *mcp.ServerRequest[*mcp.DiscoverParams]:
		return lasting
	case *mcp.ReadResourceRequest:
		return c
	}
	return private
}

// quieter keeps of what the SDK says only what is wrong: it warns of every notification that a
// client which went without a word does not take.
func quieter(l *slog.Logger) *slog.Logger { return slog.New(errorsOnly{l.Handler()}) }

type errorsOnly struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h errorsOnly) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (h errorsOnly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return errorsOnly{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h errorsOnly) WithGroup(name string) slog.Handler { return errorsOnly{h.Handler.WithGroup(name)} }

func (s *Server) toolHandler(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	result, err := s.callTool(withGone(ctx, req.Extra), s.callerOf(req.Extra), req.Params.Name, req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	return result.sdk(), nil
}

func (s *Server) resourceHandler(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	result, err := s.readResource(ctx, s.callerOf(req.Extra), req.Params.URI)
	if f, ok := errors.AsType[*jsonrpc.Error](err); ok && f.Code == resourceNotFound && req.ProtocolVersion() >= sessionless {
		f.Code = jsonrpc.CodeInvalidParams
	}
	return result, err
}

func (s *Server) promptHandler(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return s.getPrompt(ctx, req.Params.Name, req.Params.Arguments)
}

// intercept answers for resources before the SDK looks addresses up in its own way, and lists the tools of the caller.
func (s *Server) intercept(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch req := req.(type) {
		case *mcp.ServerRequest[*mcp.InitializeParams]:
			result, err := next(ctx, method, req)
			if err == nil {
				shaken(req.Extra)
			}
			return result, err
		case *mcp.CallToolRequest:
			if result, err := s.waitAsTask(withGone(ctx, req.Extra), req); result != nil || err != nil {
				return result, err
			}
			if result, err := s.askPerson(ctx, req); result != nil || err != nil {
				return result, err
			}
		case *mcp.ServerRequest[*taskParams]:
			return s.task(ctx, method, req)
		case *mcp.ListToolsRequest:
			result, err := next(ctx, method, req)
			if list, ok := result.(*mcp.ListToolsResult); ok && err == nil {
				list.Tools = s.listingFor(s.callerOf(req.Extra))
				s.noteListing(ctx, s.callerOf(req.Extra))
			}
			return result, err
		case *mcp.SubscriptionsListenRequest:
			var stop context.CancelFunc // it lasts as long as its context
			// the SDK subscribes for it, without saying who
			ctx, stop = context.WithCancel(context.WithValue(ctx, callerKey{}, s.callerOf(req.Extra)))
			defer stop()
			defer context.AfterFunc(s.draining, stop)()
		case *mcp.ReadResourceRequest:
			result, err := s.resourceHandler(ctx, req)
			if err != nil {
				return nil, err
			}
			return result, nil
		case *mcp.ListResourcesRequest:
			result, err := s.listResources(ctx, s.callerOf(req.Extra))
			if err != nil {
				return nil, err
			}
			return result, nil
		}
		return next(ctx, method, req)
	}
}
