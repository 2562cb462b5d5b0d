package message

import (
	"regexp"
	"strconv"

	"brenner/internal/markup"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// Patterns of version numbers. Eighteen digits fit an int64 with room for the next one.
var (
	subjectVersion     = pattern.Lazy(`^v([1-9][0-9]{0,17})(?:[^\pL\pN_.]|\.(?:\D|$)|$)`)
	frontMatterVersion = pattern.Lazy(`^version:[ \t]*["']?v?([0-9]{1,18})["']?[ \t]*(?:#.*)?$`)
	versionWord        = pattern.Lazy(`(?i)(?:^|[^\pL\pN_.-])v([1-9][0-9]{0,17})(?:[^\pL\pN_.]|\.(?:\D|$)|$)`)
	versionNumber      = pattern.Lazy(`^([1-9][0-9]{0,17})(?:[^\pL\pN_.]|\.(?:\D|$)|$)`)
)

// maxImportedVersion bounds the number that an imported COMPILED may claim. What is published
// here may be larger: otherwise an imported number could leave the thread without a next one
// (PROTOCOL 10, imported messages never block).
const maxImportedVersion = 999_999_999_999_999

// CompiledVersion returns the version that a COMPILED message names: the one in its subject,
// else the one in its body, else 0. The body is read only if the subject names none.
func CompiledVersion(m *Message) int {
	subject, _ := protocol.ParseSubject(m.Subject, m.Intake)
	n := number(subjectVersion(), subject.Description)
	if n == 0 {
		n = bodyVersion(markup.Parse(m.Body))
	}
	if m.Imported && n > maxImportedVersion {
		return 0
	}
	return n
}

// bodyVersion reads the version in the title, the metadata or the summary of a body.
func bodyVersion(doc *markup.Document) int {
	if title, ok := doc.Title(); ok {
		if n := versionIn(title.Text); n != 0 {
			return n
		}
	}
	if f, ok := sectionFields(doc, "Metadata").get("Version"); ok {
		if n := version(f.value); n != 0 {
			return n
		}
	}
	s, _ := doc.Section("Summary")
	return versionIn(s.Text)
}

// version reads v2 anywhere in a text, or a number at its beginning. 0 is none: versions
// begin with 1.
func version(text string) int {
	if n := versionIn(text); n != 0 {
		return n
	}
	return number(versionNumber(), text)
}

// versionIn reads v2 anywhere in a text.
func versionIn(text string) int { return number(versionWord(), text) }

func number(pattern *regexp.Regexp, text string) int {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1]) // at most eighteen digits
	return n
}
