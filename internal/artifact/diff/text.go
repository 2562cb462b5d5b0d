package diff

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/artifact"
)

// shortValue is how many characters a value may have to be written on the line of its edit.
const shortValue = 40

// Text writes the diff for a person, one change a line: + added, ~ edited, ✗ killed, - gone,
// ↺ alive again, ↕ in another order. Control characters in values are shown, not sent.
func (d Diff) Text() string {
	if d.Empty() {
		return "no changes\n"
	}
	var b strings.Builder
	for _, a := range d.Added {
		fmt.Fprintf(&b, "+ %s %s%s\n", a.ID, oneLine(a.Item.Title()), credit(a.Source))
	}
	for _, e := range d.Edited {
		e.text(&b)
	}
	for _, k := range d.Killed {
		note := "killed"
		if k.Was != nil {
			note = "kill record changed"
		}
		fmt.Fprintf(&b, "✗ %s %s: %s%s\n", k.ID, note, oneLine(k.Record.Reason), killer(k.Record))
	}
	for _, r := range d.Removed {
		fmt.Fprintf(&b, "- %s %s\n", r.ID, oneLine(r.Name))
	}
	for _, r := range d.Revived {
		fmt.Fprintf(&b, "↺ %s alive again (was killed: %s)\n", r.ID, oneLine(r.Was.Reason))
	}
	for _, o := range d.Moved {
		ids := make([]string, len(o.Items))
		for i, r := range o.Items {
			ids[i] = string(r.ID)
		}
		fmt.Fprintf(&b, "↕ %s, from place %d: %s\n", o.Section.Title(), o.After+1, strings.Join(ids, ", "))
	}
	return b.String()
}

func (e Edit) text(b *strings.Builder) {
	old, now := valueText(e.Old), valueText(e.New)
	name := string(e.ID) + "." + oneLine(e.Path.String())
	if short(old) && short(now) {
		fmt.Fprintf(b, "~ %s: %s → %s%s\n", name, old, now, credit(e.Source))
		return
	}
	fmt.Fprintf(b, "~ %s%s\n", name, credit(e.Source))
	for _, side := range []struct{ mark, text string }{{"-", old}, {"+", now}} {
		for line := range strings.SplitSeq(side.text, "\n") {
			fmt.Fprintf(b, "    %s %s\n", side.mark, line)
		}
	}
}

// valueText writes a value; text as it is, an absent one as a dash, the rest as JSON.
func valueText(v artifact.Value) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case artifact.Text:
		if v == "" {
			return `""`
		}
		return visible(strings.ReplaceAll(string(v), "\r\n", "\n"))
	default:
		return visible(string(artifact.AppendValue(nil, v)))
	}
}

func short(text string) bool {
	return utf8.RuneCountInString(text) <= shortValue && !strings.Contains(text, "\n")
}

func credit(s *artifact.Source) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("  (%s, message %d)", oneLine(s.Agent), s.MessageID)
}

func killer(k artifact.Kill) string {
	if k.Source == nil && k.By != "" {
		return fmt.Sprintf("  (%s)", oneLine(k.By))
	}
	return credit(k.Source)
}

func oneLine(text string) string { return visible(strings.Join(strings.Fields(text), " ")) }

// visible replaces what could drive a terminal or turn its writing direction.
func visible(text string) string {
	hidden := func(r rune) bool {
		return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	}
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
