package protocol

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"brenner/internal/pattern"
)

// ThreadKind is what a thread is for. Its id's prefix tells (PROTOCOL 2).
type ThreadKind string

// The three kinds of thread.
const (
	Research     ThreadKind = "research"
	Coordination ThreadKind = "coordination"
	Engineering  ThreadKind = "engineering"
)

const (
	researchPrefix = "RS-"
	coordPrefix    = "COORD-"

	maxThreadIDBytes = 128
	minSlug          = 2
	maxSlug          = 40
	maxTopic         = 30
	dateLayout       = "20060102"
)

var (
	researchPattern    = pattern.Lazy(`^RS-\d{8}-[a-z0-9-]{2,40}$`)
	coordPattern       = pattern.Lazy(`^COORD-[a-z0-9-]{2,30}$`)
	engineeringPattern = pattern.Lazy(`^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$`)
)

// KindOf tells the kind of a thread by its id, whether or not the id is valid. The order of
// the prefixes is part of the rule (PROTOCOL 2).
func KindOf(id string) ThreadKind {
	switch {
	case strings.HasPrefix(id, researchPrefix):
		return Research
	case strings.HasPrefix(id, coordPrefix):
		return Coordination
	default:
		return Engineering
	}
}

// CheckThreadID judges the id of a thread under the protocol. A valid id may still get
// warnings about its slug.
func CheckThreadID(id string) []Finding {
	if reason := threadFault(id); reason != "" {
		return []Finding{invalidThreadID(id, reason)}
	}
	if KindOf(id) == Research {
		return checkSlug(id[len("RS-YYYYMMDD-"):])
	}
	return nil
}

// threadFault says why an id is refused, or is empty if it is valid.
func threadFault(id string) string {
	if reason := unsafeName(id); reason != "" {
		return reason
	}
	switch KindOf(id) {
	case Research:
		return researchFault(id)
	case Coordination:
		if !coordPattern().MatchString(id) {
			return "after COORD- stand 2–30 characters a-z, 0-9 and -"
		}
	default:
		if !engineeringPattern().MatchString(id) {
			return "a bead id has lower-case letters, digits, _, - and single dots between them"
		}
	}
	return ""
}

// CheckMailThreadID judges the thread id of ordinary mail: it may be absent or have another
// form, which is a warning, unless it could not be a file name. What begins with RS- must
// match (PROTOCOL 2).
func CheckMailThreadID(id string) []Finding {
	if id == "" {
		return nil
	}
	findings := CheckThreadID(id)
	if KindOf(id) == Research || unsafeName(id) != "" {
		return findings
	}
	for i := range findings {
		findings[i] = findings[i].Lowered()
	}
	return findings
}

// TmuxName is the name of the terminal session of a thread: tmux cannot hold . or : in a
// name (PROTOCOL 2). Different ids may share a name, so the mapping has to be recorded.
func TmuxName(id string) string {
	return strings.NewReplacer(".", "_", ":", "_").Replace(id)
}

// unsafeName says why an id could not be a file name, or is empty if it could. The id is
// used verbatim in artifacts/{thread_id}.md.
func unsafeName(id string) string {
	switch {
	case id == "":
		return "it is empty"
	case len(id) > maxThreadIDBytes:
		return "it has more than 128 bytes"
	case !utf8.ValidString(id):
		return "it is not UTF-8"
	case strings.ContainsAny(id, `/\`):
		return "it becomes a file name and may not hold / or \\"
	case strings.Contains(id, ".."):
		return "it becomes a file name and may not hold .."
	case id[0] == '.' || id[0] == '-':
		return "it becomes a file name and may not begin with . or -"
	case strings.ContainsFunc(id, unprintable):
		return "it holds a control character or one that does not print"
	}
	return ""
}

// unprintable is wider than control characters: marks that reverse or hide text would let
// two ids look the same.
func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// researchFault names the first part of a research id that is wrong. The date has to be a
// real one.
func researchFault(id string) string {
	date, slug, _ := strings.Cut(strings.TrimPrefix(id, researchPrefix), "-")
	_, err := time.Parse(dateLayout, date)
	switch {
	case len(date) != 8 || !isNumber(date):
		return "after RS- stand the eight digits of a date, then - and a slug"
	case err != nil:
		return date + " is not a date"
	case researchPattern().MatchString(id):
		return ""
	case len(slug) < minSlug:
		return "the slug behind the date has fewer than 2 characters"
	case strings.ContainsFunc(slug, unicode.IsUpper):
		return "the slug has capital letters"
	case strings.ContainsFunc(slug, func(r rune) bool { return !slugRune(r) }):
		return "the slug may hold only a-z, 0-9 and -"
	default:
		return "the slug has more than 40 characters"
	}
}

func slugRune(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' }
