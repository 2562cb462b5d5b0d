package delta

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

func readBody(body string) Reading { return Read(markup.Parse(body), protocol.Strict) }

// written is a receipt as an answer has it.
func written(t *testing.T, r Receipt) (Receipt, int) {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Receipt
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	return back, len(data)
}

// A message with too many blocks is not read; its receipt has the totals (PROTOCOL 6).
func TestTooManyBlocks(t *testing.T) {
	kill := "```delta\n" + `{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":"x"},"rationale":"r"}` +
		"\n```\n"
	most := readBody(strings.Repeat(kill, artifact.MaxBlocks))
	if most.TooMany() || most.Receipt.Accepted != artifact.MaxBlocks {
		t.Errorf("%d blocks: %d accepted", artifact.MaxBlocks, most.Receipt.Accepted)
	}
	over := readBody(strings.Repeat(kill, artifact.MaxBlocks+1))
	r := over.Receipt
	if !over.TooMany() || r.Found != artifact.MaxBlocks+1 || r.Accepted != 0 || r.Rejected != r.Found || len(over.Deltas) != 0 {
		t.Errorf("one too many: %d found, %d accepted, %d rejected, %d deltas", r.Found, r.Accepted, r.Rejected, len(over.Deltas))
	}
	answer, size := written(t, readBody(strings.Repeat("```delta\n```\n", 65_000)).Receipt)
	if answer.Found != 65_000 || answer.Rejected != 65_000 || len(answer.Blocks) != protocol.MaxListed || answer.More != 64_800 ||
		size > 64<<10 {
		t.Errorf("the answer has %d bytes: %d found, %d rejected, %d blocks, %d more", size, answer.Found, answer.Rejected,
			len(answer.Blocks), answer.More)
	}
}

// An answer lists 200 blocks and 200 findings and counts the rest; why a block is rejected is
// kept whatever came before it.
func TestFindingsAreCounted(t *testing.T) {
	var fields strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&fields, `,"k%d":0`, i)
	}
	body := "```delta\n" + `{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":"c"` + fields.String() +
		`},"rationale":"r"}` + "\n```\n" +
		strings.Repeat("```delta\n7\n```\n", 500)
	r := readBody(body).Receipt
	if r.Found != 501 || r.Rejected != 500 || len(r.Findings()) != protocol.MaxListed+500 || r.MoreFindings != 4800 {
		t.Errorf("%d found, %d rejected, %d findings and %d more", r.Found, r.Rejected, len(r.Findings()), r.MoreFindings)
	}
	for _, b := range r.Blocks {
		if b.Status == Rejected && !protocol.HasErrors(b.Findings) {
			t.Fatalf("block %d does not say why it is rejected", b.Index)
		}
	}
	answer, _ := written(t, r)
	errors := 0
	for _, f := range answer.Findings() {
		if f.Severity == protocol.SeverityError {
			errors++
		}
	}
	if len(answer.Blocks) != protocol.MaxListed || answer.More != 301 || len(answer.Findings()) != protocol.MaxListed ||
		errors != protocol.MaxListed-1 {
		t.Errorf("the answer lists %d blocks, %d more; %d findings, %d of them errors", len(answer.Blocks), answer.More,
			len(answer.Findings()), errors)
	}
	if got := len(answer.Findings()) + answer.MoreFindings; got != 5500 {
		t.Errorf("%d findings in all, want 5500", got)
	}
}

// What only looks like a delta is counted beyond the list as well.
func TestNearMissesAreCounted(t *testing.T) {
	if r := readBody(strings.Repeat("DELTA[x]: y\n", 1000)); len(r.NearMisses) != protocol.MaxListed || r.MoreMisses != 800 {
		t.Errorf("%d near misses, %d more", len(r.NearMisses), r.MoreMisses)
	}
}
