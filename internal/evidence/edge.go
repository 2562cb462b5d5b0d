package evidence

import (
	"unicode"
	"unicode/utf8"
)

// edge tells whether a word of a line may begin or end at a place.
func edge(line string, place int) bool {
	if place <= 0 || place >= len(line) {
		return true
	}
	before, n := utf8.DecodeLastRuneInString(line[:place])
	after, size := utf8.DecodeRuneInString(line[place:])
	switch {
	case unicode.IsMark(after):
		return false
	case wordRune(before) && wordRune(after):
		return unspaced(before) || unspaced(after)
	case wordRune(before):
		next, _ := utf8.DecodeRuneInString(line[place+size:])
		return !insideWord(before, after, next)
	case wordRune(after):
		first, _ := utf8.DecodeLastRuneInString(line[:place-n])
		return !insideWord(first, before, after)
	}
	return true
}

// insideWord tells whether a mark between two characters belongs to their word: don't, 1.5, 10,000.
func insideWord(before, mark, after rune) bool {
	switch mark {
	case '\'':
		return unicode.IsLetter(before) && unicode.IsLetter(after) && !unspaced(before) && !unspaced(after)
	case '.', ',':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}
