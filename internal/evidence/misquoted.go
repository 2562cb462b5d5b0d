package evidence

import (
	"fmt"
	"strings"

	"brenner/internal/protocol"
)

// Misquoted tells of the excerpts of the index that do not say what their lines of the text say, normalised: EV-Q02. An excerpt without
// lines may stand anywhere in the text.
func (s *Source) Misquoted(t *Text) []protocol.Finding {
	var findings []protocol.Finding
	for _, e := range s.Excerpts {
		if e.Text == "" || t.says(e) {
			continue
		}
		name := s.ID + "#" + e.ID
		f := protocol.NewFinding(protocol.EVQ02, "%s does not say what lines %d-%d of %s say.", name, e.From, e.To, s.Text)
		if e.To == 0 {
			f = protocol.NewFinding(protocol.EVQ02, "%s does not say what %s says.", name, s.Text)
		}
		findings = append(findings, f.WithFix("%s", t.mended(e)))
	}
	return findings
}

// says tells whether the lines of an excerpt say what it says. The lines are looked at by themselves first, which costs nothing in a
// large text; the whole text decides, where emphasis may have begun on an earlier line.
func (t *Text) says(e Excerpt) bool {
	q := Query{Pattern: NewPattern(e.Text), From: max(e.From, min(e.To, 1)), To: e.To, Excerpt: true}
	if e.To > 0 {
		lines := t.lines(e.From, e.To)
		alone := Query{Pattern: q.Pattern, Excerpt: true}
		if sameWords(lines, e.Text) || NewText(lines, t.origin).Find([]Query{alone})[0].Found {
			return true
		}
	}
	return t.Find([]Query{q})[0].Found
}

func sameWords(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

// lines returns some lines of the text, from 1; what it does not have is empty.
func (t *Text) lines(from, to int) string {
	rest := t.raw
	for n := 1; n < from && rest != ""; n++ {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	end := 0
	for n := from; n <= to && end < len(rest); n++ {
		at := strings.IndexByte(rest[end:], '\n')
		if at < 0 {
			return rest
		}
		end += at + 1
	}
	return rest[:end]
}

// mended says what to do about an excerpt: where its words stand, if they do.
func (t *Text) mended(e Excerpt) string {
	if m := t.Find([]Query{{Pattern: NewPattern(e.Text), Excerpt: true}})[0]; m.Found {
		return fmt.Sprintf("Its words stand in lines %d-%d: name those in the index.", m.From, m.To)
	}
	return "Write what the lines say into the index, or name the lines that say it."
}
