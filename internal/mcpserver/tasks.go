package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
)

// tasksExtension is what a client declares that polls for results instead of holding its call open.
const tasksExtension = "io.modelcontextprotocol/tasks"

// The methods of the extension.
const (
	taskGet    = "tasks/get"
	taskUpdate = "tasks/update"
	taskCancel = "tasks/cancel"
)

// A task of waiting lasts for an hour, and is worth asking about every few seconds.
const (
	taskLife = time.Hour
	taskPoll = 5 * time.Second
)

// taskParams are those of all methods about tasks.
type taskParams struct {
	mcp.ParamsBase
	ID string `json:"taskId"`
}

// waitTask is a wait for mail that goes on. All of it is in its id: nothing is held for it, any server of the store can be asked, and who
// asks about it may no more than who calls the tool.
type waitTask struct {
	Arguments json.RawMessage `json:"a"` // of the call
	After     int64           `json:"n"` // only later messages count: asking twice gives the same
	Created   int64           `json:"c"` // Unix time in ms
}

func (t waitTask) id() (string, error) {
	data, err := json.Marshal(t)
	return base64.RawURLEncoding.EncodeToString(data), err
}

// taskOf reads an id.
func taskOf(id string) (t waitTask, ok bool) {
	data, err := base64.RawURLEncoding.DecodeString(id)
	return t, err == nil && len(data) <= maxTask && json.Unmarshal(data, &t) == nil && len(t.Arguments) > 0
}

// maxTask bounds what an id holds.
const maxTask = 16 << 10

// taskState is a task as its client sees it.
type taskState struct {
	Type    string          `json:"resultType"`
	ID      string          `json:"taskId"`
	Status  string          `json:"status"`
	Message string          `json:"statusMessage,omitempty"`
	Created string          `json:"createdAt"`
	Updated string          `json:"lastUpdatedAt"`
	TTL     int64           `json:"ttlMs"`
	Poll    int64           `json:"pollIntervalMs"`
	Result  json.RawMessage `json:"result,omitempty"`
}

func (t waitTask) state(kind, id, status string, now time.Time) taskState {
	return taskState{Type: kind, ID: id, Status: status, Created: mail.FormatTime(time.UnixMilli(t.Created)), Updated: mail.FormatTime(now),
		TTL: taskLife.Milliseconds(), Poll: taskPoll.Milliseconds()}
}

// pollsTasks tells whether a client says with its request that it knows tasks.
func pollsTasks(meta mcp.Meta) bool {
	var caps struct {
		Extensions map[string]json.RawMessage `json:"extensions"`
	}
	data, err := json.Marshal(meta[mcp.MetaKeyClientCapabilities])
	return err == nil && json.Unmarshal(data, &caps) == nil && caps.Extensions[tasksExtension] != nil
}

// waitAsTask begins a task for a call of brenner_wait that would have to wait; nil: the call is answered as any other.
func (s *Server) waitAsTask(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) {
	if t := s.tools[req.Params.Name]; t == nil || !t.waits || req.ProtocolVersion() < sessionless || !pollsTasks(req.Params.Meta) {
		return nil, nil
	}
	who := s.callerOf(req.Extra)
	newest, ok := s.newestFor(ctx, who, req.Params.Arguments)
	if !ok {
		return nil, nil // the call itself says what is wrong
	}
	t := waitTask{Arguments: req.Params.Arguments, After: newest, Created: s.now().UnixMilli()}
	first, waiting, err := s.lookFor(ctx, who, t.Arguments, nil)
	if err != nil {
		return nil, err
	}
	if !waiting {
		return first.sdk(), nil
	}
	id, err := t.id()
	if err != nil || len(id) > maxTask {
		return nil, err
	}
	state := t.state("task", id, "working", s.now())
	state.Message = "Waits for mail."
	return encodedState(state)
}

// newestFor finds the latest message that a wait does not wait for; false: the arguments are not in order, or ask for no wait.
func (s *Server) newestFor(ctx context.Context, who caller, raw json.RawMessage) (int64, bool) {
	args, err := decodeArguments(raw)
	if err != nil {
		return 0, false
	}
	c := &call{arguments: args, server: s, caller: who, tool: waitName}
	agent, thread := c.actor("agent_name"), strings.TrimSpace(c.text("thread_id"))
	if after := c.integer("after_id", 0, 0, 1<<53); after > 0 {
		return int64(after), args.err() == nil
	}
	if c.integer("timeout_seconds", 1, 0, 1<<30) == 0 {
		return 0, false
	}
	p, err := c.project(ctx)
	if err != nil || args.err() != nil {
		return 0, false
	}
	newest, err := p.mail.Newest(ctx, mail.InboxQuery{Agent: agent, Thread: thread})
	return newest, err == nil
}

// lookFor calls the tool once, without waiting; after says which mail counts, if another than the call itself said. waiting tells that
// there is nothing yet.
func (s *Server) lookFor(ctx context.Context, who caller, raw json.RawMessage, after *int64) (found toolResult, waiting bool, err error) {
	arguments := map[string]json.RawMessage{}
	if len(raw) > 0 && json.Unmarshal(raw, &arguments) != nil {
		return found, false, newFault(jsonrpc.CodeInvalidParams, "the arguments are no object")
	}
	arguments["timeout_seconds"] = json.RawMessage("0")
	if after != nil {
		arguments["after_id"] = json.RawMessage(strconv.FormatInt(*after, 10))
	}
	data, err := json.Marshal(arguments)
	if err != nil {
		return found, false, err
	}
	found, err = s.callTool(ctx, who, waitName, data)
	var told struct{ Status string }
	waiting = err == nil && !found.failed && json.Unmarshal(found.structured, &told) == nil && told.Status == "nothing_yet"
	return found, waiting, err
}

// task answers a method about a task. Nothing runs for one, so that there is nothing to cancel, and it asks for nothing.
func (s *Server) task(ctx context.Context, method string, req *mcp.ServerRequest[*taskParams]) (mcp.Result, error) {
	t, ok := waitTask{}, false
	if req.Params != nil {
		t, ok = taskOf(req.Params.ID)
	}
	switch {
	case !ok:
		return nil, newFault(jsonrpc.CodeInvalidParams, "there is no such task")
	case method == taskCancel:
		return &encodedResult{data: []byte(`{"resultType":"complete"}`)}, nil
	case method == taskUpdate:
		return nil, newFault(jsonrpc.CodeInvalidParams, "the task asks for nothing")
	}
	now := s.now()
	found, waiting, err := s.lookFor(ctx, s.callerOf(req.Extra), t.Arguments, &t.After)
	if err != nil {
		return nil, err
	}
	if waiting && now.Before(time.UnixMilli(t.Created).Add(taskLife)) {
		return encodedState(t.state("complete", req.Params.ID, "working", now))
	}
	state := t.state("complete", req.Params.ID, "completed", now)
	state.Result = found.encoded().data
	return encodedState(state)
}

func encodedState(state taskState) (mcp.Result, error) {
	data, err := encode(state)
	return &encodedResult{data: data}, err
}

// now is the clock of the server.
func (s *Server) now() time.Time {
	if s.options.Now != nil {
		return s.options.Now()
	}
	return s.projects.home.mail.Now()
}

// addTaskMethods lets the SDK take the methods of the extension; intercept answers them, which knows who asks.
func (s *Server) addTaskMethods(sdk *mcp.Server) {
	for _, method := range []string{taskGet, taskUpdate, taskCancel} {
		err := mcp.AddReceivingCustomMethod(sdk, method, func(context.Context, *mcp.ServerSession, *taskParams) (*encodedResult, error) {
			return nil, newFault(jsonrpc.CodeInternalError, "%s was not answered", method)
		})
		if err != nil {
			panic(err) // the name is the SDK's own
		}
	}
}
