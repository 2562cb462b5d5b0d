package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Parse reads a document: what Render writes, and what people write by hand in the same
// shape. It always returns a document. Whatever it cannot place is in the findings or, where
// a lint rule speaks of it, in the outline; nothing is dropped without a word.
func Parse(text string) (artifact.Document, Outline, []protocol.Finding) {
	p := &parser{
		thread: artifact.NewItem(artifact.RT, artifact.ResearchThread),
		items:  map[artifact.ItemID]*artifact.Item{},
		rows:   map[*artifact.Item]bool{},
		paths:  map[[2]string]string{},
	}
	p.lines = p.splitLines(text)
	p.marks = make([]lineMark, 0, len(p.lines)/2)
	body := p.readFrontMatter()
	p.fenced = fencedLines(p.lines, body)
	p.readBlocks(p.findBlocks(body))
	protocol.SortByPlace(p.findings)
	return artifact.Document{Metadata: p.metadata, Artifact: p.artifact()}, p.finishOutline(), p.findings
}

// maxLines bounds what strangers may have read: a line of a mark alone takes many times the memory of its text (PROTOCOL 16).
const maxLines = 150_000

// CheckLines refuses a text from outside that has too many lines to be read as an artifact. INVALID_INPUT.
func CheckLines(text []byte) error {
	if bytes.Count(text, []byte{'\n'}) <= maxLines {
		return nil
	}
	return protocol.Errorf(protocol.InvalidInput, "the text has more than %d lines; it is not read as an artifact", maxLines)
}

type parser struct {
	lines    []string
	fenced   []bool // lines of code blocks, where no heading or label is
	metadata artifact.Metadata
	outline  Outline
	findings []protocol.Finding

	thread   *artifact.Item
	items    map[artifact.ItemID]*artifact.Item
	rows     map[*artifact.Item]bool // predictions of the table whose details may still come
	homeless []homeless
	marks    []lineMark
	paths    map[[2]string]string // of keys of maps, written once each
	tests    []testMark
	links    []linkMark
	dead     hypotheses
	extra    map[string]artifact.JSON // of the item being read
	buffer   []part                   // of the item being read
}

// splitLines splits at line feeds; a carriage return before one belongs to the line's end.
func (p *parser) splitLines(text string) []string {
	if !utf8.ValidString(text) {
		p.report(protocol.NewFinding(protocol.InvalidEncoding, "The file is not UTF-8; what cannot be read became U+FFFD."))
		text = valid(text)
	}
	lines := strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}

func fencedLines(lines []string, from int) []bool {
	fenced := make([]bool, len(lines))
	for _, f := range findFences(lines[from:]) {
		for i := f.open; i <= f.close; i++ {
			fenced[from+i] = true
		}
	}
	return fenced
}

func (p *parser) report(f protocol.Finding) { p.findings = append(p.findings, f) }

// strays reports lines that belong to nothing, each run of them once.
func (p *parser) strays(places []int, message string) {
	for i, at := range places {
		if i == 0 || places[i-1] != at-1 {
			p.report(protocol.NewFinding(protocol.InvalidInput, "%s", message).
				As(protocol.SeverityWarning).At(at+1, 1).
				WithFix("Put it under a label such as **Claim**: in a section, or remove it."))
		}
	}
}

// artifact puts the items in order.
func (p *parser) artifact() *artifact.Artifact {
	a := artifact.New()
	a.Thread = p.thread
	all := make([]*artifact.Item, 0, len(p.items))
	for _, it := range p.items {
		all = append(all, it)
	}
	slices.SortFunc(all, func(x, y *artifact.Item) int {
		return cmp.Or(cmp.Compare(x.Section, y.Section), cmp.Compare(x.ID.Number(), y.ID.Number()))
	})
	for _, it := range all {
		a.Add(it)
	}
	return a
}
