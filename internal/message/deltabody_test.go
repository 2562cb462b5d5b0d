package message_test

import (
	"testing"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// A body reads as the blocks that were put into it, whatever is in them: a block with a row of backticks stays one block.
func TestDeltaBody(t *testing.T) {
	block := `{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"N","claim":"c","mechanism":"m",` +
		`"anchors":["inference"]},"rationale":"r"}`
	quoted := "{\"operation\":\"ADD\",\"section\":\"hypothesis_slate\",\"target_id\":null,\n\"payload\":{\"name\":\"N\"," +
		"\"claim\":\"\n```\nc\",\"mechanism\":\"m\"},\"rationale\":\"r\"}"
	report := message.Check(message.Draft{ThreadID: "RS-20260110-cells-turn", From: "Alpha", To: []string{"Beta"},
		Subject: "DELTA[gpt]: Two", Body: message.DeltaBody("Why.", block, quoted)},
		message.Facts{Intake: protocol.Lenient})
	if report.Receipt == nil || report.Receipt.Found != 2 || report.Receipt.Blocks[0].Index != 1 || len(report.Deltas) == 0 {
		t.Errorf("%+v", report.Receipt)
	}
	if got, want := message.DeltaBody(""), "# Delta Contribution\n\n## Deltas\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCompiledSummary(t *testing.T) {
	for subject, want := range map[string]string{
		"COMPILED: v3 added H1, edited T2": "added H1, edited T2",
		"COMPILED: v12":                    "",
		"COMPILED: the last word":          "the last word",
	} {
		if got := message.CompiledSummary(subject); got != want {
			t.Errorf("%q says %q, want %q", subject, got, want)
		}
	}
}
