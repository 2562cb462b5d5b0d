package delta

import "strings"

// brace is an open { in a text.
type brace struct {
	at                 int32
	operation, section bool
}

// deltaObjects returns the places of the objects in a text that have the keys operation and
// section of their own. The text need not be JSON: trailing commas, other quotes, bare keys
// and dots do not hide what an object was meant to be.
func deltaObjects(text string) []int {
	if !strings.Contains(text, OperationKey) || !strings.Contains(text, SectionKey) {
		return nil
	}
	var found []int
	var open []brace
	for i := range len(text) {
		switch text[i] {
		case '{':
			open = append(open, brace{at: int32(i)})
		case '}':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case 'o', 's':
			if len(open) == 0 {
				continue
			}
			top := &open[len(open)-1]
			before := top.operation && top.section
			top.note(text, i)
			if !before && top.operation && top.section {
				found = append(found, int(top.at))
			}
		}
	}
	return found
}

// note notes the key at a place of the text, if there is one.
func (b *brace) note(text string, at int) {
	switch {
	case !b.operation && strings.HasPrefix(text[at:], OperationKey):
		b.operation = isKey(text, at, OperationKey) && operates(text[at+len(OperationKey):])
	case !b.section && strings.HasPrefix(text[at:], SectionKey):
		b.section = isKey(text, at, SectionKey)
	}
}

// isKey tells whether a word of the text is the key of an object.
func isKey(text string, at int, word string) bool {
	after := text[at+len(word):]
	rest := trimQuote(after)
	if !strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":") {
		return false
	}
	if len(rest) < len(after) {
		return quoteBefore(text[:at])
	}
	before := strings.TrimRight(text[:at], " \t\r\n") // a bare key follows { or ,
	return before != "" && (before[len(before)-1] == '{' || before[len(before)-1] == ',')
}

// operates tells whether what follows the key operation is a string or a bare operation: in
// program code it is a variable.
func operates(after string) bool {
	after = strings.TrimLeft(trimQuote(after), " \t\r\n")
	after = strings.TrimLeft(strings.TrimPrefix(after, ":"), " \t\r\n")
	if len(trimQuote(after)) < len(after) {
		return true
	}
	_, ok := NearestOperation(wordAt(after))
	return ok
}

var quotes = []string{`"`, "'", "“", "”", "„", "‘", "’", "`"}

// trimQuote removes a quote of any kind from the beginning of a text.
func trimQuote(text string) string {
	for _, q := range quotes {
		if rest, ok := strings.CutPrefix(text, q); ok {
			return rest
		}
	}
	return text
}

// quoteBefore tells whether a text ends with a quote that is not escaped.
func quoteBefore(text string) bool {
	for _, q := range quotes {
		if rest, ok := strings.CutSuffix(text, q); ok {
			return !strings.HasSuffix(rest, `\`)
		}
	}
	return false
}
