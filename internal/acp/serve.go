package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	sdk "github.com/coder/acp-go-sdk"
)

// Part is what an agent does that is served.
type Part interface {
	// Begin takes the servers that are handed over, at the beginning of a session. goesOn names the session that it is to be; empty: a
	// new one. It returns the id of the session. ErrSignIn: its service does not know it.
	Begin(ctx context.Context, goesOn string, servers []Server) (string, error)

	// Turn does what it is asked. The context ends when the turn is cancelled.
	Turn(ctx context.Context, s *Stage, prompt string) (*Spent, error)
}

// ErrSignIn is what a Part says whose service does not know it.
var ErrSignIn error = &RefusalError{CodeAuthRequired, "Authentication required"}

// Serve answers a client until it says no more.
func Serve(ctx context.Context, in io.Reader, out io.Writer, p Part) error {
	s := &served{part: p, begun: make(chan struct{})}
	s.conn = sdk.NewConnection(s.handle, out, in)
	s.conn.SetLogger(slog.New(slog.DiscardHandler))
	close(s.begun)
	select {
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	return ctx.Err()
}

// served is a Part with its client.
type served struct {
	part  Part
	conn  *sdk.Connection
	begun chan struct{} // closed when conn is there

	mu     sync.Mutex
	cancel context.CancelFunc // of the turn that goes on
}

func (s *served) handle(ctx context.Context, method string, params json.RawMessage) (any, *sdk.RequestError) {
	<-s.begun
	switch method {
	case sdk.AgentMethodInitialize:
		return sdk.InitializeResponse{
			ProtocolVersion: sdk.ProtocolVersionNumber, AgentInfo: &sdk.Implementation{Name: "scripted", Version: "1"},
			AgentCapabilities: sdk.AgentCapabilities{LoadSession: true}, AuthMethods: []sdk.AuthMethod{},
		}, nil
	case sdk.AgentMethodSessionNew:
		return reply(params, func(r *sdk.NewSessionRequest) (any, error) {
			id, err := s.part.Begin(ctx, "", serversOf(r.McpServers))
			return sdk.NewSessionResponse{SessionId: sdk.SessionId(id)}, err
		})
	case sdk.AgentMethodSessionLoad:
		return reply(params, func(r *sdk.LoadSessionRequest) (any, error) {
			_, err := s.part.Begin(ctx, string(r.SessionId), serversOf(r.McpServers))
			s.update(string(r.SessionId), sdk.UpdateUserMessageText("What was said before."))
			return sdk.LoadSessionResponse{}, err
		})
	case sdk.AgentMethodSessionPrompt:
		return reply(params, func(r *sdk.PromptRequest) (any, error) { return s.turn(ctx, r) })
	case sdk.AgentMethodSessionCancel:
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.cancel != nil {
			s.cancel()
		}
		return nil, nil
	}
	return nil, sdk.NewMethodNotFound(method)
}

// reply reads a request and answers it.
func reply[T any](params json.RawMessage, do func(*T) (any, error)) (any, *sdk.RequestError) {
	var r T
	if err := json.Unmarshal(params, &r); err != nil {
		return nil, sdk.NewInvalidParams(err.Error())
	}
	answer, err := do(&r)
	if err == nil {
		return answer, nil
	}
	if SignedOut(err) {
		return nil, sdk.NewAuthRequired(nil)
	}
	return nil, sdk.NewInternalError(map[string]any{"error": err.Error()})
}

func serversOf(list []sdk.McpServer) []Server {
	var servers []Server
	for _, s := range list {
		if s.Stdio == nil {
			continue
		}
		server := Server{Name: s.Stdio.Name, Command: s.Stdio.Command, Args: s.Stdio.Args, Env: map[string]string{}}
		for _, v := range s.Stdio.Env {
			server.Env[v.Name] = v.Value
		}
		servers = append(servers, server)
	}
	return servers
}

func (s *served) turn(ctx context.Context, r *sdk.PromptRequest) (any, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.cancel = cancel
	s.mu.Unlock()
	var prompt strings.Builder
	for _, block := range r.Prompt {
		if block.Text != nil {
			prompt.WriteString(block.Text.Text)
		}
	}
	spent, err := s.part.Turn(ctx, &Stage{s, string(r.SessionId), 0}, prompt.String())
	answer := sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}
	if spent != nil {
		answer.Usage = &sdk.Usage{InputTokens: int(spent.Input - spent.Cached), CachedReadTokens: new(int(spent.Cached)),
			OutputTokens: int(spent.Output), TotalTokens: int(spent.Input + spent.Output)}
	}
	if ctx.Err() != nil {
		answer.StopReason, err = sdk.StopReasonCancelled, nil
	}
	return answer, err
}

func (s *served) update(session string, u sdk.SessionUpdate) {
	_ = s.conn.SendNotification(context.Background(), sdk.ClientMethodSessionUpdate,
		sdk.SessionNotification{SessionId: sdk.SessionId(session), Update: u})
}

// Stage is what a Part does in a turn that its client sees.
type Stage struct {
	s       *served
	session string
	calls   int
}

// Say says a piece of text.
func (s *Stage) Say(text string) { s.s.update(s.session, sdk.UpdateAgentMessageText(text)) }

// Broken tells that a service failed, as Codex does.
func (s *Stage) Broken(words string) {
	s.s.update(s.session, sdk.SessionUpdate{SessionInfoUpdate: &sdk.SessionSessionInfoUpdate{SessionUpdate: "session_info_update",
		Meta: map[string]any{"codex": map[string]any{"threadStatus": map[string]any{"type": "systemError"}}}}})
	s.Say(words)
}

// Use tells of a call of a tool.
func (s *Stage) Use(tool string, input any, output string) {
	s.calls++
	id := sdk.ToolCallId(fmt.Sprintf("call_%d", s.calls))
	s.s.update(s.session, sdk.StartToolCall(id, tool, sdk.WithStartKind(sdk.ToolKindOther), sdk.WithStartRawInput(input)))
	s.s.update(s.session, sdk.UpdateToolCall(id, sdk.WithUpdateStatus(sdk.ToolCallStatusCompleted),
		sdk.WithUpdateContent([]sdk.ToolCallContent{sdk.ToolContent(sdk.TextBlock(output))})))
}

// Used tells how many tokens the context has, and what the session has cost so far; 0: it does not tell.
func (s *Stage) Used(tokens int, dollars float64) {
	u := &sdk.SessionUsageUpdate{SessionUpdate: "usage_update", Used: tokens, Size: 1 << 20}
	if dollars > 0 {
		u.Cost = &sdk.Cost{Amount: dollars, Currency: "USD"}
	}
	s.s.update(s.session, sdk.SessionUpdate{UsageUpdate: u})
}

// Ask asks the client for leave to run a command. It tells the option that was chosen; empty: none.
func (s *Stage) Ask(ctx context.Context, command string) string {
	kind := sdk.ToolKindExecute
	got, err := sdk.SendRequest[sdk.RequestPermissionResponse](s.s.conn, ctx, sdk.ClientMethodSessionRequestPermission,
		sdk.RequestPermissionRequest{
			SessionId: sdk.SessionId(s.session),
			ToolCall:  sdk.ToolCallUpdate{ToolCallId: "asked", Title: &command, Kind: &kind},
			Options: []sdk.PermissionOption{
				{OptionId: "yes", Name: "Allow", Kind: sdk.PermissionOptionKindAllowOnce},
				{OptionId: "always", Name: "Always allow", Kind: sdk.PermissionOptionKindAllowAlways},
				{OptionId: "no", Name: "Reject", Kind: sdk.PermissionOptionKindRejectOnce},
			},
		})
	if err != nil || got.Outcome.Selected == nil {
		return ""
	}
	return string(got.Outcome.Selected.OptionId)
}
