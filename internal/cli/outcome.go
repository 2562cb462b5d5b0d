package cli

import (
	"fmt"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/session"
)

// outcome tells on stderr what compiling came to: findings, counts, changes, conflicts, lint.
func (p *printer) outcome(o session.Outcome) {
	if p.quiet {
		return
	}
	p.findingsOnErr(o.Findings)
	d := o.Deltas
	p.note("%s: %s found, %d accepted, %d rejected; %d applied, %d skipped", visible(o.ThreadID),
		count(d.Found, "delta"), d.Accepted, d.Rejected, d.Applied, d.Skipped)
	p.note("%s", visible(changesText(o.Changes)))
	for _, c := range o.Conflicts {
		p.note("conflict on %s.%s: %s wins", c.Item, visible(c.Field), visible(claimant(c.Winner)))
	}
	p.note("lint: %s", tally(violations(o.Lint)))
	if o.Predictions.Stated > 0 {
		p.note("%s", o.Predictions)
		p.note("%s", o.Coverage.Line())
	}
}

func claimant(c merge.Claim) string {
	if c.Agent == "" {
		return "the value before"
	}
	return fmt.Sprintf("%s (message %d)", c.Agent, c.MessageID)
}

func changesText(c merge.Changes) string {
	var parts []string
	for _, kind := range []struct {
		verb string
		ids  []artifact.ItemID
	}{{"added", c.Added}, {"edited", c.Edited}, {"killed", c.Killed}} {
		if len(kind.ids) > 0 {
			parts = append(parts, kind.verb+" "+itemsText(kind.ids))
		}
	}
	if len(parts) == 0 {
		return "nothing changed"
	}
	return strings.Join(parts, "; ")
}

// itemsText lists ids; of many it says how many more there are.
func itemsText(ids []artifact.ItemID) string {
	const maxNamed = 20
	names := make([]string, 0, maxNamed)
	for _, id := range ids[:min(maxNamed, len(ids))] {
		names = append(names, string(id))
	}
	text := strings.Join(names, ", ")
	if len(ids) > maxNamed {
		text += fmt.Sprintf(" and %d more", len(ids)-maxNamed)
	}
	return text
}
