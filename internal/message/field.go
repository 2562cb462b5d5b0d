package message

import (
	"iter"
	"strings"

	"brenner/internal/markup"
)

// line is a line of prose: outside fences, block quotes and HTML.
type line struct {
	text  string
	start int // byte offset in the body
}

// prose yields the lines of prose between two offsets.
func prose(doc *markup.Document, start, end int) iter.Seq[line] {
	return func(yield func(line) bool) {
		for _, span := range doc.Prose() {
			from, to := max(span.Start, start), min(span.End, end)
			for from < to {
				stop := to
				if i := strings.IndexByte(doc.Text()[from:to], '\n'); i >= 0 {
					stop = from + i + 1
				}
				if !yield(line{strings.TrimRight(doc.Text()[from:stop], "\r\n"), from}) {
					return
				}
				from = stop
			}
		}
	}
}

// field is a labelled line of a body, such as "- **Base Version**: v2".
type field struct {
	name, value string
	start       int
}

// fields are the labelled lines of a range, in order.
type fields []field

func fieldsOf(doc *markup.Document, start, end int) fields {
	var all fields
	for l := range prose(doc, start, end) {
		if name, value, ok := label(l.text); ok {
			all = append(all, field{name, value, l.start})
		}
	}
	return all
}

func sectionFields(doc *markup.Document, names ...string) fields {
	s, ok := doc.Section(names...)
	if !ok {
		return nil
	}
	return fieldsOf(doc, s.Start, s.End)
}

// get returns the first field of a name, ignoring case.
func (fs fields) get(name string) (field, bool) {
	for _, f := range fs {
		if strings.EqualFold(f.name, name) {
			return f, true
		}
	}
	return field{}, false
}

// text returns a field's value as plain text, empty if it is absent.
func (fs fields) text(name string) string {
	f, _ := fs.get(name)
	return unescape(f.value)
}
