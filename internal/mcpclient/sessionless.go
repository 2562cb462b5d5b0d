package mcpclient

import (
	"cmp"
	"encoding/json"

	"brenner/internal/protocol"
)

type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// self is who calls.
var self = implementation{"brenner", "1"}

// sessionlessRequest makes a call that is complete in itself: its metadata say which version it speaks, who calls, and what that can do,
// which is nothing that a server could ask for.
func sessionlessRequest(method string, params any) (request, error) {
	data, err := json.Marshal(params)
	if err != nil {
		return request{}, protocol.Errorf(protocol.Internal, "%w", err)
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &all); err != nil {
		return request{}, protocol.Errorf(protocol.Internal, "%w", err)
	}
	var named struct{ Name, URI string }
	if err := json.Unmarshal(data, &named); err != nil {
		return request{}, protocol.Errorf(protocol.Internal, "%w", err)
	}
	all["_meta"], err = json.Marshal(map[string]any{
		"io.modelcontextprotocol/protocolVersion":    sessionless,
		"io.modelcontextprotocol/clientInfo":         self,
		"io.modelcontextprotocol/clientCapabilities": struct{}{},
	})
	return request{Method: method, Params: all, modern: true, name: cmp.Or(named.Name, named.URI)}, err
}
