package mcpserver

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"brenner/internal/protocol"
)

// TestBeginOfAnOperatorsCall: the beginning is told before the tool runs and can refuse it; reading and agents' calls
// begin nothing.
func TestBeginOfAnOperatorsCall(t *testing.T) {
	var told []string
	var refusal error
	s := newServer(t, Options{
		Identity: func(r *http.Request) (Identity, error) {
			return Identity{Name: "alice", Operator: r.Header.Get("Authorization") != ""}, nil
		},
		Begin: func(_ context.Context, a Act) (func(protocol.Code), error) {
			told = append(told, a.Operator+" "+a.Tool)
			return func(code protocol.Code) { told = append(told, "ended "+string(code)) }, refusal
		},
	})
	populate(t, s, "BlueLake")
	url := serve(t, s).URL
	operator := &httpWire{url: url, header: http.Header{"Authorization": {"Bearer x"}}}
	register := `{"project_key":"srv-cells","name":"GreenHill"}`
	callOver(t, &httpWire{url: url}, "register_agent", `{"project_key":"srv-cells","name":"RedSky"}`)
	callOver(t, operator, "whois", `{"project_key":"srv-cells","agent_name":"BlueLake"}`)
	refusal = protocol.Errorf(protocol.StoreUnavailable, "no log")
	if result := callOver(t, operator, "register_agent", register); !strings.Contains(string(result.Structured), "STORE_UNAVAILABLE") {
		t.Errorf("refused: %s", result.Structured)
	}
	if result := callOver(t, operator, "whois", `{"project_key":"srv-cells","agent_name":"GreenHill"}`); !result.IsError {
		t.Errorf("what was refused was done: %s", result.Structured)
	}
	refusal = nil
	callOver(t, operator, "register_agent", register)
	want := []string{"alice register_agent", "ended STORE_UNAVAILABLE", "alice register_agent", "ended "}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}
