package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// tool is one tool: what clients see of it, and what it does.
type tool struct {
	name    string
	about   string
	effect  effect
	core    bool // belongs to the profile Core
	session bool // belongs to the profile Session
	waits   bool // may take long, and can be given up
	meta    mcp.Meta
	in      []field
	out     string // keys of the answer, for outputSchema
	run     func(ctx context.Context, c *call) (any, error)
}

// effect is what a tool does to the world, as annotations tell it. No tool destroys anything: the
// log only grows.
type effect uint8

const (
	reads      effect = iota // changes nothing
	adds                     // each call adds something
	idempotent               // calling again changes nothing more
)

// describe makes the tool's entry in tools/list.
func (t *tool) describe(o outlook) *mcp.Tool {
	in := slices.Clone(t.in)
	for i := range in {
		in[i].required = in[i].required && !o.spares(&in[i])
	}
	meta := t.meta
	if o.profile != All && o.profile != "" { // small sets are for programs without a screen of their own
		meta = nil
	}
	return &mcp.Tool{
		Meta:         meta,
		Name:         t.name,
		Description:  t.about,
		InputSchema:  inputSchema(in),
		OutputSchema: outputSchema(t.out),
		Annotations:  t.effect.annotations(),
	}
}

// annotations tell a client what to expect.
func (e effect) annotations() *mcp.ToolAnnotations {
	never := false
	return &mcp.ToolAnnotations{ReadOnlyHint: e == reads, IdempotentHint: e != adds, DestructiveHint: &never, OpenWorldHint: &never}
}

// call is one call of a tool.
type call struct {
	*arguments
	server *Server
	caller caller
	tool   string
	acting []string // the agents it acts for

	attended []*attended // for those who ask whether these live
}

// actor reads the agent on whose behalf the call acts. Where the connection has an identity
// that is the default.
func (c *call) actor(name string) string {
	agent := c.text(name)
	if agent == "" {
		agent = c.caller.agent
	}
	if agent == "" {
		c.missing(name)
		return ""
	}
	c.acting = append(c.acting, agent)
	return agent
}

// thread reads the thread that the call is about. Where the connection works on one that is the default.
func (c *call) thread() string {
	if id := strings.TrimSpace(c.text("thread_id")); id != "" || c.caller.thread == "" {
		return strings.TrimSpace(c.required("thread_id"))
	}
	return c.caller.thread
}

// failed reports a call that did not work to Options.Failed.
func (c *call) failed(err error) {
	if c.server.options.Failed == nil {
		return
	}
	f := Failure{Agent: c.caller.agent, Tool: c.tool, Thread: c.caller.thread, Err: err}
	if f.Agent == "" && len(c.acting) > 0 {
		f.Agent = c.acting[0]
	}
	if id := strings.TrimSpace(c.text("thread_id")); id != "" {
		f.Thread = id
	}
	c.server.options.Failed(f)
}

// project ends the reading of arguments: it says what is wrong with them, refuses to act for
// others, and finds the project.
func (c *call) project(ctx context.Context) (*project, error) {
	key, err := c.projectKey(ctx, "project_key", "human_key")
	if err != nil {
		return nil, err
	}
	found, err := c.server.projects.find(ctx, key)
	if err == nil {
		err = c.server.mayVisit(c.caller, found)
	}
	if err != nil {
		return nil, err
	}
	c.attend(found)
	return found, nil
}

// madeProject is project, for tools that make the project if it is not there.
func (c *call) madeProject(ctx context.Context) (*project, error) {
	key, err := c.projectKey(ctx, "human_key", "project_key")
	if err != nil {
		return nil, err
	}
	if !c.caller.anyone { // who is bound to one project makes no others
		return c.project(ctx)
	}
	made, err := c.server.projects.ensure(ctx, key)
	if err == nil {
		c.attend(made)
	}
	return made, err
}

// projectKey reads which project is meant; empty is the one that is served.
func (c *call) projectKey(ctx context.Context, names ...string) (string, error) {
	key := c.text(names...)
	if strings.TrimSpace(key) == "" && !c.server.servesOne(ctx, c.caller) {
		c.missing(names[0])
	}
	if err := c.err(); err != nil {
		return "", err
	}
	for _, agent := range c.acting {
		if err := c.caller.may(agent); err != nil {
			return "", err
		}
	}
	return key, nil
}

// callTool runs a tool. What goes wrong inside it is its result; the error is a fault of the
// request.
func (s *Server) callTool(ctx context.Context, who caller, name string, raw json.RawMessage) (result toolResult, err error) {
	t := s.tools[name]
	if t == nil || !who.profile.has(t) {
		return toolResult{}, newFault(jsonrpc.CodeInvalidParams, "unknown tool %q", name)
	}
	if agent, strict := s.strictly(who); strict {
		ctx = mail.WithStrictIdentity(ctx, agent)
	}
	err = s.observed(ctx, who, t, raw, func() error {
		answer, err := s.runTool(ctx, who, t, raw)
		if err == nil {
			result, err = succeed(answer)
		}
		if err == nil && result.size() > maxAnswer {
			err = answerTooLarge()
		}
		return err
	})
	if f, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return toolResult{}, f
	}
	if err != nil {
		return fail(err), nil
	}
	return result, nil
}

// runTool reads the arguments and runs the tool. A defect in one tool must not take the other
// agents' server down.
func (s *Server) runTool(ctx context.Context, who caller, t *tool, raw json.RawMessage) (answer any, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.options.Logger.Error("a tool panicked", "tool", t.name, "panic", r, "stack", string(debug.Stack()))
			answer, err = nil, protocol.Errorf(protocol.Internal, "%s failed: %v", t.name, r)
		}
	}()
	args, err := decodeArguments(raw)
	if err != nil {
		return nil, err
	}
	c := &call{arguments: args, server: s, caller: who, tool: t.name}
	defer c.leave(ctx)
	answer, err = t.run(ctx, c)
	if err != nil {
		c.failed(err)
	}
	return answer, err
}
