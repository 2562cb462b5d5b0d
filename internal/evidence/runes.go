package evidence

import "unicode"

// invisible tells whether normalising drops a character: soft hyphens and zero-width characters.
func invisible(r rune) bool {
	return r == '\u034f' || r >= '\u00ad' && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r))
}

// quotationMark tells whether a character is a quotation mark or an apostrophe. Primes and the acute
// accent are typed as such.
func quotationMark(r rune) bool {
	switch r {
	case '"', '\'', '\u00b4', '\u02bb', '\u02bc', '\u02b9', '\u02ba', '\u2032', '\u2033', '\u275b', '\u275c', '\u275d', '\u275e':
		return true
	}
	return r >= '\u00ab' && unicode.Is(unicode.Quotation_Mark, r)
}

func dash(r rune) bool { return r == '-' || r >= '\u058a' && unicode.Is(unicode.Dash, r) }

// wordRune tells whether a character is part of a word.
func wordRune(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
	unicode.Javanese,
}

// unspaced tells whether a character belongs to a script that is written without spaces between words.
func unspaced(r rune) bool { return r == 'ー' || r >= '\u0e00' && unicode.In(r, spaceless...) }

// solid tells whether a character needs no space beside it: a letter of such a script, or its punctuation.
func solid(r rune) bool { return r >= '\u3001' && r <= '\u303f' || unspaced(r) }
