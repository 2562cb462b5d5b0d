package delta

import (
	"strconv"
	"strings"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// nearMisses finds what was meant as a delta but is outside a delta fence (MB-122).
// Block quotes and HTML are text, and so is a fence that shows fences.
func nearMisses(doc *markup.Document) misses {
	m := misses{doc: doc}
	title, _ := doc.Title()
	for _, span := range doc.Prose() {
		text := doc.Text()[span.Start:span.End]
		for _, at := range deltaObjects(text) {
			m.add(span.Start+at, "A JSON object with operation and section stands in the text, outside a delta fence.",
				"Put a line ```delta before the object and a line ``` after it.")
		}
		m.lines(span, title)
	}
	m.headings(title)
	fences := doc.Fences()
	for i := range fences {
		if f := &fences[i]; !f.Quoted && !IsBlock(f) {
			m.fence(f)
		}
	}
	protocol.SortByPlace(m.findings)
	return m
}

type misses struct {
	doc      *markup.Document
	findings []protocol.Finding
	more     int // counted only: an answer lists no more
}

func (m *misses) add(offset int, message, fix string) {
	if len(m.findings) == protocol.MaxListed {
		m.more++
		return
	}
	line, column := m.doc.Position(offset)
	m.findings = append(m.findings, protocol.NewFinding(protocol.MB122, "%s", message).WithFix("%s", fix).At(line, column))
}

// fence looks into a fence that is no delta block.
func (m *misses) fence(f *markup.Fence) {
	nearTag := isNearTag(f)
	if !nearTag && !strings.Contains(f.Content, OperationKey) || showsFence(f.Content) {
		return
	}
	where := "a fence without the tag delta"
	if f.Info != "" {
		where = "a fence tagged " + protocol.Brief(f.Info) + " instead of delta"
	}
	fix := "Open the fence in line " + strconv.Itoa(f.Line) + " with ```delta, one object in each fence."
	objects := deltaObjects(f.Content)
	for _, at := range objects {
		m.add(f.Offset(at), "A JSON object with operation and section stands in "+where+".", fix)
	}
	if len(objects) == 0 && nearTag && strings.HasPrefix(strings.TrimSpace(f.Content), "{") {
		m.add(f.Start, "An object stands in "+where+".", fix)
	}
}

// isNearTag tells whether the info string of a fence was meant to be delta: deltas,
// delta-json, json delta.
func isNearTag(f *markup.Fence) bool {
	if strings.HasPrefix(f.Language(), Language) {
		return true
	}
	for word := range strings.FieldsSeq(f.Info) {
		if strings.EqualFold(word, Language) {
			return true
		}
	}
	return false
}

// showsFence tells whether a fence's content shows a fence: then it is a sample.
func showsFence(content string) bool {
	for line := range strings.Lines(content) {
		if line = strings.TrimLeft(line, " \t"); strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			return true
		}
	}
	return false
}

// lines looks for prose lines that begin like the subject of a DELTA.
func (m *misses) lines(span markup.Span, title markup.Heading) {
	start := span.Start
	for line := range strings.Lines(m.doc.Text()[span.Start:span.End]) {
		text := strings.TrimLeft(line, " ")
		if len(line)-len(text) < 4 && subjectLine(text) && (start < title.Start || start >= title.End) {
			m.add(start+len(line)-len(text), "The line begins like the subject of a DELTA, but nothing is merged from text.",
				"Put the change into a ```delta fence as a JSON object, or reword the line.")
		}
		start += len(line)
	}
}

// subjectLine tells whether a line begins with DELTA[…]:, perhaps emphasised.
func subjectLine(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, "*_"), "DELTA[")
	if !ok {
		return false
	}
	_, after, ok := strings.Cut(rest, "]")
	return ok && strings.HasPrefix(strings.TrimLeft(after, "*_"), ":")
}

// headings looks for headings such as ### DELTA: ADD hypothesis_slate.
func (m *misses) headings(title markup.Heading) {
	for _, h := range m.doc.Headings() {
		isTitle := title.End > 0 && h.Start == title.Start
		if isTitle || !strings.HasPrefix(strings.TrimLeft(m.doc.Text()[h.Start:h.End], " "), "#") {
			continue // the title says what it likes; underlined lines are prose lines
		}
		text := strings.TrimLeft(h.Text, "*_")
		if strings.HasPrefix(text, "DELTA:") || subjectLine(text) || saysOperation(text) {
			m.add(h.Start, "The heading announces a delta, but nothing is merged from Markdown.",
				"Put the change into a ```delta fence as a JSON object, and rename or remove the heading.")
		}
	}
}

// saysOperation tells whether a heading reads Delta: ADD …, in any case.
func saysOperation(text string) bool {
	word, rest, ok := strings.Cut(text, ":")
	if !ok || !strings.EqualFold(word, Language) {
		return false
	}
	switch Operation(strings.ToUpper(wordAt(strings.TrimSpace(rest)))) {
	case Add, Edit, Kill:
		return true
	}
	return false
}
