package delta

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

func TestReceiptJSON(t *testing.T) {
	body := "```delta\n" + `{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":"x"},"rationale":"r"}` +
		"\n```\n\n```delta\n7\n```\n"
	r := Read(markup.Parse(body), protocol.Strict).Receipt
	r.SetItem(1, "H1")
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"found":2,"accepted":1,"rejected":1,"blocks":[` +
		`{"index":1,"line":1,"status":"accepted","operation":"KILL","section":"hypothesis_slate","target_id":"H1","item_id":"H1",` +
		`"findings":[]},` +
		`{"index":2,"line":5,"status":"rejected","operation":null,"section":null,"target_id":null,"item_id":null,"findings":[` +
		`{"code":"NOT_AN_OBJECT","severity":"error","message":"The block holds a number instead of an ` +
		`object.","item":null,"path":null,"line":6,"column":1,` +
		`"fix":"Write one object with operation, section, target_id, payload and rationale."}]}],"more":0,"more_findings":0}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var back Receipt
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != string(got) {
		t.Errorf("reading the JSON back gives %s, %v", again, err)
	}
}

func TestEmptyReceiptJSON(t *testing.T) {
	got, err := json.Marshal(Read(markup.Parse("nothing"), protocol.Strict).Receipt)
	if want := `{"found":0,"accepted":0,"rejected":0,"blocks":[],"more":0,"more_findings":0}`; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestReceiptOfAMerge(t *testing.T) {
	r := Receipt{Found: 2, Accepted: 2, Blocks: []Block{{Index: 1, Status: Accepted}, {Index: 2, Status: Accepted, ItemID: "H1"}}}
	f := protocol.NewFinding(protocol.InvalidTarget, "gone")
	r.Reject(2, f)
	r.Reject(2, f)
	r.Note(1, protocol.NewFinding(protocol.NoChange, "same"))
	if r.Accepted != 1 || r.Rejected != 1 || r.Blocks[1].Status != Rejected || r.Blocks[1].ItemID != "" {
		t.Errorf("after rejecting: %+v", r)
	}
	if r.Blocks[0].Status != Accepted || len(r.Findings()) != 3 {
		t.Errorf("after noting: %+v", r)
	}
}

func TestReplaceHandles(t *testing.T) {
	ids := map[string]string{"memory": "H4", "a": "H5"}
	tests := map[string]string{
		"":                         "",
		"H1 vs H2":                 "H1 vs H2",
		"@memory":                  "H4",
		"@memory vs @a/@memory.":   "H4 vs H5/H4.",
		"(@a), @unknown, x@a, @":   "(H5), @unknown, x@a, @",
		"@memory-2 and @Memory":    "@memory-2 and @Memory",
		"mail me@a.org or é@a @@a": "mail me@a.org or é@a @@a",
	}
	for text, want := range tests {
		got := ReplaceHandles(text, func(name string) (string, bool) { id, ok := ids[name]; return id, ok })
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
