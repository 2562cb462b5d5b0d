package repair

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/artifact"
)

const (
	goodBlock = `{"operation": "ADD", "section": "hypothesis_slate", "payload": {"name": "n", "claim": "Cells remember where they ` +
		`were", "mechanism": "Marks persist through every division", "anchors": ["§42"]}, "rationale": "r"}`
	brokenBlock = `{'operation': 'add', section: “hypotheses”, payload: {name: 'n', statement: 'It's the cell's', basis: {"a": 1}, id: ` +
		`"H1",},}`
	emptyBlock2 = `{"operation": "ADD", "section": "hypothesis_slate", "payload": {}}`
)

// fragments are lines from which messages are put together that no one would write: what
// matters is that repairs hold their laws wherever a block may be.
var fragments = []string{
	goodBlock, brokenBlock, emptyBlock2, `{"operation": "ADD", "section": "tests", ...}`,
	`{"operation": "ADD", "section": "hypothesis_slate", "local_id": "a", "payload": {"name": "n", "claim": "c", "mechanism": "m", ` +
		`"anchors": ["§1"]}}`,
	`{"operation": "add", "section": "predictions", "payload": {"condition": "c", "predictions": {"@a": "x"}}}`,
	`[` + goodBlock + `, ` + brokenBlock + `]`, `{"deltas": [` + goodBlock + `]}`,
	"```delta", "```json", "```", "~~~", "~~~delta", "````markdown", "````", "```delta " + goodBlock,
	"`" + goodBlock + "`", "> ```delta", "> " + goodBlock, "> words", "<div>", "</div>", "<!--", "-->",
	"# Delta Contribution", "# Title", "Title\n=====", "## Deltas", "### DELTA: ADD hypothesis_slate", "# DELTA[gpt]: x",
	"**Name**: n", "**Claim**: c", "**Mechanism**: m", "**Base Version**: v2", "DELTA[gpt]: Added H4", "DELTA[gpt]: " + goodBlock,
	"- item", "1. item", "-", "---", "words", "", "", "delta", "{", "}", `"`, "'", "/*", "\\",
}

func TestFixLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 14).Draw(t, "lines") {
			b.WriteString(rapid.SampledFrom([]string{"", "", "", "", " ", "  ", "    ", "\t", "- ", "1. ", "> ", "words "}).
				Draw(t, "indent"))
			b.WriteString(rapid.SampledFrom(fragments).Draw(t, "fragment"))
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n\n", "\r\n", " ", ""}).Draw(t, "end"))
		}
		checkFixLaws(t, b.String())
	})
}

// Blocks that are not read are not repaired (PROTOCOL 6).
func TestTooManyBlocks(t *testing.T) {
	got := Fix(strings.Repeat("```delta\n{,}\n```\n", artifact.MaxBlocks+1))
	if got.Changed || len(got.Repairs) > 0 {
		t.Errorf("%d repairs", len(got.Repairs))
	}
}

// testingT is what the laws need of a test.
type testingT interface {
	Helper()
	Errorf(format string, args ...any)
}
