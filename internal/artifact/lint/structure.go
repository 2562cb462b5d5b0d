package lint

import (
	"fmt"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// checkStructure checks ES and WS.
func checkStructure(l *linter) {
	if l.Outline != nil {
		checkSections(l)
		checkIDs(l)
	}
	for _, s := range artifact.Sections()[1:] {
		if l.asks(protocol.WS001) {
			checkNumbering(l, s)
		}
		if s != artifact.PredictionsTable && l.asks(protocol.WS103) { // predictions have no names
			checkNames(l, s)
		}
	}
	if l.asks(protocol.WS102) {
		checkMentions(l)
	}
}

// checkSections checks ES-001 and ES-002, and EX-001, which comes with the former. Only a
// file can lack a section.
func checkSections(l *linter) {
	last := artifact.ResearchThread
	for _, s := range artifact.Sections() {
		if l.Outline.Section(s) == 0 {
			heading := fmt.Sprintf("## %d. %s", int(s)+1, s.Title())
			l.add(structurePart, 0, protocol.NewFinding(protocol.ES001, "The section %q is missing.", s.Title()).
				WithFix("Add the section %q.", heading))
			if s == artifact.AnomalyRegister {
				l.addSection(s, protocol.NewFinding(protocol.EX001, "There is no anomaly register, not even an empty one."))
			}
		}
	}
	for _, mark := range l.Outline.Sections {
		if mark.Section < last {
			l.add(structurePart, mark.Line, protocol.NewFinding(protocol.ES002, "%q stands after %q.", mark.Section.Title(), last.Title()))
			continue
		}
		last = mark.Section
	}
}

// checkIDs checks ES-003 and ES-004. A fold gives ids itself, so only a file can break them.
func checkIDs(l *linter) {
	for _, m := range l.Outline.Malformed {
		text := m.Text
		if text == "" {
			text = "An item without an id"
		}
		f := protocol.NewFinding(protocol.ES003, "%s stands in %s, whose ids are %s1, %s2 and so on.", text, m.Section.Title(),
			m.Section.Prefix(), m.Section.Prefix())
		f.Line, f.Item = m.Line, string(m.As)
		l.found = append(l.found, finding{f, sectionPart(m.Section), m.As.Number()})
	}
	for _, m := range l.Outline.Duplicates {
		f := protocol.NewFinding(protocol.ES004, "%s is used more than once.", m.Text)
		f.Line, f.Item = m.Line, m.Text
		l.found = append(l.found, finding{f, sectionPart(m.Section), artifact.ItemID(m.Text).Number()})
	}
}

// checkNumbering checks WS-001. Killed items keep their numbers, so they count here.
func checkNumbering(l *linter, s artifact.Section) {
	var gaps []string
	missing, next := 0, 1
	for _, it := range l.Document.Artifact.Items(s) {
		n := it.ID.Number()
		if n > next {
			missing += n - next
			if gaps = append(gaps, gap(s, next, n-1)); len(gaps) > 6 {
				gaps = append(gaps[:5], "…")
			}
		}
		next = max(next, n+1)
	}
	if missing > 0 {
		l.addSection(s, protocol.NewFinding(protocol.WS001, "The numbering of %s has gaps: %s.", s.Plural(), strings.Join(gaps, ", ")))
	}
}

func gap(s artifact.Section, from, to int) string {
	if from == to {
		return string(artifact.NewItemID(s, from))
	}
	return fmt.Sprintf("%s–%s", artifact.NewItemID(s, from), artifact.NewItemID(s, to))
}

// checkNames checks WS-103: two active items of a section have different names, whatever
// their case and spacing.
func checkNames(l *linter, s artifact.Section) {
	first := map[string]artifact.ItemID{}
	for _, it := range l.active[s] {
		name := plain(it.Text(artifact.Name))
		if name == "" {
			continue
		}
		if other, taken := first[name]; taken {
			l.addItem(it, artifact.Name, protocol.NewFinding(protocol.WS103, "%s has the name of %s: %s.", it.ID, other,
				it.Text(artifact.Name)))
			continue
		}
		first[name] = it.ID
	}
}

// plain is a text without case and spacing, for comparing what people wrote.
func plain(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
