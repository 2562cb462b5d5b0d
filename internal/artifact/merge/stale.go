package merge

import (
	"fmt"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// checkBase warns when a block changes what has changed after the version its message says
// it worked on (PROTOCOL 7, stale base). What the same message changed does not count.
func (b *block) checkBase(p place, u *unit, now, want artifact.Value) {
	if b.base == nil || u.changed <= b.base.place || u.changed == b.report.place || artifact.Equal(now, want) {
		return
	}
	id := b.entry.item.ID
	f := protocol.NewFinding(protocol.StaleBase, "%s of %s is no longer what it was in v%d: %s.",
		p.path, id, b.base.Number, b.lastChange(p, u, now)).On(string(id))
	b.note(p.locate(f))
}

// lastChange says who changed a unit last, when, in which message, from what to what.
func (b *block) lastChange(p place, u *unit, now artifact.Value) string {
	src := b.entry.item.Source(p.path)
	if src == nil {
		src = u.last.source // it was cleared
	}
	who := ""
	if src != nil {
		who = fmt.Sprintf("%s in message %d at %s ", src.Agent, src.MessageID, artifact.FormatTime(src.At))
	}
	if src != nil && src == b.entry.source {
		return fmt.Sprintf("%sadded it as %s", who, short(now))
	}
	return fmt.Sprintf("%schanged %s to %s", who, short(u.before.value), short(now))
}

// short shows a value in a sentence.
func short(v artifact.Value) string {
	switch v := v.(type) {
	case nil:
		return "(unset)"
	case artifact.Text:
		return quote(string(v))
	}
	return clip(string(artifact.AppendValue(nil, v)))
}

func quote(text string) string { return "“" + clip(text) + "”" }

// clip cuts a text to a readable length, on one line.
func clip(text string) string {
	const maxClip = 60
	var b strings.Builder
	n := 0
	for word := range strings.FieldsSeq(text[:min(len(text), 8*maxClip)]) {
		if n > 0 {
			b.WriteByte(' ')
			n++
		}
		for _, r := range strings.ToValidUTF8(word, "") {
			if n == maxClip {
				return b.String() + "…"
			}
			b.WriteRune(r)
			n++
		}
	}
	return b.String()
}
