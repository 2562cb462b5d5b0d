package delta

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// readTarget checks the target against operation and section (PROTOCOL 5, structure).
func (b *block) readTarget(e envelope) {
	v := e.target
	if v.ok() {
		b.receipt.TargetID = v.text()
	}
	if b.operation == "" || !b.hasSection {
		return
	}
	switch {
	case b.section == artifact.ResearchThread:
		b.threadTarget(e)
	case b.operation == Add:
		if !v.isNull() {
			b.report(protocol.NewFinding(protocol.InvalidTarget, "An ADD has no target, but target_id is %s.", protocol.Brief(v.raw())).
				WithFix(`Write "target_id": null; the merge gives the new item its id.`), v, TargetKey)
		}
	case v.isNull():
		at := e.self
		if v.ok() {
			at = v
		}
		b.report(protocol.NewFinding(protocol.InvalidTarget, "The %s names no target.", b.operation).
			WithFix(`Write "target_id": "%s1" with the id of the item.`, b.section.Prefix()), at, TargetKey)
	default:
		b.itemTarget(v)
	}
}

// threadTarget checks a delta on the research thread: EDIT only, of RT.
func (b *block) threadTarget(e envelope) {
	switch b.operation {
	case Add:
		b.report(protocol.NewFinding(protocol.RTAddNotAllowed, "The research thread is one item; nothing is added to it."),
			e.operation, OperationKey)
		return
	case Kill:
		b.report(protocol.NewFinding(protocol.RTKillNotAllowed, "The research thread cannot be killed."),
			e.operation, OperationKey)
		return
	}
	b.delta.Target = string(artifact.RT)
	if v := e.target; !v.isNull() && v.text() != string(artifact.RT) {
		b.report(protocol.NewFinding(protocol.InvalidTarget, "The research thread has the id RT, not %s.", protocol.Brief(v.raw())).
			WithFix(`Write "target_id": "RT".`), v, TargetKey)
	}
}

// itemTarget checks the target of an EDIT or KILL.
func (b *block) itemTarget(v value) {
	target := v.text()
	b.delta.Target = target
	if v.kind() == strictjson.String && b.useHandle(target, v, TargetKey, asTarget) {
		return
	}
	_, s, _, ok := artifact.ParseItemID(target)
	if ok && s == b.section {
		return
	}
	finding := protocol.NewFinding(protocol.InvalidTarget, "%s is no id of %s: its ids begin with %s.",
		protocol.Brief(v.raw()), b.section, b.section.Prefix())
	switch guess := strings.ToUpper(strings.TrimSpace(target)); {
	case ok:
		finding = finding.WithFix(`Use an id with the prefix %s, or write "section": "%s" for %s.`, b.section.Prefix(), s, target)
	case artifact.IsItemOf(guess, b.section):
		finding = finding.WithFix(`Write "target_id": "%s".`, guess)
	default:
		finding = finding.WithFix(`Write the id of an item, such as "%s1".`, b.section.Prefix())
	}
	b.report(finding, v, TargetKey)
}
