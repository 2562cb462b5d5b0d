package message

import "strings"

const blanks = " \t\r\n"

// unadorned takes away what people put around a value: space, emphasis and code marks, as
// long as they come in pairs.
func unadorned(text string) string {
	for {
		text = strings.Trim(text, blanks)
		bare := text
		for _, mark := range []string{"**", "__", "*", "_", "`"} {
			if len(text) > 2*len(mark) && strings.HasPrefix(text, mark) && strings.HasSuffix(text, mark) {
				bare = text[len(mark) : len(text)-len(mark)]
				break
			}
		}
		if bare == text {
			return text
		}
		text = bare
	}
}

// unlisted takes away a list marker.
func unlisted(text string) (string, bool) {
	text = strings.TrimLeft(text, blanks)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	switch {
	case text == "":
		return text, false
	case digits == 0 && strings.ContainsRune("-*+", rune(text[0])):
		digits = 1
	case digits > 0 && digits < len(text) && (text[digits] == '.' || text[digits] == ')'):
		digits++
	default:
		return text, false
	}
	rest := text[digits:]
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return text, false
	}
	return strings.TrimLeft(rest, blanks), true
}

// label splits a labelled line: "- **Base Version**: v2", "**Base Version:** v2" or
// "Base Version: v2". The value is raw but for the marks around it.
func label(text string) (name, value string, ok bool) {
	text, _ = unlisted(text)
	name, value, ok = strings.Cut(text, ":")
	if !ok || len(name) > maxLabel {
		return "", "", false
	}
	open := strings.TrimLeft(name, "*_")
	mark := name[:len(name)-len(open)]
	name = strings.Trim(open, blanks)
	if closed, found := strings.CutSuffix(name, mark); found {
		name = closed
	} else {
		value = strings.TrimPrefix(strings.TrimLeft(value, blanks), mark)
	}
	return strings.Trim(name, blanks), unadorned(value), name != ""
}

// maxLabel keeps ordinary sentences with a colon in them from being labels.
const maxLabel = 48

// choice matches a value against a closed set: ignoring case, list and emphasis marks, and
// a remark behind it that punctuation sets off ("Major (blocks v2)").
func choice(text string, set []string) (string, bool) {
	text, _ = unlisted(text)
	text = strings.TrimLeft(unadorned(text), "*_`")
	for _, word := range set {
		if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
			continue
		}
		rest := strings.TrimLeft(strings.TrimLeft(text[len(word):], "*_`"), blanks)
		if rest == "" || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "—") || strings.ContainsRune(".,;:(-", rune(rest[0])) {
			return word, true
		}
	}
	return "", false
}
