package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rpcMessage is a JSON-RPC message as it came. Ids are kept as they were written: a number may be
// larger than a float holds.
type rpcMessage struct {
	id     json.RawMessage // nil for a notification
	method string          // empty for a response
	params json.RawMessage
	fault  *jsonrpc.Error // why it is no message; the id is then what could be read of it
}

// maxBatched bounds a batch.
const maxBatched = 100

// parseMessages reads a request's body: one message, or a batch as old versions of the protocol
// had them. The fault is that of the whole body; messages have their own.
func parseMessages(body []byte) (messages []rpcMessage, batch bool, f *jsonrpc.Error) {
	body = bytes.TrimSpace(body)
	if batch = len(body) > 0 && body[0] == '['; !batch {
		return []rpcMessage{parseMessage(body)}, false, nil
	}
	if crowded(body) {
		return nil, true, crowdedFault()
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(body, &parts); err != nil {
		return nil, true, newFault(jsonrpc.CodeParseError, "the request is not JSON: %v", err)
	}
	if len(parts) == 0 || len(parts) > maxBatched {
		return nil, true, newFault(jsonrpc.CodeInvalidRequest, "a batch has from 1 to %d messages", maxBatched)
	}
	for _, part := range parts {
		messages = append(messages, parseMessage(part))
	}
	return messages, true, nil
}

// envelope has the members of a message as they were written.
type envelope struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  json.RawMessage `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

func parseMessage(data []byte) rpcMessage {
	var wire envelope
	if err := json.Unmarshal(data, &wire); err != nil {
		if json.Valid(data) {
			return rpcMessage{fault: newFault(jsonrpc.CodeInvalidRequest, "the request is not a JSON-RPC message")}
		}
		return rpcMessage{fault: newFault(jsonrpc.CodeParseError, "the request is not JSON: %v", err)}
	}
	m := rpcMessage{params: wire.Params}
	if validID(wire.ID) && string(wire.ID) != "null" {
		m.id = wire.ID
	}
	if m.fault = wire.fault(); m.fault == nil && crowded(data) {
		m.fault = crowdedFault()
	}
	if m.fault == nil && wire.Method != nil {
		_ = json.Unmarshal(wire.Method, &m.method) // it is a string
	}
	return m
}

// fault tells why a message is none.
func (e *envelope) fault() *jsonrpc.Error {
	switch {
	case string(e.Version) != `"2.0"`:
		return newFault(jsonrpc.CodeInvalidRequest, `the request is not JSON-RPC: "jsonrpc" is not "2.0"`)
	case !validID(e.ID):
		return newFault(jsonrpc.CodeInvalidRequest, "the id is neither a string nor a number")
	case e.Method != nil && e.Method[0] != '"':
		return newFault(jsonrpc.CodeInvalidRequest, "the method is not a string")
	case string(e.Method) == `""`:
		return newFault(jsonrpc.CodeInvalidRequest, "the method is empty")
	case e.Method == nil && e.Result == nil && e.Error == nil:
		return newFault(jsonrpc.CodeInvalidRequest, "the request has no method")
	}
	return nil
}

func validID(id json.RawMessage) bool {
	return len(id) == 0 || string(id) == "null" || id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}

// speaksModern tells whether params belong to the sessionless protocol: their metadata names its
// version. Text that merely mentions the key does not count.
func speaksModern(params json.RawMessage) bool {
	if !bytes.Contains(params, []byte(mcp.MetaKeyProtocolVersion)) {
		return false
	}
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	return json.Unmarshal(params, &p) == nil && p.Meta[mcp.MetaKeyProtocolVersion] != nil
}

// knownMethods are what clients may call or notify of.
var knownMethods = map[string]bool{
	"initialize": true, "ping": true, "server/discover": true, "completion/complete": true, "logging/setLevel": true,
	"tools/list": true, "tools/call": true, "prompts/list": true, "prompts/get": true,
	"resources/list": true, "resources/templates/list": true, "resources/read": true,
	"resources/subscribe": true, "resources/unsubscribe": true, "subscriptions/listen": true,
	"notifications/initialized": true, "notifications/cancelled": true, "notifications/progress": true,
	"notifications/roots/list_changed": true,
	taskGet:                            true, taskUpdate: true, taskCancel: true,
}

// rpcResponse is the answer to a call.
type rpcResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *jsonrpc.Error  `json:"error,omitempty"`
}

func (m *rpcMessage) answer(result any, f *jsonrpc.Error) rpcResponse {
	if m.id == nil {
		m.id = json.RawMessage("null")
	}
	return rpcResponse{Version: "2.0", ID: m.id, Result: result, Error: f}
}

// writeFault answers with an error of JSON-RPC; without an id it belongs to no call.
func writeFault(w http.ResponseWriter, status int, id json.RawMessage, f *jsonrpc.Error) {
	if id == nil {
		id = json.RawMessage("null")
	}
	writeJSON(w, status, rpcResponse{Version: "2.0", ID: id, Error: f})
}

// writeAnswer writes the answer to a bare call. A result that is JSON already is copied, not read
// again.
func writeAnswer(w http.ResponseWriter, answer rpcResponse) {
	result, ok := answer.Result.(encodedResult)
	if !ok {
		writeJSON(w, http.StatusOK, answer)
		return
	}
	b := make([]byte, 0, len(result.data)+len(answer.ID)+32)
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), answer.ID...)
	b = append(append(b, `,"result":`...), result.data...)
	writeData(w, http.StatusOK, append(b, '}'))
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	data, err := encode(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeData(w, status, data)
}

func writeData(w http.ResponseWriter, status int, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	defer limitWrite(w)()
	_, _ = w.Write(data) // a client that is gone needs no answer
}

// patience is how long a client may take to send a request, or to take an answer in.
const patience = time.Minute

// limitWrite bounds what is written until the result is called. Where the server cannot, its own
// limits hold.
func limitWrite(w http.ResponseWriter) (end func()) {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(patience))
	return func() { _ = control.SetWriteDeadline(time.Time{}) }
}
