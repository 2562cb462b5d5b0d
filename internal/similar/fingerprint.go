package similar

import (
	"slices"
	"strings"
	"unicode"
)

// Enough is how similar two texts must be for one to count as the other proposed again: the
// Dice coefficient over the letter trigrams of their content words, from 0 to 1. Rewording,
// other endings, typing errors and another order of words leave most trigrams in place; one
// content word in three exchanged does not. On the pairs of testdata/similar.txt the near
// ones reach 0.74 and more, the far ones stay at 0.65 and below, so the line is drawn
// between. Two texts that differ in a number or in a single letter (factor X), or
// of which only one denies something, say different things however alike they look, and
// never count.
const Enough = 0.7

// gram is a trigram of a word, its nth occurrence in the text: numbered like that, a text is
// a set of grams, and texts with repetitions compare as they should. It is a number made of
// the three letters and n, which is all that comparing needs.
type gram uint64

// mix makes the gram of three code points of 21 bits and their occurrence; the
// odd factors spread them over all bits.
func mix(letters, nth uint64) gram {
	return gram(letters*0x9E3779B97F4A7C15 + nth*0xC2B2AE3D27D4EB4F)
}

// fingerprint is what remains of a text for comparison.
type fingerprint struct {
	grams []gram // sorted
	mark  string // labels and denial: fingerprints with different marks are not alike
}

// printed is how much of a text is compared, in bytes: a claim is a sentence, and a search
// must not grow with what else a field may hold.
const printed = 4096

// fingerprintOf normalises a text: lower case, words only, without those that carry no content.
func fingerprintOf(text string) fingerprint {
	if len(text) > printed {
		text = strings.ToValidUTF8(text[:printed], "")
	}
	words, denies := contentWords(text)
	var numbers []string
	counts := make(map[uint64]uint64)
	var grams []gram
	for _, word := range words {
		if labels(word) {
			numbers = append(numbers, word)
		}
		letters := uint64(' ')
		for i, r := range word + " " {
			letters = (letters<<21 | uint64(r)) & (1<<63 - 1)
			if i > 0 {
				grams = append(grams, mix(letters, counts[letters]))
				counts[letters]++
			}
		}
	}
	slices.Sort(grams)
	slices.Sort(numbers)
	mark := strings.Join(slices.Compact(numbers), " ")
	if denies {
		mark += " not"
	}
	return fingerprint{grams, mark}
}

// labels tells whether a word tells things apart rather than describing them.
func labels(word string) bool {
	return len(word) == 1 && word != "a" || strings.ContainsFunc(word, unicode.IsDigit)
}

// contentWords splits a text into lower-case words without stop words, and tells whether one
// of them denies. A text of stop words alone keeps them.
func contentWords(text string) (words []string, denies bool) {
	var all []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), notInWord) {
		word = strings.ReplaceAll(word, "’", "'")
		if deniers[word] || strings.HasSuffix(word, "n't") {
			denies = true
			continue
		}
		word = strings.ReplaceAll(strings.TrimSuffix(word, "'s"), "'", "")
		if word == "" {
			continue
		}
		all = append(all, word)
		if !stopWords[word] {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		words = all
	}
	return words, denies
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\'' && r != '’'
}

var deniers = wordSet("no not never none neither nor cannot without")

var stopWords = wordSet(`a an and are as at be been being both but by can could did do does each for from had has
	have how if in into is it its may might more most of on only onto or other our rather such than that the their
	them then there these they this those through to under upon via was we were what when where which while who will
	with within would you your hypothesis`)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// dice is twice the grams two fingerprints share, by the grams they have.
func dice(a, b fingerprint) float64 {
	shared := 0
	for i, j := 0, 0; i < len(a.grams) && j < len(b.grams); {
		switch x, y := a.grams[i], b.grams[j]; {
		case x < y:
			i++
		case x > y:
			j++
		default:
			shared, i, j = shared+1, i+1, j+1
		}
	}
	return 2 * float64(shared) / float64(len(a.grams)+len(b.grams))
}

// similarity compares two texts, 0 where they can not mean the same.
func similarity(a, b fingerprint) float64 {
	if a.mark != b.mark || len(a.grams) == 0 || len(b.grams) == 0 {
		return 0
	}
	return dice(a, b)
}
