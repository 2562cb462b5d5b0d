package canon

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
)

// A value whose parts are known can be written in its canonical form at once, without a text that is parsed
// again. The writer has to put the names of an object into the order of CompareNames.

// AppendString appends a string: the two-character escapes where JSON has them, \u00xx for other controls,
// everything else as it is. Bytes that are not UTF-8 become U+FFFD each, as in encoding/json.
func AppendString(to []byte, s string) []byte {
	const hex = "0123456789abcdef"
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	to = append(to, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		to = append(to, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			to = append(to, '\\', c)
		case '\b':
			to = append(to, `\b`...)
		case '\t':
			to = append(to, `\t`...)
		case '\n':
			to = append(to, `\n`...)
		case '\f':
			to = append(to, `\f`...)
		case '\r':
			to = append(to, `\r`...)
		default:
			to = append(to, `\u00`...)
			to = append(to, hex[c>>4], hex[c&15])
		}
	}
	return append(append(to, s[start:]...), '"')
}

// Append appends the canonical form of a JSON text.
func Append(to []byte, text string) ([]byte, error) {
	if shortInteger(text) {
		return append(to, text...), nil
	}
	form, err := jcs.Transform([]byte(text))
	return append(to, form...), err
}

// shortInteger tells whether a text is a number that stays as it is written.
func shortInteger(text string) bool {
	if text == "" || len(text) > 15 || len(text) > 1 && text[0] == '0' {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// CompareNames orders the names of an object: by their UTF-16 code units.
func CompareNames(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] >= utf8.RuneSelf || b[i] >= utf8.RuneSelf {
			return compareUnits(a, b)
		}
		if a[i] != b[i] {
			break
		}
	}
	return strings.Compare(a, b)
}

// compareUnits is CompareNames for names outside ASCII. Characters beyond U+FFFF have another place than in
// UTF-8: as surrogates they come before U+E000.
func compareUnits(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
