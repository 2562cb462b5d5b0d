package protocol

import (
	"strconv"
	"strings"
	"time"

	"github.com/mozillazg/go-unidecode"
)

// stopWords carry no topic and are left out of generated slugs.
var stopWords = wordSet(`a about above after again all also am an and any are as at be been before being below
	between both but by can cannot could did do does doing done during each either else ever every few for from
	further get gets had has have having he her here hers him his how however i if in into is it its itself just
	let lets like made make makes many may me might more most much must my neither no nor of off on once one
	only or other our ours out over own please really same shall she should since so some such than that the
	their theirs them then there these they this those through thus to too under until up upon us use used uses
	using very via was we were what whats when where whether which while who whom whose why will with within
	without would yet you your`)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// GenerateThreadID makes the id of a research thread from its question: RS-, the day in UTC,
// and a slug of two to five telling words, at most 40 characters (PROTOCOL 2). The same
// question on the same day gives the same slug; where taken says that an id is in use, -2,
// -3, … is put behind it. A question without a single usable word still gets a valid id.
// taken may be nil; it has to say no at some point.
func GenerateThreadID(question string, day time.Time, taken func(id string) bool) string {
	return freeThreadID(slugFromQuestion(question), day, taken)
}

// ThreadIDFromSlug makes the id of a research thread from a slug that a person chose. The
// slug is taken as it is: what is wrong with it comes back as findings.
func ThreadIDFromSlug(slug string, day time.Time, taken func(id string) bool) (string, []Finding) {
	id := researchID(day, slug)
	if findings := CheckThreadID(id); HasErrors(findings) {
		return id, findings
	}
	id = freeThreadID(slug, day, taken)
	return id, CheckThreadID(id)
}

func researchID(day time.Time, slug string) string {
	return researchPrefix + day.UTC().Format(dateLayout) + "-" + slug
}

func freeThreadID(slug string, day time.Time, taken func(id string) bool) string {
	id := researchID(day, slug)
	if taken == nil {
		return id
	}
	for n := 2; taken(id); n++ {
		suffix := "-" + strconv.Itoa(n)
		id = researchID(day, cutWords(slug, maxSlug-len(suffix))+suffix)
	}
	return id
}

// fillers stand in where a question has too few words of its own.
var fillers = []string{"open", "question"}

func slugFromQuestion(question string) string {
	words := asciiWords(question)
	slug := joinWords(telling(words))
	if countSlugWords(slug) < minSlugWords {
		slug = joinWords(words) // stop words are better than none: "who-am-i"
	}
	switch {
	case countSlugWords(slug) == 0:
		return strings.Join(fillers, "-")
	case countSlugWords(slug) < minSlugWords || len(slug) < shortSlug:
		return joinWords([]string{slug, fillers[1]})
	}
	return slug
}

func telling(words []string) []string {
	var kept []string
	for _, w := range words {
		if !stopWords[w] {
			kept = append(kept, w)
		}
	}
	return kept
}

// joinWords joins up to five words while they fit; the second is cut rather than left out.
func joinWords(words []string) string {
	var slug string
	for i, w := range words {
		switch {
		case i == maxSlugWords:
			return slug
		case i == 0: // leave room for a second word
			slug = w[:min(len(w), maxSlug-shortSlug)]
		case len(slug)+1+len(w) <= maxSlug:
			slug += "-" + w
		case i < minSlugWords:
			slug += "-" + w[:maxSlug-len(slug)-1]
		default:
			return slug
		}
	}
	return slug
}

// asciiWords splits text into words of a-z and 0-9. Apostrophes join: "cell's" is one word.
func asciiWords(text string) []string {
	plain := strings.ReplaceAll(transliterate(text), "'", "")
	return strings.FieldsFunc(plain, func(r rune) bool { return r == '-' || !slugRune(r) })
}

func transliterate(text string) string {
	return strings.ToLower(unidecode.Unidecode(text))
}
