package acp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"
)

// Server is an MCP server that is handed over to an agent.
type Server struct {
	Name    string
	Command string
	Args    []string
	Env     map[string]string
}

// Wish is what a session is to be.
type Wish struct {
	Dir      string // absolute
	Servers  []Server
	Continue string         // id of a session of this program that is to go on, if it can; empty: a new one
	Model    string         // empty: the program's own choice
	Mode     string         // how much the program may do without asking; empty: its own choice
	Meta     map[string]any // what only this program understands
}

// authMethod is a way to sign in.
type authMethod struct {
	ID   string                     `json:"id"`
	Type string                     `json:"type"`
	Meta map[string]json.RawMessage `json:"_meta"`
}

// byKey tells whether a way needs no more than a key in the environment: no window is opened, and no person asked.
func (m authMethod) byKey() bool {
	_, key := m.Meta["api-key"]
	return key || m.Type == "env_var" || strings.HasSuffix(m.ID, "api-key")
}

// opened is what a program says of a session.
type opened struct {
	ID    string `json:"sessionId"`
	Modes struct {
		Current   string `json:"currentModeId"`
		Available []struct {
			ID string `json:"id"`
		} `json:"availableModes"`
	} `json:"modes"`
	Models struct {
		Current   string `json:"currentModelId"`
		Available []struct {
			ID string `json:"modelId"`
		} `json:"availableModels"`
	} `json:"models"`
	Options []struct {
		ID       string          `json:"id"`
		Category string          `json:"category"`
		Current  json.RawMessage `json:"currentValue"`
		Values   json.RawMessage `json:"options"`
	} `json:"configOptions"`
}

// Open begins a session, or goes on with one. It tells its id, and whether it goes on. An error for which SignedOut holds: a person has
// to sign the program in.
func (a *Agent) Open(ctx context.Context, w Wish) (id string, goesOn bool, err error) {
	o, goesOn, err := a.begin(ctx, w)
	if SignedOut(err) && a.authenticate(ctx) {
		o, goesOn, err = a.begin(ctx, w)
	}
	if err != nil {
		return "", false, err
	}
	a.session = o.ID
	return o.ID, goesOn, a.setUp(ctx, w, o)
}

// authenticate signs in by a key of the environment, where the program has such a way.
func (a *Agent) authenticate(ctx context.Context) bool {
	i := slices.IndexFunc(a.about.Auth, authMethod.byKey)
	if i < 0 {
		return false
	}
	var ignored struct{}
	return a.ask(ctx, sdk.AgentMethodAuthenticate, sdk.AuthenticateRequest{MethodId: a.about.Auth[i].ID}, &ignored) == nil
}

func (a *Agent) begin(ctx context.Context, w Wish) (o opened, goesOn bool, err error) {
	servers := []sdk.McpServer{}
	for _, s := range w.Servers {
		env := []sdk.EnvVariable{}
		for name, value := range s.Env {
			env = append(env, sdk.EnvVariable{Name: name, Value: value})
		}
		servers = append(servers, sdk.McpServer{Stdio: &sdk.McpServerStdio{Name: s.Name, Command: s.Command, Args: s.Args, Env: env}})
	}
	if w.Continue != "" {
		switch {
		case a.about.Capabilities.Sessions.Resume != nil:
			err = a.ask(ctx, sdk.AgentMethodSessionResume, sdk.ResumeSessionRequest{Cwd: w.Dir, McpServers: servers,
				SessionId: sdk.SessionId(w.Continue), Meta: w.Meta}, &o)
		case a.about.Capabilities.Load:
			err = a.ask(ctx, sdk.AgentMethodSessionLoad, sdk.LoadSessionRequest{Cwd: w.Dir, McpServers: servers,
				SessionId: sdk.SessionId(w.Continue), Meta: w.Meta}, &o)
		default:
			err = &RefusalError{Message: "the program goes on with no session"}
		}
		if o.ID = w.Continue; err == nil || SignedOut(err) {
			return o, true, err
		}
	}
	o = opened{} // a session that is gone is no reason to do nothing
	err = a.ask(ctx, sdk.AgentMethodSessionNew, sdk.NewSessionRequest{Cwd: w.Dir, McpServers: servers, Meta: w.Meta}, &o)
	return o, false, err
}

// setUp gives a session its mode and its model. A mode that the program has is taken or the session fails: it is what was promised to
// the person. A model that it does not know is left to it.
func (a *Agent) setUp(ctx context.Context, w Wish, o opened) error {
	var ignored struct{}
	for _, m := range o.Modes.Available {
		if m.ID == w.Mode && o.Modes.Current != w.Mode {
			if err := a.ask(ctx, sdk.AgentMethodSessionSetMode, sdk.SetSessionModeRequest{SessionId: sdk.SessionId(o.ID),
				ModeId: sdk.SessionModeId(m.ID)}, &ignored); err != nil {
				return err
			}
		}
	}
	if w.Model == "" {
		return nil
	}
	for _, m := range o.Models.Available {
		if m.ID == w.Model {
			_ = a.ask(ctx, sdk.AgentMethodSessionSetModel, setModel{o.ID, m.ID}, &ignored)
			return nil
		}
	}
	for _, c := range o.Options {
		if c.Category == "model" && strings.Contains(string(c.Values), `"`+w.Model+`"`) {
			_ = a.ask(ctx, sdk.AgentMethodSessionSetConfigOption, setOption{o.ID, c.ID, w.Model}, &ignored)
		}
	}
	return nil
}

type setModel struct {
	Session string `json:"sessionId"`
	Model   string `json:"modelId"`
}

type setOption struct {
	Session string `json:"sessionId"`
	Option  string `json:"configId"`
	Value   string `json:"value"`
}

// Ending is how a turn ended, and what it used as far as the program tells.
type Ending struct {
	Stop  string // end_turn, max_tokens, max_turn_requests, refusal, cancelled
	Spent *Spent // nil: it does not tell
}

// Spent are tokens: what was sent with what a cache had, and what came back.
type Spent struct {
	Input  int64 `json:"input_tokens"`
	Cached int64 `json:"cached_input_tokens"` // of the input
	Output int64 `json:"output_tokens"`
}

// answered is the answer to a prompt. Usage is what most tell, quota what Gemini CLI does.
type answered struct {
	Stop  string `json:"stopReason"`
	Usage *struct {
		Total   int64 `json:"totalTokens"`
		Input   int64 `json:"inputTokens"`
		Output  int64 `json:"outputTokens"`
		Read    int64 `json:"cachedReadTokens"`
		Written int64 `json:"cachedWriteTokens"`
	} `json:"usage"`
	Meta struct {
		Quota struct {
			Count *Spent `json:"token_count"`
		} `json:"quota"`
	} `json:"_meta"`
}

func (r *answered) ending() Ending {
	e := Ending{Stop: r.Stop, Spent: r.Meta.Quota.Count}
	if u := r.Usage; u != nil {
		e.Spent = &Spent{Input: u.Input + u.Read + u.Written, Cached: u.Read, Output: u.Output}
		e.Spent.Output = max(e.Spent.Output, u.Total-e.Spent.Input) // what was thought counts too
	}
	return e
}

// Prompt asks for a turn, and waits until it is over. It lasts as long as the program takes; the context cancels it, and the program
// then has the grace to say how far it came.
func (a *Agent) Prompt(ctx context.Context, text string, grace time.Duration) (Ending, error) {
	turn, over := context.WithCancel(context.WithoutCancel(ctx))
	asking, ended := context.WithCancel(turn) // what was asked for in a turn that was cancelled is answered as that
	a.mu.Lock()
	a.turn, a.canceled, a.broken, a.words = asking, ended, false, ""
	a.mu.Unlock()
	stop := context.AfterFunc(ctx, func() {
		a.Cancel()
		time.AfterFunc(grace, over)
	})
	defer func() {
		stop()
		ended()
		over()
		a.mu.Lock()
		a.turn = nil
		a.mu.Unlock()
	}()
	var got answered
	raw, err := sdk.SendRequest[json.RawMessage](a.conn, turn, sdk.AgentMethodSessionPrompt, sdk.PromptRequest{
		SessionId: sdk.SessionId(a.session), Prompt: []sdk.ContentBlock{sdk.TextBlock(text)},
	})
	if err != nil {
		return Ending{}, refusal(err)
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		return Ending{}, refusal(err)
	}
	return got.ending(), a.failure()
}

// Cancel asks the program to end its turn.
func (a *Agent) Cancel() {
	a.mu.Lock()
	going, ended := a.turn != nil, a.canceled
	a.mu.Unlock()
	if !going {
		return
	}
	ended()
	_ = a.conn.SendNotification(context.Background(), sdk.AgentMethodSessionCancel,
		sdk.CancelNotification{SessionId: sdk.SessionId(a.session)})
}
