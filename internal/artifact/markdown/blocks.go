package markdown

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

type blockKind uint8

const (
	blockOutside blockKind = iota // before the first heading, or under one that means nothing
	blockTitle
	blockSection
	blockItem
)

// block is a heading with the lines below it up to the next.
type block struct {
	kind    blockKind
	section artifact.Section // where it is
	inside  bool             // it is in a section
	text    string           // of the heading
	head    heading          // of an item
	wellID  bool             // the item's id is well formed
	at      int              // place of the heading among the lines
	end     int              // place after the last line
}

// findBlocks cuts the body into blocks.
func (p *parser) findBlocks(from int) []block {
	var places []int
	for i := from; i < len(p.lines); i++ {
		if !p.fenced[i] && headingLevel(p.lines[i]) > 0 {
			places = append(places, i)
		}
	}
	blocks := make([]block, 1, len(places)+1)
	blocks[0].at = from - 1
	for _, i := range places {
		if next, ok := p.classify(i, blocks[len(blocks)-1]); ok {
			blocks[len(blocks)-1].end = i
			blocks = append(blocks, next)
		}
	}
	blocks[len(blocks)-1].end = len(p.lines)
	return blocks
}

// classify says what a heading opens; false if it is part of the text around it: people use
// small headings inside a field.
func (p *parser) classify(at int, last block) (block, bool) {
	level := headingLevel(p.lines[at])
	text := cutClosing(trim(p.lines[at][level:]))
	b := block{section: last.section, inside: last.inside, text: text, at: at}
	if s, ok := sectionOf(text); ok && level <= 3 {
		b.kind, b.section, b.inside = blockSection, s, true
		return b, true
	}
	if level == 1 && !last.inside && !p.outline.Title.Given() {
		b.kind = blockTitle
		p.outline.Title = Raw{titleID(text), at + 1}
		p.checkTitle()
		return b, true
	}
	b.head, b.wellID = readHeading(text, last.section)
	if b.wellID && level >= 2 {
		if s := b.itemSection(); s != last.section {
			b.head, _ = readHeading(text, s) // with the marks of its own section
		}
		b.kind = blockItem
		return b, true
	}
	switch {
	case level <= 2:
		b.inside = false
	case level == 3 && last.inside && last.section != artifact.ResearchThread:
		b.kind = blockItem
	}
	return b, level <= 3
}

// titleID returns what the title calls the session.
func titleID(text string) string {
	if len(text) >= len(titlePrefix) && strings.EqualFold(text[:len(titlePrefix)], titlePrefix) {
		return readInline(trim(strings.TrimPrefix(trim(text[len(titlePrefix):]), ":")))
	}
	return ""
}

// checkTitle compares the title with the front matter, which decides.
func (p *parser) checkTitle() {
	title, id := p.outline.Title, p.metadata.SessionID
	if title.Text != "" && id != "" && title.Text != id {
		p.report(protocol.NewFinding(protocol.InvalidField, "The title names %q, the front matter %q.", title.Text, id).
			As(protocol.SeverityWarning).At(title.Line, 1).In("session_id").WithFix("Name the same session in both."))
	}
}

// sectionOf finds the section that a heading names, with or without its number.
func sectionOf(text string) (artifact.Section, bool) {
	if len(text) > maxLabel {
		return 0, false
	}
	text = strings.TrimLeft(text, "0123456789")
	text = strings.TrimLeft(text, ".): \t")
	text = trim(strings.TrimRight(text, ": \t"))
	if i := strings.LastIndex(text, " ("); i >= 0 && strings.HasSuffix(text, ")") {
		text = text[:i]
	}
	s, ok := sectionKeys[labelKey(text)]
	return s, ok
}

var sectionKeys = func() map[string]artifact.Section {
	keys := map[string]artifact.Section{}
	for _, s := range artifact.Sections() {
		keys[labelKey(s.Title())] = s
	}
	return keys
}()

// itemSection returns the section that an item belongs to: the one of its id's prefix.
func (b *block) itemSection() artifact.Section {
	if _, s, _, ok := artifact.ParseItemID(b.head.id); ok && b.wellID {
		return s
	}
	return b.section
}

// readBlocks reads hypotheses first: whether one is killed decides how its outcomes read.
func (p *parser) readBlocks(blocks []block) {
	for i := range blocks {
		if b := &blocks[i]; b.kind == blockItem && b.itemSection() == artifact.HypothesisSlate {
			p.readItem(b)
		}
	}
	p.assignIDs(artifact.HypothesisSlate)
	p.dead = hypotheses{}
	for id, it := range p.items {
		p.dead[string(id)] = !it.Active()
	}
	for i := range blocks {
		b := &blocks[i]
		switch b.kind {
		case blockSection:
			mark := SectionMark{Section: b.section, Line: b.at + 1}
			mark.ExplicitEmpty = p.readSection(b, blocks[i+1:])
			p.outline.Sections = append(p.outline.Sections, mark)
		case blockItem:
			if b.itemSection() != artifact.HypothesisSlate {
				p.readItem(b)
			}
		case blockTitle, blockOutside:
			p.readOutside(b)
		}
	}
	for _, s := range artifact.Sections()[1:] {
		p.assignIDs(s)
	}
}

// readOutside reports what is in no section.
func (p *parser) readOutside(b *block) {
	if b.kind == blockOutside && b.text != "" {
		p.report(protocol.NewFinding(protocol.InvalidInput, "This is not the heading of a section; what stands below it is not kept.").
			As(protocol.SeverityWarning).At(b.at+1, 1).
			WithFix("The sections are %s. Put it into one of them, or remove it.", sectionTitles()))
		return
	}
	var stray []int
	for i := b.at + 1; i < b.end; i++ {
		if !blankLine(p.lines[i]) && !ruler(p.lines[i]) {
			stray = append(stray, i)
		}
	}
	p.strays(stray, "This text stands in no section and is not kept.")
}

func sectionTitles() string {
	var titles []string
	for _, s := range artifact.Sections() {
		titles = append(titles, s.Title())
	}
	return strings.Join(titles, ", ")
}

// readSection reads what is in a section before its first item. It is true if the section
// has none and says so.
func (p *parser) readSection(b *block, after []block) bool {
	switch b.section {
	case artifact.ResearchThread:
		p.mark(p.thread, "", b.at+1)
		return p.readThread(b.at+1, b.end)
	case artifact.PredictionsTable:
		if p.readTable(b) {
			return false
		}
	}
	empty := len(after) == 0 || after[0].kind != blockItem
	return p.readPreamble(b.at+1, b.end, empty)
}

// readPreamble looks for words that say a section is empty; anything else is reported.
func (p *parser) readPreamble(from, to int, empty bool) bool {
	said := false
	var stray []int
	for i := from; i < to; i++ {
		line := p.lines[i]
		switch {
		case blankLine(line) || ruler(line):
		case empty && (said || saysEmpty(line)):
			said = true
		default:
			stray = append(stray, i)
		}
	}
	p.strays(stray, "This text belongs to no item and is not kept.")
	return said
}

// ruler tells whether a line is a horizontal rule, which people put between parts.
func ruler(line string) bool {
	rest := trim(line)
	if rest == "" || strings.IndexByte("-_*", rest[0]) < 0 || line[0] != rest[0] {
		return false
	}
	marks := strings.ReplaceAll(strings.ReplaceAll(rest, " ", ""), "\t", "")
	return len(marks) >= 3 && strings.Trim(marks, rest[:1]) == ""
}
