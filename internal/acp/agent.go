package acp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"brenner/internal/protocol"
)

// Options say which program is an agent's, and who hears it.
type Options struct {
	Args    []string
	Env     []string // whole environment; nil: this process's
	Dir     string
	Stderr  io.Writer
	Version string // of this client

	// Hear gets every update of the session, in order, as the program sent it. It must not wait.
	Hear func(json.RawMessage)

	// Permit answers what the program asks for: the id of an option, empty for none of them. The context ends with the turn.
	Permit func(context.Context, Question) string
}

// Agent is a program that speaks the protocol, at work. One turn goes on at a time; Cancel may come from anywhere.
type Agent struct {
	o       Options
	cmd     *exec.Cmd
	in      io.Closer
	conn    *sdk.Connection
	about   about
	session string

	mu       sync.Mutex
	turn     context.Context // of the turn that goes on; nil: none does
	broken   bool            // the program says that its service failed it
	words    string          // what it said then
	canceled context.CancelFunc
}

// about is what a program says of itself, as far as it is used. Whatever else it says is passed over: agents are newer than clients.
type about struct {
	Protocol     int `json:"protocolVersion"`
	Capabilities struct {
		Load     bool `json:"loadSession"`
		Sessions struct {
			Resume *struct{} `json:"resume"`
		} `json:"sessionCapabilities"`
	} `json:"agentCapabilities"`
	Info struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"agentInfo"`
	Auth []authMethod `json:"authMethods"`
}

// Patience with what needs no model: the beginning, and the end of what was told to end.
const (
	beginning = 90 * time.Second
	leaving   = time.Second
)

// Start starts a program and agrees with it on the protocol. PROGRAM_MISSING: it does not start.
func Start(ctx context.Context, o Options) (*Agent, error) {
	cmd := exec.Command(o.Args[0], o.Args[1:]...) //nolint:noctx // ended by Close
	cmd.Dir, cmd.Env, cmd.Stderr = o.Dir, o.Env, o.Stderr
	ownGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "%w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "%w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, protocol.Errorf(protocol.ProgramMissing, "%s does not start: %w", o.Args[0], err)
	}
	a := &Agent{o: o, cmd: cmd, in: in}
	a.conn = sdk.NewConnection(a.handle, in, out)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	err = a.ask(ctx, sdk.AgentMethodInitialize, sdk.InitializeRequest{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		ClientInfo:      &sdk.Implementation{Name: "brenner", Version: cmp.Or(o.Version, "dev")},
	}, &a.about)
	if err == nil && a.about.Protocol != sdk.ProtocolVersionNumber {
		err = protocol.Errorf(protocol.ProgramMissing, "%s speaks version %d of the Agent Client Protocol, not %d", o.Args[0],
			a.about.Protocol, sdk.ProtocolVersionNumber)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// Name is what the program calls itself.
func (a *Agent) Name() string {
	if a.about.Info.Version == "" {
		return a.about.Info.Name
	}
	return a.about.Info.Name + " " + a.about.Info.Version
}

// ask asks what needs no model and no person.
func (a *Agent) ask(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, beginning)
	defer cancel()
	raw, err := sdk.SendRequest[json.RawMessage](a.conn, ctx, method, params)
	if err != nil {
		return refusal(err)
	}
	if err := json.Unmarshal(raw, result); err != nil {
		return protocol.Errorf(protocol.Internal, "the program answers %s with what is no answer to it: %w", method, err)
	}
	return nil
}

// CodeAuthRequired is the protocol's for a login that is not known.
const CodeAuthRequired = -32000

// RefusalError is an answer of a program that it does not do what it was asked.
type RefusalError struct {
	Code    int
	Message string
}

func (r *RefusalError) Error() string { return r.Message }

// SignedOut tells whether an error says that the service of a program does not know it.
func SignedOut(err error) bool {
	r, ok := errors.AsType[*RefusalError](err)
	return ok && r.Code == CodeAuthRequired
}

// refusal reads an error of the connection. What a program says stands in the message, in the data, or in both.
func refusal(err error) error {
	of, ok := errors.AsType[*sdk.RequestError](err)
	if !ok {
		return protocol.Errorf(protocol.Internal, "%w", err)
	}
	text := of.Message
	if of.Data != nil {
		if data, err := json.Marshal(of.Data); err == nil {
			text = fmt.Sprintf("%s: %s", text, detail(data))
		}
	}
	return &RefusalError{of.Code, text}
}

// detail is the text of an error's data.
func detail(data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) == nil {
		return text
	}
	var o struct {
		Error   string `json:"error"`
		Message string `json:"message"`
		Details string `json:"details"`
	}
	if json.Unmarshal(data, &o) == nil {
		if text := cmp.Or(o.Message, o.Details, o.Error); text != "" {
			return text
		}
	}
	return string(data)
}

// handle answers what a program sends. This client has neither files nor terminals to offer.
func (a *Agent) handle(ctx context.Context, method string, params json.RawMessage) (any, *sdk.RequestError) {
	switch method {
	case sdk.ClientMethodSessionUpdate:
		var n struct {
			Update json.RawMessage `json:"update"`
		}
		if json.Unmarshal(params, &n) == nil && len(n.Update) > 0 && a.turning() != nil {
			a.watch(n.Update)
			a.o.Hear(n.Update) // what comes between turns, such as a session that is told again, is no news
		}
		return nil, nil
	case sdk.ClientMethodSessionRequestPermission:
		return a.permit(ctx, params)
	}
	return nil, sdk.NewMethodNotFound(method)
}

// watch looks whether the service of a program has failed it. Codex tells so in a state of its own, and ends its turn as if nothing was.
func (a *Agent) watch(update json.RawMessage) {
	var u struct {
		Content json.RawMessage `json:"content"`
		Meta    struct {
			Codex struct {
				Status struct {
					Type string `json:"type"`
				} `json:"threadStatus"`
			} `json:"codex"`
		} `json:"_meta"`
	}
	var piece struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(update, &u) != nil {
		return
	}
	_ = json.Unmarshal(u.Content, &piece) // it may be no text
	a.mu.Lock()
	defer a.mu.Unlock()
	a.broken = a.broken || u.Meta.Codex.Status.Type == "systemError"
	if a.broken {
		a.words += piece.Text
	}
}

// failure is what a program said of a service that failed it; nil: it did not.
func (a *Agent) failure() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.broken {
		return nil
	}
	return &RefusalError{Message: cmp.Or(oneLine(a.words), "its service failed it")}
}

// turning is the context of the turn that goes on; nil: none does.
func (a *Agent) turning() context.Context {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.turn
}

// Close tells the program that nothing more comes, and ends it with all that it started.
func (a *Agent) Close() {
	_ = a.in.Close()
	gone := make(chan struct{})
	go func() {
		_ = a.cmd.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(leaving):
	}
	endGroup(a.cmd.Process.Pid)
	<-gone
}
