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
	id     json.RawMessage
	status int // of a refusal; 0 if there is none
	text   bytes.Buffer
}

// WriteHeader holds a refusal back until its text is known.
func (w *faultWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (w *faultWriter) Write(data []byte) (int, error) {
	if w.status != 0 {
		return w.text.Write(data)
	}
	defer limitWrite(w.ResponseWriter)()
	return w.ResponseWriter.Write(data)
}

// Unwrap lets streams flush.
func (w *faultWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// finish writes the refusal, if there is one.
func (w *faultWriter) finish() {
	if w.status == 0 {
		return
	}
	code := int64(jsonrpc.CodeInvalidRequest)
	switch {
	case w.status == http.StatusNotFound:
		code = sessionNotFound
	case w.status >= http.StatusInternalServerError:
		code = jsonrpc.CodeInternalError
	}
	w.Header().Del("X-Content-Type-Options")
	writeFault(w.ResponseWriter, w.status, w.id, newFault(code, "%s", strings.TrimSpace(w.text.String())))
}

// sessionNotFound is the code that other servers give a session that ended.
const sessionNotFound = -32001
