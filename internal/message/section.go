package message

import (
	"strings"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// present checks that a section is there and not blank.
func (c *checker) present(s Section) { c.content(s) }

// content returns a section that is there and not blank; otherwise it reports all its codes.
func (c *checker) content(s Section) (markup.Section, bool) {
	found, ok := c.doc.Section(s.Name)
	switch {
	case ok && found.Present():
		return found, true
	case ok:
		c.violation(s, found.Heading.Start, "The %s section of the %s is empty.", s.Name, c.report.Type)
	default:
		v := c.violation(s, 0, "The %s has no %s section.", c.report.Type, s.Name)
		if title, ok := c.doc.Title(); ok && strings.EqualFold(title.Text, s.Name) {
			v.fix("Write \"## %s\": the first heading with one # is the title, never a section.", s.Name)
		}
	}
	return found, false
}

// oneOf checks that the first line of a section comes from its closed set.
func (c *checker) oneOf(s Section) {
	found, ok := c.content(s)
	if !ok {
		return
	}
	first := firstLine(found)
	if _, ok := choice(valueOf(first.text, s.Name), s.Values); ok {
		return
	}
	c.violation(s, first.start, "%s is not one of %s.", quoted(first.text), strings.Join(s.Values, ", ")).fix(
		"Write one of %s under \"## %s\".", strings.Join(s.Values, ", "), s.Name)
}

// chosen returns the value of a section with a closed set, empty if it has none of them.
func (c *checker) chosen(name string, values []string) string {
	found, ok := c.doc.Section(name)
	if !ok || !found.Present() {
		return ""
	}
	value, _ := choice(valueOf(firstLine(found).text, name), values)
	return value
}

// valueOf takes the label away from a line that repeats its heading: "**Severity**: Major".
func valueOf(text, heading string) string {
	if name, value, ok := label(text); ok && strings.EqualFold(name, heading) {
		return value
	}
	return text
}

// violation reports all codes of a section at one place.
func (c *checker) violation(s Section, offset int, format string, args ...any) *violation {
	v := &violation{c, len(c.report.Findings)}
	for _, code := range s.Codes {
		c.add(protocol.NewFinding(code, format, args...), offset)
	}
	return v
}

// violation is what was just reported; its fix can still be made more concrete.
type violation struct {
	c    *checker
	from int
}

func (v *violation) fix(format string, args ...any) {
	for i := range v.c.report.Findings[v.from:] {
		f := &v.c.report.Findings[v.from+i]
		*f = f.WithFix(format, args...)
	}
}

// firstLine returns the first line of a section that is not blank.
func firstLine(s markup.Section) line {
	start := s.Start
	for text := range strings.Lines(s.Text) {
		if strings.Trim(text, blanks) != "" {
			return line{strings.Trim(text, blanks), start}
		}
		start += len(text)
	}
	return line{start: s.Start}
}

// quoted shows a text in a message, cut to a readable length.
func quoted(text string) string { return "“" + clip(oneLine(text), 80) + "”" }
