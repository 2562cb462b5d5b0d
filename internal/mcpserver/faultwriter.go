package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// faultWriter turns refusals that the SDK writes as plain text into errors of JSON-RPC: that is
// what clients can read.
type faultWriter struct {
	http.ResponseWriter
	body   []byte // of the request
	status int    // of a refusal; 0 if there is none
	text   bytes.Buffer
	failed bool                    // begin did
	begin  func(http.Header) error // has something to add to an answer that is no refusal; nil: nothing
}

// WriteHeader holds a refusal back until its text is known.
func (w *faultWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	if w.add() {
		w.ResponseWriter.WriteHeader(status)
	}
}

// add lets begin add what it has, once. Should it fail that is the answer.
func (w *faultWriter) add() bool {
	if w.begin == nil {
		return w.status == 0
	}
	begin := w.begin
	w.begin = nil
	if err := begin(w.Header()); err != nil {
		w.status, w.body = http.StatusServiceUnavailable, nil
		w.text.WriteString(err.Error())
		w.failed = true
	}
	return w.status == 0
}

// Write implements io.Writer.
func (w *faultWriter) Write(data []byte) (int, error) {
	if w.status == 0 && w.begin != nil {
		w.add()
	}
	switch {
	case w.failed: // what the SDK has to say is beside the point
		return len(data), nil
	case w.status != 0:
		return w.text.Write(data)
	}
	defer limitWrite(w.ResponseWriter)()
	return w.ResponseWriter.Write(data)
}

// Unwrap lets streams flush.
func (w *faultWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// finish writes the refusal, if there is one. It is then time to look at what was refused.
func (w *faultWriter) finish() {
	if w.status == 0 {
		return
	}
	w.Header().Del("X-Content-Type-Options")
	var id json.RawMessage
	if w.status == http.StatusBadRequest && w.body != nil {
		messages, batch, f := parseMessages(w.body)
		switch {
		case f != nil:
			writeFault(w.ResponseWriter, w.status, nil, f)
			return
		case !batch && messages[0].fault != nil:
			writeFault(w.ResponseWriter, w.status, messages[0].id, messages[0].fault)
			return
		case !batch && !knownMethods[messages[0].method] && messages[0].id == nil: // a notification of the future
			w.ResponseWriter.WriteHeader(http.StatusAccepted)
			return
		case !batch && !knownMethods[messages[0].method]:
			writeFault(w.ResponseWriter, http.StatusOK, messages[0].id, unknownMethod(messages[0].method))
			return
		case !batch:
			id = messages[0].id
		}
	}
	writeFault(w.ResponseWriter, w.status, id, newFault(w.code(), "%s", strings.TrimSpace(w.text.String())))
}

func (w *faultWriter) code() int64 {
	switch {
	case w.status == http.StatusNotFound:
		return sessionNotFound
	case w.status >= http.StatusInternalServerError:
		return jsonrpc.CodeInternalError
	default:
		return jsonrpc.CodeInvalidRequest
	}
}

// sessionNotFound is the code that other servers give a session that ended.
const sessionNotFound = -32001
