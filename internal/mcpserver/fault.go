package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// newFault is an error of the request itself, as JSON-RPC has them.
func newFault(code int64, format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: protocol.ShortenBytes(fmt.Sprintf(format, args...), maxFault)}
}

// resourceNotFound is the code of a resource that is not there, up to the protocol of 2025; the
// sessionless one calls it invalid params.
const resourceNotFound = -32002

// faultOf turns the failure of a resource or a prompt, which have no results for failures, into
// an error of JSON-RPC. Our own code and the findings travel as its data.
func faultOf(err error, uri string) *jsonrpc.Error {
	if known, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return known
	}
	f := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: protocol.ShortenBytes(err.Error(), maxFault)}
	switch mail.CodeOf(err).Info().Class {
	case protocol.ClassNotFound:
		f.Code = resourceNotFound
	case protocol.ClassInvalid, protocol.ClassUsage:
		f.Code = jsonrpc.CodeInvalidParams
	case protocol.ClassNotAllowed:
		f.Code = jsonrpc.CodeInvalidRequest
	}
	data, encodeErr := encode(struct {
		protocol.ErrorObject
		URI string `json:"uri"`
	}{describe(err), protocol.ShortenBytes(uri, maxFault)})
	if encodeErr == nil {
		f.Data = json.RawMessage(data)
	}
	return f
}
