package markdown

import (
	"strings"
	"time"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// part is a label with what is beside it and below it.
type part struct {
	label  string
	at     int // place among the lines
	beside string
	below  []string
}

// parts cuts the lines of an item at its labels. Lines before the first label, and after a
// rule, belong to none.
func (p *parser) parts(from, to int, s artifact.Section) (parts []part, stray []int) {
	open := false
	parts = p.buffer[:0]
	defer func() { p.buffer = parts }()
	for i := from; i < to; i++ {
		line := p.lines[i]
		label, rest, ok := "", "", false
		if !p.fenced[i] {
			label, rest, ok = itemLabel(line, s)
		}
		switch {
		case ok:
			parts = append(parts, part{label: label, at: i, beside: rest})
			open = true
		case !p.fenced[i] && ruler(line):
			open = false
		case open:
			last := &parts[len(parts)-1]
			last.below = p.lines[last.at+1 : i+1]
		case !blankLine(line):
			stray = append(stray, i)
		}
	}
	return parts, stray
}

// itemLabel reads a label in the first column, or one that we know as a bullet.
func itemLabel(line string, s artifact.Section) (label, rest string, ok bool) {
	if label, rest, ok = splitLabel(line); ok {
		return label, rest, ok
	}
	if n := bullet(line); n > 0 {
		label, rest, ok = splitLabel(trim(line[n:]))
		if _, known := fieldOf(s, label); ok && known {
			return label, rest, true
		}
	}
	return "", "", false
}

// readItem reads an item with its heading.
func (p *parser) readItem(b *block) {
	it := p.openItem(b)
	p.mark(it, "", b.at+1)
	p.readHead(it, b)
	parts, stray := p.parts(b.at+1, b.end, it.Section)
	for _, part := range parts {
		p.readPart(it, part)
	}
	p.setExtra(it)
	p.strays(stray, "This text stands under no label and is not kept.")
	p.checkScore(it, b)
}

// readThread reads the research thread. It is true if there is nothing in it and it says so.
func (p *parser) readThread(from, to int) bool {
	parts, stray := p.parts(from, to, artifact.ResearchThread)
	if len(parts) == 0 && len(stray) > 0 {
		return p.readPreamble(from, to, true)
	}
	for _, part := range parts {
		p.readPart(p.thread, part)
	}
	p.setExtra(p.thread)
	p.strays(stray, "This text stands under no label and is not kept.")
	return false
}

// readHead sets what the heading says.
func (p *parser) readHead(it *artifact.Item, b *block) {
	h := b.head
	if h.named {
		p.setName(it, h.text(), b.at)
	}
	if flag, _ := thirdMark(it.Section); h.third && flag != "" {
		it.Set(flag, artifact.Flag(true))
		p.mark(it, flag, b.at+1)
	}
	if h.killed && it.Section != artifact.ResearchThread {
		it.Killed = &artifact.Kill{}
	}
	if it.Section == artifact.DiscriminativeTests {
		p.tests = append(p.tests, testMark{it, TestMark{Line: b.at + 1, Scored: h.scored, Total: h.total}})
	}
}

// setName puts the text of a heading where the section keeps it.
func (p *parser) setName(it *artifact.Item, text string, at int) {
	field := artifact.Name
	switch it.Section {
	case artifact.ResearchThread:
		field = artifact.Statement
	case artifact.PredictionsTable:
		field = artifact.Condition
	}
	if it.Get(field) != nil {
		p.report(p.finding(it, at, protocol.InvalidField, "%s has its %s already; this one is not kept.", name(it), field).
			As(protocol.SeverityWarning))
		return
	}
	it.Set(field, artifact.Text(text))
	p.mark(it, field, at+1)
}

// checkScore compares the total in a test's heading with its parts.
func (p *parser) checkScore(it *artifact.Item, b *block) {
	if it.Section != artifact.DiscriminativeTests || !b.head.scored {
		return
	}
	total, scored := it.Score().Total()
	switch {
	case !scored:
		p.report(p.finding(it, b.at, protocol.InvalidField,
			"The heading of %s gives a total without the parts it is made of; the total is not kept.", name(it)).
			As(protocol.SeverityWarning).WithFix("Add **Evidence-per-week score**: with likelihood ratio, cost, speed and ambiguity."))
	case artifact.FormatTotal(total) != artifact.FormatTotal(b.head.total):
		p.report(p.finding(it, b.at, protocol.InvalidField, "The heading of %s says %s, its parts add up to %s.", name(it),
			artifact.FormatTotal(b.head.total), artifact.FormatTotal(total)).As(protocol.SeverityWarning))
	}
}

// finding makes a finding about an item at a line.
func (p *parser) finding(it *artifact.Item, at int, code protocol.Code, format string, args ...any) protocol.Finding {
	return protocol.NewFinding(code, format, args...).On(string(it.ID)).At(at+1, 1)
}

// besideColumn is the column, in code points, of what is beside a label.
func (p *parser) besideColumn(pt part) int {
	line := p.lines[pt.at]
	before := line[:len(line)-len(pt.beside)]
	return utf8.RuneCountInString(before) + len(pt.beside) - len(strings.TrimLeft(pt.beside, " \t")) + 1
}

func name(it *artifact.Item) string {
	if it.ID == "" {
		return "This item"
	}
	return string(it.ID)
}

// timeForms are the spellings of an instant that are read; without a zone it is UTC.
var timeForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02 15:04", "2006-01-02",
}

// readTime reads an instant.
func readTime(text string) (time.Time, bool) {
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
