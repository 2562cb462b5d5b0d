package message

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
)

// TestReferences holds the ways in which people write references to what is read from them.
func TestReferences(t *testing.T) { runVectors(t, "testdata/references") }

// TestSchemas holds the table to the specification's: which sections each type has, and how
// much they are asked for.
func TestSchemas(t *testing.T) {
	var b strings.Builder
	for _, schema := range Schemas() {
		fmt.Fprintf(&b, "%s: # %s\n", schema.Type, schema.Title)
		for _, s := range schema.Sections {
			need := "optional"
			if s.Required() {
				need = "required"
			} else if s.Recommended() {
				need = "recommended"
			}
			fmt.Fprintf(&b, "  ## %s: %s %v %s\n", s.Name, need, s.Codes, strings.Join(s.Values, " | "))
		}
	}
	const file = "testdata/schemas.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, typ := range protocol.MessageTypes() {
		if SchemaOf(typ).ack == "" {
			t.Errorf("%s has no rule for ack_required", typ)
		}
	}
}

// TestClosedSetsAreNamed: a finding on a section with a closed set names the whole set, whether the section is missing, empty or
// says something else. An agent that is refused must not have to guess.
func TestClosedSetsAreNamed(t *testing.T) {
	for _, schema := range Schemas() {
		for _, s := range schema.Sections {
			if len(s.Values) == 0 {
				continue
			}
			for _, body := range []string{"# T\n", "# T\n\n## " + s.Name + "\n", "# T\n\n## " + s.Name + "\n\nno such word\n"} {
				draft := Draft{ThreadID: "RS-20251230-cell-fate", From: "BlueLake", To: []string{"Operator"}, Subject: string(schema.Type) +
					": x", Body: body}
				found := false
				for _, f := range Check(draft, Facts{Intake: protocol.Strict}).Findings {
					if f.Code != s.Codes[0] {
						continue
					}
					found = true
					for _, value := range s.Values {
						if !strings.Contains(f.Fix, value) {
							t.Errorf("%s %q: the fix does not name %s: %s", f.Code, body, value, f.Fix)
						}
					}
				}
				if !found {
					t.Errorf("%s: no %s", body, s.Codes[0])
				}
			}
		}
	}
}

func TestEnforced(t *testing.T) {
	for _, c := range []struct {
		thread string
		first  protocol.MessageType
		want   bool
	}{
		{"RS-20251230-cell-fate-map", protocol.TypeInfo, true},
		{"RS-20251230-cell-fate-map", "", true},
		{"brenner_bot-5so", protocol.TypeKickoff, true},
		{"COORD-daily-sync", protocol.TypeKickoff, true},
		{"brenner_bot-5so", protocol.TypeDelta, false},
		{"", "", false},
	} {
		if got := Enforced(c.thread, c.first); got != c.want {
			t.Errorf("%q after %q: %t", c.thread, c.first, got)
		}
	}
}
