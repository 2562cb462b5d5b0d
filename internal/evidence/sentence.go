package evidence

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end with a point that ends no sentence (SCIENCE 1, shapes).
var abbreviations = map[string]bool{
	"e.g": true, "i.e": true, "cf": true, "al": true, "vs": true, "ca": true, "fig": true, "eq": true, "no": true, "vol": true, "p": true,
	"pp": true,
}

// sentenceEnds returns where the sentences of a passage end, in order. A citation in brackets directly behind a sentence
// belongs to it; a sentence inside a quotation ends nothing.
func sentenceEnds(p *passage) []int {
	var ends []int
	text := p.masked
	inside := 0 // the quotation that may hold the place
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		after := i + size
		if !ender(r) {
			i = after
			continue
		}
		for after < len(text) {
			c, n := utf8.DecodeRuneInString(text[after:])
			if !ender(c) && !closing(c) {
				break
			}
			after += n
		}
		for inside < len(p.quotes) && p.quotes[inside].end < i {
			inside++
		}
		within := inside < len(p.quotes) && p.quotes[inside].start <= i && after < p.quotes[inside].outer.end
		if !within && endsSentence(text, i, after, r) {
			after = p.trailing(after)
			ends = append(ends, after)
		}
		i = after
	}
	return ends
}

func ender(r rune) bool { return strings.ContainsRune(".!?。！？", r) }

func closing(r rune) bool {
	return unicode.Is(unicode.Pe, r) || quotationMark(r) || r == '*' || r == '_'
}

// endsSentence judges a point at a place, with the closing marks behind it.
func endsSentence(text string, at, after int, r rune) bool {
	if r >= utf8.RuneSelf {
		return true
	}
	rest := strings.TrimLeftFunc(text[after:], unicode.IsSpace)
	if len(rest) == len(text[after:]) && rest != "" {
		return false
	}
	if next, _ := utf8.DecodeRuneInString(rest); unicode.IsLower(next) {
		return false
	}
	return r != '.' || !abbreviated(text[:at])
}

// abbreviated tells whether a text ends with one letter or an abbreviation.
func abbreviated(text string) bool {
	start := len(text)
	for start > 0 && len(text)-start < 8 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if !unicode.IsLetter(r) && r != '.' {
			break
		}
		start -= size
	}
	last := strings.ToLower(text[start:])
	if utf8.RuneCountInString(last) == 1 {
		r, _ := utf8.DecodeRuneInString(last)
		return !unspaced(r)
	}
	return abbreviations[last]
}

// trailing moves the end of a sentence behind citations in brackets that follow directly.
func (p *passage) trailing(end int) int {
	for {
		at := end
		for at < len(p.masked) {
			r, size := utf8.DecodeRuneInString(p.masked[at:])
			if !unicode.IsSpace(r) {
				break
			}
			at += size
		}
		k := sort.Search(len(p.brackets), func(i int) bool { return p.brackets[i].start >= at })
		if k == len(p.brackets) || p.brackets[k].start != at || len(p.collect(p.brackets[k]).cited) == 0 {
			return end
		}
		end = p.brackets[k].end
		if end < len(p.masked) && p.masked[end] == '.' {
			end++
		}
	}
}

// sameSentence tells whether no sentence ends between two places.
func (p *passage) sameSentence(a, b int) bool {
	return sort.SearchInts(p.sentences, a+1) == sort.SearchInts(p.sentences, b)
}
