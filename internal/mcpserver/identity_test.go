package mcpserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"brenner/internal/protocol"
)

// tokens is a doorkeeper for tests: the bearer token is the agent's name.
func tokens(r *http.Request) (Identity, error) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch token {
	case "wrong":
		return Identity{}, protocol.Errorf(protocol.NotAllowed, "the token is not known")
	case "operator":
		return Identity{Operator: true}, nil
	default:
		return Identity{Agent: token}, nil
	}
}

// acts are calls on behalf of BlueLake, by tool. Strict identity refuses each to others.
var acts = map[string]string{
	"send_message":              `{"project_key":"srv-cells","sender_name":"BlueLake","to":["RedSky"],"subject":"INFO: x","body_md":"x"}`,
	"reply_message":             `{"project_key":"srv-cells","sender_name":"BlueLake","message_id":1,"body_md":"x"}`,
	"register_agent":            `{"project_key":"srv-cells","name":"BlueLake"}`,
	"fetch_inbox":               `{"project_key":"srv-cells","agent_name":"BlueLake"}`,
	"mark_message_read":         `{"project_key":"srv-cells","agent_name":"bluelake","message_id":1}`,
	"acknowledge_message":       `{"project_key":"srv-cells","agent_name":"BlueLake","message_id":1}`,
	"file_reservation_paths":    `{"project_key":"srv-cells","agent_name":"BlueLake","paths":["x"]}`,
	"release_file_reservations": `{"project_key":"srv-cells","agent_name":"BlueLake"}`,
	"renew_file_reservations":   `{"project_key":"srv-cells","agent_name":"BlueLake"}`,
	"macro_start_session":       `{"human_key":"/srv/cells","program":"p","model":"m","agent_name":"BlueLake"}`,
	"macro_prepare_thread":      `{"project_key":"srv-cells","program":"p","model":"m","agent_name":"BlueLake","thread_id":"FEAT-1"}`,
	"brenner_submit":            `{"project_key":"srv-cells","sender_name":"BlueLake","thread_id":"FEAT-1","deltas":[{}]}`,
	"brenner_believe":           `{"project_key":"srv-cells","sender_name":"BlueLake","thread_id":"FEAT-1","credences":{}}`,
	"brenner_result":            `{"project_key":"srv-cells","sender_name":"BlueLake","thread_id":"FEAT-1","test":"T1","outcome":"x"}`,
	"brenner_withdraw": `{"project_key":"srv-cells","sender_name":"BlueLake","thread_id":"FEAT-1","test":"T1","message":1,` +
		`"reason":"r","outcome":"x"}`,
	"brenner_compile":   `{"project_key":"srv-cells","sender_name":"BlueLake","thread_id":"FEAT-1"}`,
	"brenner_critiques": `{"project_key":"srv-cells","sender_name":"BlueLake","action":"answer","message_id":1,"body_md":"x"}`,
	"brenner_wait":      `{"project_key":"srv-cells","agent_name":"BlueLake","timeout_seconds":0}`,
}

// TestStrictIdentity: no agent sends, reads or acknowledges as another.
func TestStrictIdentity(t *testing.T) {
	s := newServer(t, Options{Strict: true, Identity: tokens})
	populate(t, s, "BlueLake", "RedSky")
	post(t, s, "RedSky", "BlueLake", "INFO: first", "x")
	url := serve(t, s).URL
	as := func(token string) *httpWire {
		return &httpWire{url: url, header: http.Header{"Authorization": {"Bearer " + token}}}
	}
	session := as("RedSky")
	session.open(t)
	for tool, arguments := range acts {
		t.Run(tool, func(t *testing.T) {
			for name, w := range map[string]wire{"another": as("RedSky"), "nobody": &httpWire{url: url}, "another's session": session} {
				if result := callOver(t, w, tool, arguments); !result.IsError || !strings.Contains(string(result.Structured),
					`"NOT_ALLOWED"`) {
					t.Errorf("%s: %s", name, result.Structured)
				}
			}
			for _, token := range []string{"BlueLake", "bluelake", "operator"} {
				if result := callOver(t, as(token), tool, arguments); strings.Contains(string(result.Structured), `"NOT_ALLOWED"`) {
					t.Errorf("%s: %s", token, result.Structured)
				}
			}
		})
	}
	read := `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"resource://inbox/BlueLake"}}`
	if answer := string(as("RedSky").send(t, read)); !strings.Contains(answer, "NOT_ALLOWED") {
		t.Errorf("another's inbox: %s", answer)
	}
	if answer := string(as("BlueLake").send(t, read)); !strings.Contains(answer, "contents") {
		t.Errorf("one's own inbox: %s", answer)
	}
}

// TestTokensEndAtTheProject: an agent of the same name in another project is another one.
func TestTokensEndAtTheProject(t *testing.T) {
	s := newServer(t, Options{Identity: tokens})
	populate(t, s, "BlueLake")
	url := serve(t, s).URL
	as := func(token string) *httpWire {
		return &httpWire{url: url, header: http.Header{"Authorization": {"Bearer " + token}}}
	}
	elsewhere := `{"human_key":"/srv/other","program":"p","model":"m","agent_name":"BlueLake"}`
	if result := callOver(t, as("BlueLake"), "macro_start_session", elsewhere); !strings.Contains(string(result.Structured),
		`"NOT_FOUND"`) {
		t.Errorf("makes a project: %s", result.Structured)
	}
	if result := callOver(t, as("operator"), "macro_start_session", elsewhere); result.IsError {
		t.Fatalf("%s", result.Structured)
	}
	for tool, arguments := range map[string]string{
		"macro_start_session": elsewhere,
		"ensure_project":      `{"human_key":"/srv/other"}`,
		"fetch_inbox":         `{"project_key":"/srv/other","agent_name":"BlueLake"}`,
		"search_messages":     `{"project_key":"srv-other","query":"x"}`,
		"send_message":        `{"project_key":"/srv/other","sender_name":"BlueLake","to":"BlueLake","subject":"x","body_md":"x"}`,
	} {
		if result := callOver(t, as("BlueLake"), tool, arguments); !strings.Contains(string(result.Structured), `"NOT_ALLOWED"`) {
			t.Errorf("%s: %s", tool, result.Structured)
		}
	}
	for _, uri := range []string{"resource://agents/srv-other", "resource://inbox/BlueLake?project=/srv/other",
		"resource://project/srv-other"} {
		read := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, uri)
		if answer := string(as("BlueLake").send(t, read)); !strings.Contains(answer, "NOT_ALLOWED") {
			t.Errorf("%s: %s", uri, answer)
		}
	}
}

// looking are the tools that take a name and act for no agent.
var looking = []string{"whois", "brenner_validate", "brenner_why"}

// TestActsAreComplete: each tool that takes an agent's name to act for is in acts.
func TestActsAreComplete(t *testing.T) {
	for _, known := range catalog(All) {
		for _, f := range known.in {
			acting := f.name == "sender_name" || f.name == "agent_name"
			if acting && acts[known.name] == "" && !slices.Contains(looking, known.name) {
				t.Errorf("%s takes %s and is not tried", known.name, f.name)
			}
		}
	}
}

// TestDraftsAreJudgedInTheProject: where one project is served, it is asked without being named.
func TestDraftsAreJudgedInTheProject(t *testing.T) {
	w := newStdioWire(t, newServer(t, Options{}))
	draft := `{"thread_id":"RS-20260110-cells-turn","subject":"DELTA[gpt]: x","body_md":"x"}`
	if result := callOver(t, w, "brenner_validate", draft); !strings.Contains(string(result.Structured), `"NO_KICKOFF"`) {
		t.Errorf("what the project knows is not asked: %s", result.Structured)
	}
}

// TestWrongToken is refused before anything is read.
func TestWrongToken(t *testing.T) {
	s := newServer(t, Options{Identity: tokens})
	url := serve(t, s).URL
	response := (&httpWire{url: url, header: http.Header{"Authorization": {"Bearer wrong"}}}).
		post(t, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	defer response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized || response.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%s", response.Status)
	}
}

// TestSessionBelongsToItsAgent: a session id does not open another's session.
func TestSessionBelongsToItsAgent(t *testing.T) {
	s := newServer(t, Options{Identity: tokens})
	url := serve(t, s).URL
	w := &httpWire{url: url, header: http.Header{"Authorization": {"Bearer BlueLake"}}}
	w.open(t)
	w.header.Set("Authorization", "Bearer RedSky")
	for _, request := range []string{pingRequest, healthRequest} {
		if status := w.status(t, request); status != http.StatusForbidden {
			t.Errorf("%s: %d", request, status)
		}
	}
}

// TestIdentityIsTheDefault: where the connection knows who calls, agents need not say so; and
// without strictness no agent is bound.
func TestIdentityIsTheDefault(t *testing.T) {
	s := newServer(t, Options{As: "BlueLake"})
	populate(t, s, "BlueLake", "RedSky")
	w := newStdioWire(t, s)
	for _, arguments := range []string{
		`{"project_key":"srv-cells","to":["RedSky"],"subject":"INFO: x","body_md":"x"}`,
		`{"project_key":"srv-cells","sender_name":"RedSky","to":["RedSky"],"subject":"INFO: x","body_md":"x"}`,
	} {
		if result := callOver(t, w, "send_message", arguments); result.IsError {
			t.Errorf("%s: %s", arguments, result.Structured)
		}
	}
	bound := newServer(t, Options{As: "BlueLake", Strict: true})
	populate(t, bound, "BlueLake", "RedSky")
	result := callOver(t, newStdioWire(t, bound), "fetch_inbox", fmt.Sprintf(`{"project_key":"srv-cells","agent_name":%q}`, "RedSky"))
	if !strings.Contains(string(result.Structured), "NOT_ALLOWED") {
		t.Errorf("bound: %s", result.Structured)
	}
}
