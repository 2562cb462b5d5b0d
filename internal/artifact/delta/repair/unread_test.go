package repair_test

import (
	"strings"
	"testing"

	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/delta/repair"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

const (
	goodBlock = "```delta\n{\"operation\":\"KILL\",\"section\":\"hypothesis_slate\",\"target_id\":\"H1\",\"payload\":{\"reason\":\"r\"}," +
		"\"rationale\":\"r\"}\n```\n"
	badBlock = "```delta\n{\"operation\":\"KILL\",\"section\":\"hypothesis_slate\",\"target_id\":\"H2\",\"payload\":{\"reason\":\"r\"}," +
		"\"rationale\":\"r\",}\n```\n"
)

func unread(body string) (string, bool) {
	doc := markup.Parse(body)
	return repair.Unread(doc, delta.Read(doc, protocol.Strict))
}

// TestUnread: a repair holds what was not merged, and never what was.
func TestUnread(t *testing.T) {
	if rest, broken := unread("# D\n\n" + goodBlock); broken {
		t.Errorf("nothing is broken, yet %q is left", rest)
	}
	rest, broken := unread("# D\n\n" + goodBlock + "\n" + badBlock + "\nwords\n")
	if !broken || strings.Contains(rest, `"H1"`) || !strings.Contains(rest, `"H2"`) || !strings.Contains(rest, "words") {
		t.Errorf("left: %q", rest)
	}
	fixed := repair.Fix(rest)
	if fixed.Receipt.Found != 1 || fixed.Receipt.Accepted != 1 || !strings.HasPrefix(fixed.Text, repair.CorrectedTitle) {
		t.Errorf("repaired: %+v\n%s", fixed.Receipt, fixed.Text)
	}
}
