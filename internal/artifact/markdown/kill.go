package markdown

import (
	"brenner/internal/artifact"
	"brenner/internal/pattern"
)

// killLine is a kill record on one line, as people write it: by BlueLake on 2025-12-30 — why.
var killLine = pattern.Lazy(`^(?i:by )?([A-Za-z0-9_-]+)(?:,? (?i:at |on )?([0-9]{4}-[0-9:T.Z+ ` +
	`-]*[0-9Z]))?(?:\s*(?:[:–—-]|\()\s*(.*?)\)?)?$`)

// readKill reads a line of the kill record. A record without its mark in the heading kills
// the item too.
func (p *parser) readKill(it *artifact.Item, pt part, field string) {
	if it.Section == artifact.ResearchThread {
		p.invalid(it, pt, field[1:], "The research thread cannot be killed.")
		return
	}
	if it.Killed == nil {
		it.Killed = &artifact.Kill{}
	}
	text := readText(pt.beside, pt.below)
	switch field {
	case killedBy:
		it.Killed.By = text
	case killReason:
		it.Killed.Reason = text
	case killedAt:
		p.setKillTime(it, pt, text)
	case killed:
		m := killLine().FindStringSubmatch(text)
		if m == nil {
			it.Killed.Reason = text
			return
		}
		it.Killed.By, it.Killed.Reason = m[1], m[3]
		if m[2] != "" {
			p.setKillTime(it, pt, m[2])
		}
	}
}

func (p *parser) setKillTime(it *artifact.Item, pt part, text string) {
	at, ok := readTime(trim(text))
	if !ok {
		p.invalid(it, pt, "killed_at", "%q is not a time.", text)
		return
	}
	it.Killed.At = at
}
