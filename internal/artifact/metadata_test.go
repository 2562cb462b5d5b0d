package artifact

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
)

// TestMetadataHasEveryKey is PROTOCOL's rule for JSON: what is absent is null or empty, never
// a missing key.
func TestMetadataHasEveryKey(t *testing.T) {
	empty, err := json.Marshal(Document{Artifact: New()})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"metadata":{"session_id":null,"version":0,"status":null,"created_at":null,"updated_at":null,"compiled_at":null,` +
		`"compiled_by":null,"contributors":[],"contributor_details":[],"roster":null,"artifact_hash":null,"research_program":null,` +
		`"agent_mail_message_id":null,"chain_hash":null},"sections":{"research_thread":{"id":"RT"},"hypothesis_slate":[],` +
		`"predictions_table":[],"discriminative_tests":[],"assumption_ledger":[],"anomaly_register":[],"adversarial_critique":[]}}`
	if diff := cmp.Diff(want, string(empty)); diff != "" {
		t.Error(diff)
	}
	full, err := json.Marshal(Metadata{
		SessionID: "s", Version: 2, Status: StatusActive, CreatedAt: time.Unix(0, 0), CompiledBy: "Operator", Contributors: []string{"gpt"},
		ContributorDetails: []ContributorDetail{{Agent: "BlueLake", Deltas: 3}}, Roster: &protocol.Roster{}, AgentMailMessageID: 7,
	})
	if err != nil {
		t.Fatal(err)
	}
	const wantFull = `{"session_id":"s","version":2,"status":"active","created_at":"1970-01-01T00:00:00.000000Z","updated_at":null,` +
		`"compiled_at":null,` +
		`"compiled_by":"Operator","contributors":["gpt"],"contributor_details":[{"agent":"BlueLake","shorthand":null,"role":null,` +
		`"program":null,` +
		`"model":null,"deltas":3}],"roster":{"entries":[],"mode":"role_separated"},"artifact_hash":null,"research_program":null,` +
		`"agent_mail_message_id":7,"chain_hash":null}`
	if diff := cmp.Diff(wantFull, string(full)); diff != "" {
		t.Error(diff)
	}
}
