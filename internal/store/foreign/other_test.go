package foreign_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// fields is an object of JSON as the other server makes it.
type fields = map[string]any

// accent is how another server speaks, within what the contract leaves open.
type accent struct {
	name     string
	lists    string // how arrays are structured content: result (the contract), array, messages, text (none at all)
	events   bool   // answers come as a stream of events
	stringly bool   // numbers and flags as text, one name instead of a list, times without a zone
	sparse   bool   // optional fields are left out
	bodiless bool   // lists never show texts
	sessions bool   // every call belongs to a session, and sessions are forgotten now and then
	bare     bool   // knows no handshake, and says so with a status
	unlisted bool   // does not list its agents as a resource
	mute     bool   // does not tell what a message answers
}

// other is a small Agent Mail server of another program.
type other struct {
	accent
	mu       sync.Mutex
	agents   []string
	messages []fields
	session  int
	calls    int
}

func newOther(t *testing.T, a accent) (*other, string) {
	o := &other{accent: a}
	web := httptest.NewServer(o)
	t.Cleanup(web.Close)
	return o, "mcp+" + web.URL + "/mcp/"
}

func (o *other) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var call struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name, URI string
			Arguments fields
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !o.admitted(w, r, call.Method) {
		return
	}
	if call.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := fields{"jsonrpc": "2.0", "id": call.ID}
	switch {
	case call.Method == "initialize" && o.bare:
		w.WriteHeader(http.StatusBadRequest)
		answer["error"] = fields{"code": -32601, "message": "no such method", "data": "initialize"}
	case call.Method == "initialize":
		answer["result"] = fields{"protocolVersion": "2025-03-26", "capabilities": fields{}, "serverInfo": fields{"name": "other", "version": "9"}}
	case call.Method == "resources/read":
		if content, ok := o.read(call.Params.URI); ok {
			answer["result"] = fields{"contents": []fields{{"uri": call.Params.URI, "text": encode(content)}}}
		} else {
			answer["error"] = fields{"code": -32002, "message": "nothing there", "data": []string{call.Params.URI}}
		}
	default:
		answer["result"] = o.answer(o.tool(call.Params.Name, call.Params.Arguments))
	}
	o.write(w, encode(answer))
}

// admitted keeps the session: the header is demanded, and forgotten with every fifth call.
func (o *other) admitted(w http.ResponseWriter, r *http.Request, method string) bool {
	if !o.sessions {
		return true
	}
	if method == "initialize" {
		o.session++
		w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", o.session))
		return true
	}
	if o.calls++; o.calls%5 == 0 {
		o.session++
	}
	if r.Header.Get("Mcp-Session-Id") == fmt.Sprint("s", o.session) {
		return true
	}
	status := http.StatusNotFound
	if o.calls%2 == 0 {
		status = http.StatusBadRequest
	}
	http.Error(w, `{"error":"Bad Request: no valid session ID provided"}`, status)
	return false
}

func (o *other) write(w http.ResponseWriter, data string) {
	if !o.events {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, data)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, ": hello\n\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\r\n\r\n")
	half := strings.IndexByte(data, ',') + 1
	_, _ = io.WriteString(w, "event: message\nid: 7\ndata: "+data[:half]+"\ndata: "+data[half:]+"\n") // and no empty line at the end
}

// answer wraps what a tool returned.
func (o *other) answer(content any, fault string) fields {
	if fault != "" {
		return fields{"isError": true, "content": []fields{{"type": "text", "text": fault}}}
	}
	result := fields{"content": []fields{{"type": "text", "text": encode(content)}}}
	list, isList := content.([]fields)
	switch {
	case o.lists == "text":
	case isList && o.lists == "result":
		result["structuredContent"] = fields{"result": list}
	case isList && o.lists == "messages":
		result["structuredContent"] = fields{"messages": list, "count": len(list)}
	default:
		result["structuredContent"] = content
	}
	return result
}

// tool does the work of the tools of the contract.
func (o *other) tool(name string, args fields) (content any, fault string) {
	if name != "health_check" && name != "ensure_project" && args["project_key"] != "/srv/lab" {
		return nil, "Project not found"
	}
	switch name {
	case "health_check":
		return fields{"status": "ready", "uptime": 12.5}, ""
	case "ensure_project":
		return o.spoken(fields{"id": 4, "slug": "srv-lab", "human_key": args["human_key"], "created_at": clock(0)}), ""
	case "register_agent":
		if agent := args["name"].(string); !slices.Contains(o.agents, agent) {
			o.agents = append(o.agents, agent)
		}
		return o.agent(args["name"].(string)), ""
	case "whois":
		if !slices.Contains(o.agents, args["agent_name"].(string)) {
			return nil, "Agent not found"
		}
		return o.agent(args["agent_name"].(string)), ""
	case "send_message":
		return o.post(args, args["subject"], args["thread_id"], nil)
	case "reply_message":
		target := o.find(args["message_id"])
		thread := target["thread_id"]
		if thread == nil {
			thread = fmt.Sprint(target["id"])
		}
		return o.post(args, "Re: "+target["subject"].(string), thread, target["id"])
	case "fetch_inbox":
		return o.inbox(args), ""
	case "mark_message_read":
		o.find(args["message_id"])["read_ts"] = clock(900)
		return fields{"message_id": args["message_id"], "read": true, "read_at": clock(900)}, ""
	case "acknowledge_message":
		o.find(args["message_id"])["ack_ts"] = clock(901)
		return fields{"message_id": args["message_id"], "acknowledged": true, "acknowledged_at": clock(901)}, ""
	case "search_messages":
		return o.listed(func(m fields) bool {
			return strings.Contains(m["subject"].(string), strings.Trim(args["query"].(string), `"`))
		}, !o.bodiless), ""
	}
	return nil, "Unknown tool: " + name
}

// post keeps a message. Its payload is the least that the contract asks for if the server is sparse.
func (o *other) post(args fields, subject, thread, answers any) (content any, fault string) {
	to := append(strs(args["to"]), strs(args["cc"])...)
	if len(to) == 0 && answers != nil {
		to = []string{o.find(answers)["from"].(string)}
		args["to"] = []any{to[0]}
	}
	for _, name := range to {
		if !slices.Contains(o.agents, name) {
			return nil, "Recipient not registered: " + name
		}
	}
	m := fields{
		"id": len(o.messages) + 1, "project_id": 4, "sender_id": 1, "thread_id": thread, "reply_to": answers, "subject": subject,
		"body_md": args["body_md"], "importance": "normal", "ack_required": args["ack_required"] == true, "created_ts": clock(len(o.messages) + 1),
		"from": args["sender_name"], "to": strs(args["to"]), "cc": strs(args["cc"]), "bcc": strs(args["bcc"]), "attachments": []any{},
		"read_ts": nil, "ack_ts": nil,
	}
	if o.mute {
		delete(m, "reply_to")
	}
	o.messages = append(o.messages, m)
	payload := o.spoken(m)
	if o.sparse {
		payload = fields{"id": payload["id"], "created_ts": payload["created_ts"]}
	}
	return fields{"deliveries": []fields{{"project": "/srv/lab", "payload": payload}}, "count": 1}, ""
}

func (o *other) inbox(args fields) []fields {
	list := o.listed(func(m fields) bool {
		return slices.Contains(append(m["to"].([]string), m["cc"].([]string)...), args["agent_name"].(string))
	}, args["include_bodies"] == true && !o.bodiless)
	slices.Reverse(list)
	return list
}

// read finds what an address names.
func (o *other) read(uri string) (any, bool) {
	u, err := url.Parse(uri)
	if err != nil {
		return nil, false
	}
	name, err := url.PathUnescape(strings.TrimPrefix(u.EscapedPath(), "/"))
	if err != nil {
		return nil, false
	}
	switch u.Host {
	case "agents":
		if o.unlisted || name != "srv-lab" {
			return nil, false
		}
		list := []fields{}
		for _, agent := range o.agents {
			list = append(list, o.agent(agent))
		}
		return fields{"agents": list}, true
	case "thread":
		list := o.listed(func(m fields) bool { return m["thread_id"] == name }, !o.bodiless)
		for _, m := range list {
			if o.sparse {
				delete(m, "thread_id")
			}
		}
		return fields{"project": "/srv/lab", "thread_id": name, "messages": list}, len(list) > 0
	case "message":
		id, _ := strconv.Atoi(name)
		if id < 1 || id > len(o.messages) {
			return nil, false
		}
		return o.spoken(o.messages[id-1]), true
	}
	return nil, false
}

func (o *other) listed(wanted func(fields) bool, bodies bool) []fields {
	list := []fields{}
	for _, m := range o.messages {
		if !wanted(m) {
			continue
		}
		shown := o.spoken(m)
		if !bodies {
			delete(shown, "body_md")
		}
		list = append(list, shown)
	}
	return list
}

func (o *other) find(id any) fields {
	n, _ := strconv.Atoi(fmt.Sprint(id))
	return o.messages[n-1]
}

func (o *other) agent(name string) fields {
	return o.spoken(fields{"id": slices.Index(o.agents, name) + 1, "name": name, "program": "x", "model": "y", "inception_ts": clock(0), "project_id": 4})
}

// spoken puts an object into the server's own accent.
func (o *other) spoken(object fields) fields {
	said := fields{}
	for key, value := range object {
		if o.sparse && (value == nil || slices.Contains([]string{"project_id", "sender_id", "importance", "cc", "bcc", "attachments", "id"}, key) && object["human_key"] != nil) {
			continue
		}
		if o.sparse && slices.Contains([]string{"sender_id", "project_id", "importance", "bcc", "attachments"}, key) {
			continue
		}
		if o.stringly {
			value = stringly(value)
		}
		said[key] = value
	}
	return said
}

func stringly(value any) any {
	switch value := value.(type) {
	case int:
		return strconv.Itoa(value)
	case bool:
		if value {
			return 1
		}
		return 0
	case []string:
		if len(value) == 1 {
			return value[0]
		}
	case string:
		return strings.TrimSuffix(value, "Z") // of a time
	}
	return value
}

func strs(list any) []string {
	values, _ := list.([]any)
	out := []string{}
	for _, v := range values {
		out = append(out, v.(string))
	}
	return out
}

func clock(second int) string {
	return time.Date(2026, 1, 10, 9, 0, second, 0, time.UTC).Format(time.RFC3339)
}

func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}
