package delta

import (
	"strings"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

func readOne(t *testing.T, object string) Block {
	t.Helper()
	r := Read(markup.Parse("```delta\n"+object+"\n```\n"), protocol.Strict)
	if len(r.Receipt.Blocks) != 1 {
		t.Fatalf("%d blocks", len(r.Receipt.Blocks))
	}
	return r.Receipt.Blocks[0]
}

func editOf(payload string) string {
	return `{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","rationale":"r","payload":{` + payload + `}}`
}

func TestLimits(t *testing.T) {
	field := artifact.MaxFieldBytes
	tests := []struct {
		name, object string
		want         protocol.Code // empty: accepted
	}{
		{"text at the limit", editOf(`"claim":"` + strings.Repeat("x", field) + `"`), ""},
		{"text over the limit", editOf(`"claim":"` + strings.Repeat("x", field+1) + `"`), protocol.FieldTooLong},
		{"text counts without its escapes", editOf(`"claim":"` + strings.Repeat(`\\`, field) + `"`), ""},
		{"text in bytes", editOf(`"claim":"` + strings.Repeat("é", field/2+1) + `"`), protocol.FieldTooLong},
		{"list", editOf(`"anchors":["` + strings.Repeat("x", field) + `"]`), protocol.FieldTooLong},
		{"list with space", editOf(`"anchors":[` + strings.Repeat(" ", field) + `"x"]`), ""},
		{"unknown field", editOf(`"note":"` + strings.Repeat("x", field+1) + `"`), protocol.FieldTooLong},
		{"rationale", strings.Replace(editOf(`"claim":"x"`), `"r"`, `"`+strings.Repeat("x", field+1)+`"`, 1), protocol.FieldTooLong},
		{"reason", `{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","rationale":"r","payload":{"reason":"` +
			strings.Repeat("x", field+1) + `"}}`, protocol.FieldTooLong},
		{"block at the limit", pad(editOf(`"claim":"x"`), artifact.MaxBlockBytes-1), ""}, // the last line ending counts
		{"block over the limit", pad(editOf(`"claim":"x"`), artifact.MaxBlockBytes), protocol.BlockTooLarge},
		{"nested at the limit", editOf(`"note":` + nested(MaxDepth-2)), ""},
		{"nested over the limit", editOf(`"note":` + nested(MaxDepth-1)), protocol.InvalidField},
		{"nested beyond the library's limit", editOf(`"note":` + nested(20_000)), protocol.InvalidJSON},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := readOne(t, test.object)
			if test.want == "" {
				if b.Status != Accepted {
					t.Errorf("rejected: %v", b.Findings)
				}
				return
			}
			if b.Status != Rejected || b.Findings[len(b.Findings)-1].Code != test.want {
				t.Errorf("%s with %v, want %s", b.Status, b.Findings, test.want)
			}
		})
	}
}

func pad(object string, size int) string { return object + strings.Repeat(" ", size-len(object)) }

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// TestPlacesInLongLines: columns stay right far into a line.
func TestPlacesInLongLines(t *testing.T) {
	text := strings.Repeat("é", 3000)
	b := readOne(t, editOf(`"claim":"`+text+`","anchors":7`))
	want := strings.Index(editOf(`"claim":"`), `"claim"`) + len(`"claim":"`) + 3000 + len(`","anchors":`) + 1
	if f := b.Findings[0]; f.Line != 2 || f.Column != want {
		t.Errorf("%d:%d, want 2:%d", f.Line, f.Column, want)
	}
}
