package session

import (
	"maps"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/mail/transfer"
	"brenner/internal/markup"
	"brenner/internal/protocol"
	"brenner/internal/transcript"
)

// instructed is the section of a KICKOFF that shows its reader how one cites.
const instructed = "Your Role"

// said is what a message says itself: the instructions of a KICKOFF cite nothing, however many examples they give.
func said(subject, body string) string {
	if s, _ := protocol.ParseSubject(subject, protocol.Lenient); s.Prefix != protocol.TypeKickoff {
		return body
	}
	if role, ok := markup.Parse(body).Section(instructed); ok {
		return body[:role.Start] + body[role.End:]
	}
	return body
}

// cites tells whether a text cites a source, or an excerpt of it.
func cites(text, id string) bool {
	return strings.Contains(text, id) && slices.ContainsFunc(artifact.Citations(text), func(c artifact.Citation) bool {
		return c.Evidence == id
	})
}

// Cited returns what messages cite: ids of the evidence pack, and sections of a transcript that has them; each once and
// in order.
func Cited(lines []transfer.Line, t *transcript.Transcript) (sources []string, sections []int) {
	return citedIn(lines, t, func(l *transfer.Line) string { return said(l.Subject, l.Body) })
}

// Named returns what messages name, in instructions too: crates had all of it once.
func Named(lines []transfer.Line, t *transcript.Transcript) (sources []string, sections []int) {
	return citedIn(lines, t, func(l *transfer.Line) string { return l.Body })
}

func citedIn(lines []transfer.Line, t *transcript.Transcript, text func(*transfer.Line) string) (sources []string, sections []int) {
	ids, numbers := map[string]bool{}, map[int]bool{}
	var numbered map[int]bool
	if t != nil {
		numbered = t.Numbers()
	}
	for i := range lines {
		for _, c := range artifact.Citations(text(&lines[i])) {
			if c.Evidence != "" {
				ids[c.Evidence] = true
				continue
			}
			for n := range numbered {
				if c.First <= n && n <= c.Last {
					numbers[n] = true
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(ids), evidence.CompareIDs), slices.Sorted(maps.Keys(numbers))
}
