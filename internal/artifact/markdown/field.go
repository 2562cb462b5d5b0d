package markdown

import (
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
)

// appendBody writes what is below an item's heading: its kill record, its fields in the
// order of the table, fields in dispute, and fields that no table names.
func appendBody(b []byte, it *artifact.Item, dead hypotheses, shown ...string) []byte {
	b = appendKill(b, it.Killed)
	for _, f := range it.Section.Fields() {
		v := it.Get(f.Name)
		if v == nil || slices.Contains(shown, f.Name) || inHeading(it, f.Name) {
			continue
		}
		b = appendLabel(b, f.Label)
		b = appendValue(b, f, v, dead)
	}
	if len(it.Conflicts) > 0 {
		b = appendLabel(b, labelConflicts)
		b = appendList(b, it.Conflicts)
	}
	return appendExtra(b, it.Extra())
}

// inHeading tells whether a field is said in the item's heading already.
func inHeading(it *artifact.Item, field string) bool {
	flag, _ := thirdMark(it.Section)
	return field == artifact.Name || field == flag && it.Flag(flag)
}

func appendLabel(b []byte, label string) []byte {
	return append(append(append(b, "\n**"...), label...), "**:"...)
}

func appendValue(b []byte, f artifact.FieldSpec, v artifact.Value, dead hypotheses) []byte {
	switch v := v.(type) {
	case artifact.Text:
		return appendWord(b, f, string(v))
	case artifact.Flag:
		if v {
			return append(b, " yes\n"...)
		}
		return append(b, " no\n"...)
	case artifact.List:
		return appendList(b, v)
	case artifact.Map:
		return appendMap(b, v, dead)
	case artifact.Score:
		return appendScore(b, v)
	case artifact.References:
		return appendReferences(b, v)
	case artifact.JSON:
		return appendJSON(b, string(v))
	}
	panic("markdown: unknown kind of value")
}

// appendWord writes a text. Where the field has a closed set, whose words are read in any
// case, another spelling of one is kept apart from it.
func appendWord(b []byte, f artifact.FieldSpec, text string) []byte {
	if word, ok := closedWord(f, text); ok && word != text {
		return append(append(append(b, ' '), writing{}.single(text)...), '\n')
	}
	return appendText(b, text)
}

// closedWord finds the word of a field's closed set that a text spells in any case.
func closedWord(f artifact.FieldSpec, text string) (string, bool) {
	i := slices.IndexFunc(f.Values, func(v string) bool { return strings.EqualFold(v, text) })
	if i < 0 {
		return "", false
	}
	return f.Values[i], true
}

func appendKill(b []byte, k *artifact.Kill) []byte {
	if k == nil {
		return b
	}
	b = appendText(appendLabel(b, labelKilledBy), k.By)
	if !k.At.IsZero() {
		b = appendText(appendLabel(b, labelKilledAt), formatTime(k.At))
	}
	return appendText(appendLabel(b, labelKillReason), k.Reason)
}

// formatTime writes an instant as the protocol does, with more decimals where it has more.
func formatTime(t time.Time) string {
	if t.Nanosecond()%1000 != 0 {
		return t.UTC().Format(time.RFC3339Nano)
	}
	return artifact.FormatTime(t)
}

func appendExtra(b []byte, extra []artifact.Extra) []byte {
	if len(extra) == 0 {
		return b
	}
	var object strings.Builder
	for i, e := range extra {
		object.WriteByte("{,"[min(i, 1)])
		object.WriteString(jsonString(e.Name))
		object.WriteByte(':')
		object.WriteString(string(e.Value))
	}
	object.WriteByte('}')
	return appendJSON(appendLabel(b, labelExtra), object.String())
}
