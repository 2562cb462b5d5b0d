package repair

import (
	"strings"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// beliefLanguage is the first word of a belief block's info string.
const beliefLanguage = "belief"

// withoutBeliefs takes belief blocks out of a body: the sender of a repaired message does not speak
// for its author (SCIENCE 4).
func withoutBeliefs(body string) (string, []protocol.Finding) {
	doc := markup.Parse(body)
	var b strings.Builder
	var notes []protocol.Finding
	kept := 0
	for _, f := range doc.Fences() {
		if f.Quoted || f.Language() != beliefLanguage {
			continue
		}
		start := strings.LastIndexByte(body[:f.Start], '\n') + 1
		end := f.End
		if i := strings.IndexByte(body[end:], '\n'); i >= 0 {
			end += i + 1
		}
		b.WriteString(body[kept:start])
		kept = end
		notes = append(notes, protocol.NewFinding(protocol.InvalidBelief, "Left the belief block out: it is its author's own statement.").
			As(protocol.SeverityInfo).WithFix("The author states it again in a message of its own.").At(f.Line, 1))
	}
	if kept == 0 {
		return body, nil
	}
	b.WriteString(body[kept:])
	return b.String(), notes
}
