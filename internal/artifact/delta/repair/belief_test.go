package repair_test

import (
	"strings"
	"testing"

	"brenner/internal/artifact/delta/repair"
)

// TestFixCarriesNoBelief: no one speaks for another (SCIENCE 4). A quoted block is text and stays.
func TestFixCarriesNoBelief(t *testing.T) {
	const belief = "```belief\n{\"credences\": {\"H1\": 0.5}}\n```\n"
	const block = "```delta\n{\"operation\":\"ADD\",\"section\":\"%s\",\"payload\":{\"name\":\"a\",\"claim\":\"c\",\"mechanism\":\"m\"," +
		"\"anchors\":[\"inference\"]},\"rationale\":\"r\"}\n```\n"
	for _, section := range []string{"hypothesis_slate", "hypotheses"} { // right, and to be repaired
		body := "# D\n\nBefore.\n\n" + belief + "\n" + strings.Replace(block, "%s", section, 1) + "\n- ~~~ Belief x\n  {}\n  ~~~\n\n> " +
			"```belief\n> {}\n> ```\n\nAfter.\n"
		got := repair.Fix(body)
		if strings.Contains(got.Text, "0.5") || strings.Contains(got.Text, "Belief x") || !strings.Contains(got.Text, "> ```belief") {
			t.Errorf("%s: %s", section, got.Text)
		}
		if !strings.Contains(got.Text, "Before.") || !strings.Contains(got.Text, "After.") || got.Receipt.Accepted != 1 || !got.Changed {
			t.Errorf("%s: %+v", section, got)
		}
		if again := repair.Fix(got.Text); again.Changed {
			t.Errorf("%s: fixing again changes %q to %q", section, got.Text, again.Text)
		}
	}
}
