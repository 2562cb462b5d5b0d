package mcpserver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

const todoName = "brenner_todo"

// todoTool lists what waits for a person, and puts to them what they can answer where their client can ask them.
func todoTool() *tool {
	return &tool{
		name: todoName, effect: idempotent,
		about: "What waits for the person whose client this is. Gates of runs, questions of agents and the consent that programs ask for " +
			"are put to that person if the client can ask them; only their own answers count. Not for agents.",
		in:  []field{projectField, threadField},
		out: "todo:array done:array notice:string", run: listToDos,
	}
}

type todoAnswer struct {
	ToDo   []session.ToDo `json:"todo"`
	Done   []string       `json:"done"` // what the person has just answered
	Notice string         `json:"notice"`
}

// dialogue is what a person is asked in a call, and what they answered.
type dialogue struct {
	answers  map[string]*mcp.ElicitResult
	requests mcp.InputRequestMap
}

type dialogueKey struct{}

// asksPersons tells whether a client says with its request that it can ask its person to fill in a form.
func asksPersons(meta mcp.Meta) bool {
	var caps struct {
		Elicitation map[string]json.RawMessage `json:"elicitation"`
	}
	data, err := json.Marshal(meta[mcp.MetaKeyClientCapabilities])
	if err != nil || json.Unmarshal(data, &caps) != nil || caps.Elicitation == nil {
		return false
	}
	return len(caps.Elicitation) == 0 || caps.Elicitation["form"] != nil
}

// askPerson answers a call of brenner_todo with what the person is to be asked; nil: it is answered as any other.
func (s *Server) askPerson(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) {
	if req.Params.Name != todoName || req.ProtocolVersion() < sessionless || !asksPersons(req.Params.Meta) {
		return nil, nil
	}
	d := &dialogue{answers: map[string]*mcp.ElicitResult{}, requests: mcp.InputRequestMap{}}
	for key, answer := range req.Params.InputResponses {
		if form, ok := answer.(*mcp.ElicitResult); ok {
			d.answers[key] = form
		}
	}
	result, err := s.callTool(context.WithValue(ctx, dialogueKey{}, d), s.callerOf(req.Extra), todoName, req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	if len(d.requests) > 0 && !result.failed {
		return encodedAsk(d.requests)
	}
	return result.sdk(), nil
}

// encodedAsk is an answer that is complete only once a person has answered.
func encodedAsk(requests mcp.InputRequestMap) (mcp.Result, error) {
	data, err := encode(struct {
		Type     string              `json:"resultType"`
		Requests mcp.InputRequestMap `json:"inputRequests"`
	}{"input_required", requests})
	return &encodedResult{data: data}, err
}

func listToDos(ctx context.Context, c *call) (any, error) {
	thread := strings.TrimSpace(c.text("thread_id"))
	p, err := c.threadProject(ctx, thread)
	if err != nil {
		return nil, err
	}
	if c.caller.agent != "" || !c.caller.anyone {
		return nil, protocol.Errorf(protocol.NotAllowed, "what waits for a person is not an agent's to answer")
	}
	list, err := c.waiting(ctx, p, thread)
	if err != nil {
		return nil, err
	}
	done := []string{}
	d, asking := ctx.Value(dialogueKey{}).(*dialogue)
	for i := range list {
		if !asking || p.form(&list[i]) == nil {
			continue
		}
		said, answered := d.answers[requestKey(&list[i])]
		switch {
		case !answered && len(d.answers) == 0:
			d.requests[requestKey(&list[i])] = p.form(&list[i])
		case answered && said.Action == "accept":
			if err := p.answerToDo(ctx, &list[i], said.Content); err != nil {
				return nil, err
			}
			done = append(done, list[i].What)
		}
	}
	if len(done) > 0 {
		list, err = c.waiting(ctx, p, thread)
	}
	return todoAnswer{list, done, notice}, err
}

func (c *call) waiting(ctx context.Context, p *project, thread string) ([]session.ToDo, error) {
	if thread != "" {
		of, err := p.sessions.Session(ctx, thread)
		if err != nil {
			return nil, err
		}
		return of.ToDos(ctx)
	}
	readable, err := c.server.access(c.caller, p).ThreadSet(ctx)
	if err != nil {
		return nil, err
	}
	return p.sessions.ToDos(ctx, readable)
}

// requestKey names what a person is asked. An answer is to this alone: meanwhile a program may have gone on and ask for something else.
func requestKey(t *session.ToDo) string {
	if t.Asked == nil {
		return t.Key()
	}
	asked := t.Asked.Said()
	if t.Asked.Pane == "" { // in a round its time tells a question from the same one asked again; a pane does not tell it
		asked += liveness.Instant{Time: t.Asked.Since}.String()
	}
	return fmt.Sprintf("%s/%x", t.Key(), sha256.Sum256([]byte(asked)))
}

// The fields of the forms.
const (
	playField   = "play"
	answerField = "answer"
	choiceField = "choice"
)

// form is what a person is asked about something that waits; nil: it is nothing that a form answers.
func (p *project) form(t *session.ToDo) *mcp.ElicitParams {
	field, about := answerField, map[string]any{"type": "string", "title": "Your answer"}
	switch t.Kind {
	case session.ToDoGate:
		field, about = playField, map[string]any{"type": "boolean", "title": "Play it"}
	case session.ToDoAsk:
		if len(t.Asked.Choices) == 0 || p.sessions.Probe().Press == nil {
			return nil
		}
		field, about = choiceField, map[string]any{"type": "string", "title": "Your answer", "oneOf": choices(t.Asked)}
	case session.ToDoReply:
	default:
		return nil
	}
	return &mcp.ElicitParams{Mode: "form", Message: t.ThreadID + ": " + t.What, RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{field: about}, "required": []string{field},
	}}
}

// choices are the answers that a program offers, as a form lists them.
func choices(asked *liveness.Plight) []map[string]string {
	var list []map[string]string
	for _, c := range asked.Choices {
		list = append(list, map[string]string{"const": c.Key, "title": cmp.Or(c.Text, c.Key)})
	}
	return list
}

// answerToDo does what the person said.
func (p *project) answerToDo(ctx context.Context, t *session.ToDo, said map[string]any) error {
	if t.Kind == session.ToDoAsk {
		return p.press(ctx, t, said)
	}
	if err := p.mail.EnsureAgents(ctx, mail.Operator); err != nil {
		return err
	}
	if t.Kind == session.ToDoGate {
		word := session.WordStop
		if play, ok := said[playField].(bool); ok && play {
			word = session.WordGo
		}
		_, err := p.sessions.TellRun(ctx, t.ThreadID, mail.Operator, word, "")
		return err
	}
	text, _ := said[answerField].(string)
	if protocol.Blank(text) {
		return protocol.Errorf(protocol.InvalidInput, "the answer to message %d is blank", t.MessageID)
	}
	_, err := p.mail.Reply(ctx, t.MessageID, "", mail.Outgoing{Draft: message.Draft{From: mail.Operator, Body: text}})
	return err
}

// press answers a program with a key that it offers, and with no other.
func (p *project) press(ctx context.Context, t *session.ToDo, said map[string]any) error {
	key, _ := said[choiceField].(string)
	if !slices.ContainsFunc(t.Asked.Choices, func(c liveness.Choice) bool { return c.Key == key }) {
		return protocol.Errorf(protocol.InvalidInput, "the key %q answers nothing: %s asks %s", key, t.Agent, t.Asked.Said())
	}
	_, err := p.sessions.Probe().Press(ctx, t.ThreadID, t.Agent, key)
	return err
}
