package mcpclient

import (
	"encoding/json"
	"errors"

	"brenner/internal/protocol"
)

// fault is an error of JSON-RPC.
type fault struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"` // anything; an object with a code if the server is one of ours
}

// failure makes an error of a fault. A code of ours that came with it is kept.
func (f *fault) failure(method string) error {
	var told struct{ Code protocol.Code }
	if json.Unmarshal(f.Data, &told) == nil && known(told.Code) {
		return protocol.Errorf(told.Code, "%s", f.Message)
	}
	return protocol.Errorf(protocol.Internal, "the server answers %s with fault %d: %s%w", method, f.Code, f.Message, ErrUncoded)
}

// ErrUncoded marks a refusal of the server that carries no code of ours.
var ErrUncoded = errors.New("")

// known tells whether a code is in our table.
func known(code protocol.Code) bool { return code != "" && code.Info().Meaning != "" }
