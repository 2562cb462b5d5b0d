package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/pattern"
)

const (
	maxSubject     = 120
	maxDescription = 80
)

// Subject is a subject line taken apart.
type Subject struct {
	// Prefix is the type that the subject names. It is empty if there is no known prefix; a
	// DELTA whose brackets hold the wrong word has it although it is not Valid.
	Prefix      MessageType
	Shorthand   string // the text in DELTA[…]
	Description string // what follows the prefix, without surrounding space
	Reply       bool   // "Re: " came before it
	Valid       bool   // the prefix is one that this intake accepts
}

var versionFirst = pattern.Lazy(`^v[1-9][0-9]{0,17} `)

// withoutReply removes "Re: " from the beginning of a subject, as often as it is there.
func withoutReply(text string) string {
	for len(text) >= 3 && strings.EqualFold(text[:2], "re") && text[2] == ':' {
		text = strings.TrimLeft(text[3:], " ")
	}
	return text
}

// prefix is the beginning of a subject: a type, a text in brackets where there are any, and a colon.
type prefix struct {
	kind      MessageType
	word      string // in brackets
	bracketed bool
	size      int
}

// cutPrefix finds the prefix of a subject. It is asked for every message that is folded: a regular expression takes longer than
// the rest of the subject.
func cutPrefix(text string) (p prefix, ok bool) {
	for _, kind := range MessageTypes() {
		rest, found := strings.CutPrefix(text, string(kind))
		if !found {
			continue
		}
		p.kind = kind
		if after, open := strings.CutPrefix(rest, "["); open {
			if p.word, rest, p.bracketed = strings.Cut(after, "]"); !p.bracketed {
				return prefix{}, false
			}
		}
		p.size = len(text) - len(rest) + 1
		return p, strings.HasPrefix(rest, ":")
	}
	return prefix{}, false
}

// shorthandWord tells whether a text is a shorthand: lower-case letters.
func shorthandWord(text string) bool {
	for i := range len(text) {
		if text[i] < 'a' || text[i] > 'z' {
			return false
		}
	}
	return text != ""
}

// ParseSubject takes a subject apart and says what is wrong with it (PROTOCOL 3). Lenient
// intake accepts any text in DELTA[…] and gives errors as warnings, since mail that exists
// cannot be refused any more; text that is not UTF-8 is an error in both.
func ParseSubject(text string, intake Intake) (Subject, []Finding) {
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return Subject{}, []Finding{NewFinding(InvalidEncoding, "The subject is not UTF-8 text without NUL bytes.").In("subject")}
	}
	seen := WithoutBOM(text)
	rest := withoutReply(seen)
	subject, findings := parsePrefix(rest, intake)
	subject.Reply = len(rest) < len(seen)
	if subject.Reply && subject.Valid {
		findings = append(findings, NewFinding(SubjectReplyPrefix, "The subject is a reply to %q.", shorten(rest)))
	}
	findings = append(findings, checkVersion(subject)...)
	findings = append(findings, checkControl(text)...)
	findings = append(findings, checkLengths(rest, subject)...)
	for i := range findings {
		findings[i] = findings[i].In("subject")
		if intake == Lenient {
			findings[i] = findings[i].Lowered()
		}
	}
	return subject, findings
}

func parsePrefix(rest string, intake Intake) (Subject, []Finding) {
	p, ok := cutPrefix(rest)
	if !ok {
		return Subject{Description: strings.TrimSpace(rest)}, []Finding{noPrefix(rest)}
	}
	subject := Subject{
		Prefix: p.kind, Description: strings.TrimSpace(rest[p.size:]), Valid: true,
	}
	if p.bracketed != (subject.Prefix == TypeDelta) { // DELTA without a word, or INFO[x]
		return Subject{Description: strings.TrimSpace(rest)}, []Finding{noPrefix(rest)}
	}
	var findings []Finding
	if p.bracketed {
		subject.Shorthand = p.word
		findings = checkWord(subject, rest)
		subject.Valid = intake == Lenient || shorthandWord(subject.Shorthand)
	}
	if Blank(subject.Description) {
		subject.Description = ""
		findings = append(findings, NewFinding(EmptySubjectDescription, "Nothing follows %s.", rest[:p.size]).
			WithFix("Say in a few words what the message is about: %s %s.", rest[:p.size], exampleDescription[subject.Prefix]))
	}
	return subject, findings
}

// checkVersion: AP-001, for what is not a mere reply.
func checkVersion(subject Subject) []Finding {
	if subject.Prefix != TypeCompiled || subject.Reply || versionFirst().MatchString(subject.Description) {
		return nil
	}
	return []Finding{NewFinding(AP001, "The description %q does not begin with a version and a space.", shorten(subject.Description))}
}

func checkLengths(rest string, subject Subject) []Finding {
	var findings []Finding
	if n := utf8.RuneCountInString(rest); n > maxSubject {
		findings = append(findings, NewFinding(SubjectTooLong, "The subject has %d characters; 120 are allowed.", n))
	}
	if n := utf8.RuneCountInString(subject.Description); subject.Prefix != "" && n > maxDescription {
		findings = append(findings, NewFinding(SubjectDescriptionLong, "The description has %d characters; 80 fit an inbox line.", n))
	}
	return findings
}

// checkControl refuses what would break the line in an inbox, a log or a header.
func checkControl(text string) []Finding {
	column := 0
	for _, r := range text {
		column++
		if breaksLine(r) {
			return []Finding{NewFinding(SubjectControlCharacter, "The subject holds the control character %U.", r).
				At(0, column).WithFix("Write it on one line: %s", shorten(strings.Join(strings.FieldsFunc(text, breaksLine), " ")))}
		}
	}
	return nil
}

func breaksLine(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// Classify tells the type of the message (PROTOCOL 3): a reply is an INFO, except that
// Re: DELTA[x] with a delta block stays a DELTA; so is what has no valid prefix.
func (s Subject) Classify(hasDeltaBlock bool) MessageType {
	switch {
	case !s.Valid:
		return TypeInfo
	case s.Reply && !(s.Prefix == TypeDelta && hasDeltaBlock):
		return TypeInfo
	default:
		return s.Prefix
	}
}

// CheckSender compares the word of a DELTA with the shorthand of its sender; an unknown
// shorthand ("") matches everything.
func (s Subject) CheckSender(shorthand string) []Finding {
	if s.Prefix != TypeDelta || shorthand == "" || s.Shorthand == shorthand {
		return nil
	}
	return []Finding{NewFinding(ShorthandMismatch, "The subject says DELTA[%s], its sender's shorthand is %s.", s.Shorthand, shorthand).
		In("subject").WithFix("Write DELTA[%s]: %s", shorthand, shorten(s.Description))}
}
