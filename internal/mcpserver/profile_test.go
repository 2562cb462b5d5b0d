package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"brenner/internal/mail"
)

// required lists what an input schema asks for.
func required(t *testing.T, raw []byte, tool string) []string {
	t.Helper()
	var list struct {
		Tools []struct {
			Name        string
			InputSchema struct{ Required []string }
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	for _, each := range list.Tools {
		if each.Name == tool {
			return each.InputSchema.Required
		}
	}
	return nil
}

// TestProfileOfARequest: a client that asks for the tools of a session at its address is offered those alone, and
// need not name the project; others at the same server see the contract as it is.
func TestProfileOfARequest(t *testing.T) {
	s := newServer(t, Options{})
	url := serve(t, s).URL
	populate(t, s, "BlueLake")
	if _, err := s.projects.store().EnsureProject(t.Context(), "/srv/other", s.projects.home.mail.Now()); err != nil {
		t.Fatal(err)
	}
	session, all := &httpWire{url: url + "/?tools=session"}, &httpWire{url: url}
	if got := required(t, toolList(t, session), "fetch_inbox"); !slices.Equal(got, []string{"agent_name"}) {
		t.Errorf("session: required %q", got)
	}
	if got := required(t, toolList(t, all), "fetch_inbox"); !slices.Equal(got, []string{"project_key", "agent_name"}) {
		t.Errorf("all: required %q", got)
	}
	if required(t, toolList(t, session), "whois") != nil {
		t.Error("whois is offered in a session")
	}
	if got := callOver(t, session, "fetch_inbox", `{"agent_name":"BlueLake"}`); got.IsError {
		t.Errorf("%s", got.Structured)
	}
	if got := callOver(t, all, "fetch_inbox", `{"agent_name":"BlueLake"}`); !got.IsError ||
		!strings.Contains(string(got.Structured), "project_key is missing") {
		t.Errorf("with two projects: %s", got.Structured)
	}
	if got := session.send(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whois",`+
		`"arguments":{"agent_name":"BlueLake"}}}`); !strings.Contains(string(got), "unknown tool") {
		t.Errorf("%s", got)
	}
	if got := (&httpWire{url: url + "/?tools=none"}).send(t,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); !strings.Contains(string(got), "session, core or all") {
		t.Errorf("%s", got)
	}
}

// TestOneProject: where the store has one project it need not be named, and a wrong name is answered with the right
// one.
func TestOneProject(t *testing.T) {
	s := newServer(t, Options{})
	w := &httpWire{url: serve(t, s).URL}
	populate(t, s, "BlueLake")
	if got := callOver(t, w, "fetch_inbox", `{"agent_name":"BlueLake"}`); got.IsError {
		t.Errorf("%s", got.Structured)
	}
	if got := callOver(t, w, "fetch_inbox",
		`{"project_key":"/tmp/elsewhere","agent_name":"BlueLake"}`); !strings.Contains(string(got.Structured),
		"this server serves /srv/cells") {
		t.Errorf("%s", got.Structured)
	}
}

// TestKnownAgent: an agent whose connection says who it is and where it works names neither, and what fails is told
// with both.
func TestKnownAgent(t *testing.T) {
	var failures []Failure
	s := newServer(t, Options{
		Profile: Session, As: "BlueLake", Strict: true, Thread: "RS-20260110-cells", Failed: func(f Failure) {
			failures = append(failures, f)
		},
	})
	populate(t, s, "BlueLake", "RedSky")
	w := newStdioWire(t, s)
	if got := required(t, toolList(t, w), "brenner_submit"); len(got) != 0 {
		t.Errorf("required %q", got)
	}
	post(t, s, "RedSky", "BlueLake", "INFO: x", "y")
	if got := callOver(t, w, "fetch_inbox", `{}`); got.IsError || !strings.Contains(string(got.Structured), "INFO: x") {
		t.Errorf("%s", got.Structured)
	}
	if got := callOver(t, w, "brenner_submit", `{"sender_name":"RedSky","deltas":[{}]}`); !got.IsError {
		t.Errorf("%s", got.Structured)
	}
	if len(failures) != 1 || failures[0].Agent != "BlueLake" || failures[0].Tool != "brenner_submit" ||
		failures[0].Thread != "RS-20260110-cells" || mail.CodeOf(failures[0].Err) != "NOT_ALLOWED" {
		t.Errorf("%+v", failures)
	}
}
