package repair

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// headedLine is the heading of a delta written as prose: ### DELTA: ADD hypothesis_slate, or
// DELTA[gpt]: EDIT hypothesis_slate H2.
var headedLine = pattern.Lazy(`^ {0,3}(#{1,6}[ \t]+)?[*_]*((?i:DELTA)(?:\[[^\]]*\])?[*_]*:)[*_]*[ \t]*(.*?)[ \t#]*$`)

// labelledLine is a field of it: **Name**: Epigenetic memory.
var labelledLine = pattern.Lazy(`^[ \t]*(?:[-*+][ \t]+)?\*\*([^*:]+?)(?::\*\*|\*\*[ \t]*:)[ \t]*(.*?)[ \t\r]*$`)

// pairLine is an entry of a map below its label: - H1: outcome.
var pairLine = pattern.Lazy(`^[ \t]*[-*+][ \t]+\**(@?[A-Za-z0-9_-]+)\**[ \t]*:[ \t]*(.*?)[ \t\r]*$`)

// withHeaded adds the deltas written as prose to those found in a span already.
func (f *fixer) withHeaded(span markup.Span, found []region) []region {
	if !containsFold(f.body[span.Start:span.End], delta.Language) {
		return found
	}
	title, _ := f.doc.Title()
	var all []region
	at := span.Start
	for at < span.End {
		for len(found) > 0 && found[0].start <= at {
			at = max(at, found[0].end)
			all, found = append(all, found[0]), found[1:]
		}
		if at >= span.End {
			break
		}
		next := f.lineEnd(at, span.End)
		limit := span.End
		if len(found) > 0 {
			limit = min(limit, found[0].start)
		}
		m := headedLine().FindStringSubmatch(strings.TrimRight(f.body[at:next], "\r\n"))
		if m != nil && next <= limit && (at < title.Start || at >= title.End) {
			if r, ok := f.headed(at, next, limit, m); ok {
				all, at = append(all, r), r.end
				continue
			}
		}
		at = next
	}
	return append(all, found...)
}

// lineEnd returns the place behind the line at an offset.
func (f *fixer) lineEnd(at, limit int) int {
	if i := strings.IndexByte(f.body[at:limit], '\n'); i >= 0 {
		return at + i + 1
	}
	return limit
}

// headed reads a delta written as prose. A line that only reads like one, as it names no
// operation and section or no field follows, is quoted: then it is text.
func (f *fixer) headed(start, at, limit int, m []string) (region, bool) {
	line, _ := f.doc.Position(start)
	caption := region{start: start, end: at, caption: strings.TrimSpace(f.body[start:at])}
	f.did(&caption, protocol.MB122, "Quoted a line that reads like a delta but holds none.")
	isCaption := strings.HasPrefix(m[2], "DELTA") && (m[1] != "" || strings.Contains(m[2], "["))
	o, ok := headedObject(m[3])
	if !ok {
		return caption, isCaption
	}
	r := region{start: start, end: at, headed: true}
	payload := o.get(delta.PayloadKey)
	h := headedReader{section: o.get(delta.SectionKey).text, object: o, payload: payload}
	for at < limit {
		next := f.lineEnd(at, limit)
		if !h.line(strings.TrimRight(f.body[at:next], "\r\n")) {
			break
		}
		if at = next; !h.blank {
			r.end = at
		}
	}
	if len(payload.members) == 0 {
		return caption, isCaption
	}
	mender := mender{place: func(int) (int, int) { return line, 1 }}
	mender.mend(o)
	r.pieces = []piece{{raw: f.body[start:r.end], mended: o.write(), delta: true, repairs: mender.repairs}}
	f.did(&r, protocol.MB122, "Wrote a delta given as prose as a block.")
	return r, true
}

// headedObject makes the envelope from the words of the heading.
func headedObject(heading string) (*loose, bool) {
	words := strings.Fields(heading)
	if len(words) < 2 {
		return nil, false
	}
	op, okOp := delta.NearestOperation(words[0])
	section, target := strings.Join(words[1:], " "), ""
	if last := strings.Trim(words[len(words)-1], "()[]`"); len(words) > 2 {
		if _, _, _, ok := artifact.ParseItemID(last); ok {
			section, target = strings.Join(words[1:len(words)-1], " "), last
		}
	}
	s, okSection := delta.NearestSection(strings.Trim(section, "`:*"))
	if !okOp || !okSection {
		return nil, false
	}
	o := &loose{kind: strictjson.Object}
	o.set(delta.OperationKey, textLoose(string(op)))
	o.set(delta.SectionKey, textLoose(s.String()))
	if o.set(delta.TargetKey, &loose{kind: strictjson.Null}); target != "" {
		o.set(delta.TargetKey, textLoose(target))
	}
	o.set(delta.PayloadKey, &loose{kind: strictjson.Object})
	return o, true
}

func textLoose(text string) *loose { return &loose{kind: strictjson.String, text: text} }

// headedReader collects the labelled lines below the heading.
type headedReader struct {
	section         string
	object, payload *loose
	last            *loose // the value that a list below a label belongs to
	blank           bool
}

// line takes one line; it tells whether the delta goes on.
func (h *headedReader) line(line string) bool {
	h.blank = strings.TrimSpace(line) == ""
	if h.blank {
		return true
	}
	if m := labelledLine().FindStringSubmatch(line); m != nil {
		return h.field(snake(m[1]), m[2])
	}
	if m := pairLine().FindStringSubmatch(line); m != nil && h.last != nil && h.last.kind != strictjson.String {
		h.last.kind = strictjson.Object
		h.last.set(m[1], textLoose(m[2]))
		return true
	}
	return false
}

func (h *headedReader) field(name, text string) bool {
	v := textLoose(text)
	if text == "" { // a list of pairs follows
		v.kind = strictjson.Null
	}
	h.last = v
	switch name {
	case delta.RationaleKey:
		h.object.set(name, v)
		return true
	case "target", delta.TargetKey:
		h.object.set(delta.TargetKey, v)
		return true
	}
	s, _ := artifact.ParseSection(h.section)
	m := mender{section: s, known: true, operation: delta.Add}
	if right, ok := m.fieldName(name); ok {
		name = right
	}
	if i := s.Field(name); i >= 0 && s.Fields()[i].Kind == artifact.KindList && text != "" {
		v = listLoose(text)
	}
	h.payload.set(name, v)
	return true
}

// listLoose takes a list written with commas apart.
func listLoose(text string) *loose {
	v := &loose{kind: strictjson.Array}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			v.elements = append(v.elements, textLoose(part))
		}
	}
	return v
}
