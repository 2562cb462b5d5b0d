package mcpserver

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// TestToolList compares tools/list with its snapshot, in both profiles and over every wire: names,
// arguments and descriptions are a contract.
func TestToolList(t *testing.T) {
	for _, profile := range Profiles() {
		path := filepath.Join("testdata", "tools_"+string(profile)+".json")
		for i, w := range wires {
			t.Run(string(profile)+"/"+w.name, func(t *testing.T) {
				got := toolList(t, w.open(t, newServer(t, Options{Profile: profile})))
				if *update && i == 0 {
					if err := os.WriteFile(path, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("tools/list (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func toolList(t *testing.T, w wire) []byte {
	t.Helper()
	var answer struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(w.send(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), &answer); err != nil {
		t.Fatal(err)
	}
	return []byte(indent(t, answer.Result))
}

// TestCoreIsSmall keeps the small profile below 6,000 tokens, at four bytes each.
func TestCoreIsSmall(t *testing.T) {
	const most = 6000
	data, err := os.ReadFile("testdata/tools_core.json")
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		t.Fatal(err)
	}
	tokens := compact.Len() / 4
	t.Logf("core: %d tokens", tokens)
	if tokens >= most {
		t.Errorf("tools/list of the core profile has %d tokens, %d are allowed", tokens, most)
	}
}

// contract lists the arguments of each tool as the wire contract has them; ! marks the required
// ones. Tools of our own are in the snapshot.
var contract = map[string]string{
	"health_check":              "",
	"ensure_project":            "human_key!",
	"register_agent":            "project_key! program model name task_description",
	"whois":                     "project_key! agent_name!",
	"send_message":              "project_key! sender_name! to! subject! body_md! cc bcc thread_id importance ack_required idempotency_key",
	"reply_message":             "project_key! message_id! sender_name! body_md! to cc bcc subject_prefix ack_required",
	"fetch_inbox":               "project_key! agent_name! limit urgent_only unread_only include_bodies since_ts thread_id",
	"mark_message_read":         "project_key! agent_name! message_id!",
	"acknowledge_message":       "project_key! agent_name! message_id! ack_body",
	"search_messages":           "project_key! query! limit",
	"summarize_thread":          "project_key! thread_id! include_examples",
	"file_reservation_paths":    "project_key! agent_name! paths! ttl_seconds exclusive reason",
	"release_file_reservations": "project_key! agent_name! paths",
	"renew_file_reservations":   "project_key! agent_name! paths new_ttl_seconds",
	"macro_start_session":       "human_key! program! model! agent_name task_description inbox_limit file_reservation_paths",
	"macro_prepare_thread":      "project_key! thread_id! program! model! agent_name inbox_limit",
}

// TestContract holds names and arguments against the contract.
func TestContract(t *testing.T) {
	tools := map[string]*tool{}
	for _, known := range catalog(Core) {
		tools[known.name] = known
	}
	for name, want := range contract {
		known := tools[name]
		if known == nil {
			t.Errorf("%s is missing from the core profile", name)
			continue
		}
		arguments := map[string]bool{} // name: required
		for _, f := range known.in {
			arguments[f.name] = f.required
		}
		for word := range bytes.FieldsSeq([]byte(want)) {
			argument, required := bytes.CutSuffix(word, []byte("!"))
			if got, ok := arguments[string(argument)]; !ok || got != required {
				t.Errorf("%s: argument %s: there %v, required %v", name, argument, ok, got)
			}
		}
	}
	for _, own := range []string{"brenner_wait", "brenner_submit", "brenner_status", "brenner_results", "brenner_beliefs", "brenner_next",
		"brenner_reasons"} {
		if tools[own] == nil {
			t.Errorf("%s is missing from the core profile", own)
		}
	}
	if want := len(contract) + 8; len(tools) != want {
		t.Errorf("the core profile has %d tools, want %d", len(tools), want)
	}
}

// TestSchemasResolve reads every schema as a client would, and holds an answer that failed
// against it: clients validate those too.
func TestSchemasResolve(t *testing.T) {
	failed := map[string]any{"error": map[string]any{"code": "NOT_FOUND", "message": "m", "findings": []any{}}}
	for _, known := range catalog(All) {
		for _, raw := range []json.RawMessage{inputSchema(known.in), outputSchema(known.out)} {
			var schema jsonschema.Schema
			if err := json.Unmarshal(raw, &schema); err != nil {
				t.Fatalf("%s: %v", known.name, err)
			}
			resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
			if err != nil {
				t.Fatalf("%s: %v", known.name, err)
			}
			if schema.Required == nil {
				if err := resolved.Validate(failed); err != nil {
					t.Errorf("%s: a failure does not pass: %v", known.name, err)
				}
			}
		}
	}
}

// checkSchema holds the answer of a tool against the schema that the tool declares.
func checkSchema(t *testing.T, name string, answer json.RawMessage) {
	t.Helper()
	var got struct {
		Result struct {
			Structured map[string]any `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatal(err)
	}
	for _, known := range catalog(All) {
		if known.name != name {
			continue
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(outputSchema(known.out), &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(got.Result.Structured); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
