package evidence

import (
	"fmt"
	"strings"

	"brenner/internal/protocol"
)

// Findings says what is wrong with a quotation: EV-Q01, EV-Q03, EV-Q05, EV-Q06 and EV-Q08. subject names who quotes.
func (c *Checked) Findings(subject string) []protocol.Finding {
	switch c.Verdict {
	case NotFound:
		f := protocol.NewFinding(protocol.EVQ01, "%s quotes %s, which does not stand in %s.", subject, Show(c.Text), c.Citation())
		if c.Fix != "" {
			f = f.WithFix("%s", c.Fix)
		}
		return []protocol.Finding{f}
	case Found:
		return c.remarks(subject)
	}
	var findings []protocol.Finding
	for _, id := range c.Silent {
		f := protocol.NewFinding(protocol.EVQ03, "%s quotes %s, which has no text to compare with.", subject, id)
		if strings.HasPrefix(id, "§") {
			f = f.WithFix("Give the project the transcript that it cites.")
		}
		findings = append(findings, f)
	}
	if c.Loose {
		findings = append(findings, protocol.NewFinding(protocol.EVQ05,
			"%s has %s beside %s, where it does not stand; it was not checked as a quotation.", subject, Show(c.Text), c.Citation()).
			WithFix("If it is a quotation, put its citation directly behind it."))
	}
	return findings
}

// remarks says what is odd about a quotation that stands in its source.
func (c *Checked) remarks(subject string) []protocol.Finding {
	var findings []protocol.Finding
	if c.Left != "" {
		findings = append(findings, protocol.NewFinding(protocol.EVQ06, "%s quotes %s from %s and leaves out %q.", subject, Show(c.Text),
			c.Where, c.Left).
			WithFix("Quote the words around %q too.", c.Left))
	}
	if c.OtherPage.First > 0 {
		findings = append(findings, protocol.NewFinding(protocol.EVQ08, "%s quotes %s from p. %d of %s; it stands on p. %d.", subject,
			Show(c.Text), c.OtherPage.First, c.Where.Evidence, c.Page).
			WithFix("Write (%s, p. %d).", c.Where, c.Page))
	}
	return findings
}

// Findings says what is wrong with a number: EV-N01.
func (c *CheckedFigure) Findings(subject string) []protocol.Finding {
	if c.Verdict != NotFound {
		return nil
	}
	cited := Quote{Citations: c.Citations}.Citation()
	return []protocol.Finding{protocol.NewFinding(protocol.EVN01, "%s gives %s beside %s, which does not have that number.", subject,
		c.Text, cited).
		WithFix("Give the number of the source, or say how it follows from it.")}
}

// Show prints a passage within a line.
func Show(text string) string {
	return fmt.Sprintf("%q", protocol.Shorten(text, 160))
}
