package protocol

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
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
	Reply       bool   // "Re: " stood before it
	Valid       bool   // the prefix is one that this intake accepts
}

var (
	strictPrefix  = regexp.MustCompile(`^(KICKOFF|DELTA|COMPILED|CRITIQUE|ACK|CLAIM|HANDOFF|BLOCKED|QUESTION|INFO)(?:\[([^\]]*)\])?:`)
	replyPrefix   = regexp.MustCompile(`^(?:(?i:re): *)+`)
	versionFirst  = regexp.MustCompile(`^v[1-9][0-9]{0,17} `)
	shorthandWord = regexp.MustCompile(`^[a-z]+$`)
)

// ParseSubject takes a subject apart and says what is wrong with it (PROTOCOL 3). Lenient
// intake accepts any text in DELTA[…] and gives errors as warnings, since mail that exists
// cannot be refused any more; text that is not UTF-8 is an error in both.
func ParseSubject(text string, intake Intake) (Subject, []Finding) {
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return Subject{}, []Finding{NewFinding(InvalidEncoding, "The subject is not UTF-8 text without NUL bytes.").In("subject")}
	}
	seen := WithoutBOM(text)
	rest := seen[len(replyPrefix.FindString(seen)):]
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
	m := strictPrefix.FindStringSubmatchIndex(rest)
	if m == nil {
		return Subject{Description: strings.TrimSpace(rest)}, []Finding{noPrefix(rest)}
	}
	subject := Subject{
		Prefix: MessageType(rest[m[2]:m[3]]), Description: strings.TrimSpace(rest[m[1]:]), Valid: true,
	}
	bracketed := m[4] >= 0
	if bracketed != (subject.Prefix == TypeDelta) { // DELTA without a word, or INFO[x]
		return Subject{Description: strings.TrimSpace(rest)}, []Finding{noPrefix(rest)}
	}
	var findings []Finding
	if bracketed {
		subject.Shorthand = rest[m[4]:m[5]]
		findings = checkWord(subject, rest)
		subject.Valid = intake == Lenient || shorthandWord.MatchString(subject.Shorthand)
	}
	if Blank(subject.Description) {
		subject.Description = ""
		findings = append(findings, NewFinding(EmptySubjectDescription, "Nothing follows %s.", rest[:m[1]]).
			WithFix("Say in a few words what the message is about: %s %s.", rest[:m[1]], exampleDescription[subject.Prefix]))
	}
	return subject, findings
}

// checkVersion: AP-001, for what is not a mere reply.
func checkVersion(subject Subject) []Finding {
	if subject.Prefix != TypeCompiled || subject.Reply || versionFirst.MatchString(subject.Description) {
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
