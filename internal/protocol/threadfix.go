package protocol

import (
	"fmt"
	"strings"

	"brenner/internal/pattern"
)

// spelledResearchID finds the parts of a research id written another way: small letters in
// the prefix, dashes in the date, capitals or spaces in the slug.
var spelledResearchID = pattern.Lazy(`(?s)^(?i:RS)[-_ ](\d{4})[-_.]?(\d{2})[-_.]?(\d{2})[-_ .]+(.+)$`)

func invalidThreadID(id, reason string) Finding {
	code := map[ThreadKind]Code{
		Research: InvalidRSThreadID, Coordination: InvalidCoordThreadID, Engineering: InvalidBeadID,
	}[KindOf(id)]
	f := NewFinding(code, "%s is not the id of %s thread: %s.", quoteID(id), article(KindOf(id)), reason).In("thread_id")
	if suggestion := suggestThreadID(id); suggestion != "" {
		return f.WithFix("%s", threadFix(code, suggestion))
	}
	if slug := suggestSlug(id); slug != "" {
		return f.WithFix("Put the day on which the session began before the slug: RS-YYYYMMDD-%s.", slug)
	}
	return f
}

func threadFix(code Code, suggestion string) string {
	if code == InvalidBeadID && KindOf(suggestion) == Engineering {
		return fmt.Sprintf("Use %s if the bead is called that; research threads are RS-YYYYMMDD-slug, coordination COORD-topic.",
			suggestion)
	}
	return fmt.Sprintf("Use %s.", suggestion)
}

// suggestThreadID returns the valid id that was most likely meant, or nothing.
func suggestThreadID(id string) string {
	var suggestion string
	if parts := spelledResearchID().FindStringSubmatch(id); parts != nil {
		suggestion = researchPrefix + parts[1] + parts[2] + parts[3] + "-" + slugFrom(parts[4], maxSlug)
	} else if KindOf(id) == Coordination {
		suggestion = coordPrefix + slugFrom(id[len(coordPrefix):], maxTopic)
	} else if KindOf(id) == Engineering {
		suggestion = beadFrom(id)
	}
	if suggestion == "" || threadFault(suggestion) != "" {
		return ""
	}
	return suggestion
}

// suggestSlug returns the slug of a research id whose date cannot be told.
func suggestSlug(id string) string {
	rest, ok := strings.CutPrefix(id, researchPrefix)
	if !ok {
		return ""
	}
	slug := slugFrom(strings.TrimLeft(rest, "0123456789-_. "), maxSlug)
	if len(slug) < minSlug {
		return ""
	}
	return slug
}

// slugFrom turns any text into at most limit characters of a slug, cut at a word where
// that leaves something.
func slugFrom(text string, limit int) string {
	return cutWords(strings.Join(asciiWords(text), "-"), limit)
}

func cutWords(slug string, limit int) string {
	if len(slug) <= limit {
		return slug
	}
	cut := slug[:limit]
	if i := strings.LastIndexByte(cut, '-'); i >= minSlug && slug[limit] != '-' {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, "-")
}

// beadFrom keeps the characters a bead id may have, in small letters.
func beadFrom(id string) string {
	parts := strings.Split(id, ".")
	kept := parts[:0]
	for _, part := range parts {
		words := strings.FieldsFunc(transliterate(part), func(r rune) bool { return !slugRune(r) && r != '_' })
		if len(words) > 0 {
			kept = append(kept, strings.Join(words, "-"))
		}
	}
	bead := strings.TrimLeft(strings.Join(kept, "."), "-.")
	if len(bead) > maxThreadIDBytes {
		return ""
	}
	return bead
}

func quoteID(id string) string {
	if len(id) > maxThreadIDBytes {
		return fmt.Sprintf("An id of %d bytes", len(id))
	}
	return fmt.Sprintf("%q", id)
}

func article(kind ThreadKind) string {
	if kind == Engineering {
		return "an engineering"
	}
	return "a " + string(kind)
}
