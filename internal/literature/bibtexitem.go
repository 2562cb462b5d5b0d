package literature

import (
	"strings"

	"brenner/internal/pattern"
)

// entry reads the fields of a BibTeX or biblatex entry.
func (e *rawEntry) entry() Entry {
	item := Item{
		Type: fromBibTeX(e.kind), Title: e.title(), Author: parseNames(e.fields["author"]), Issued: e.issued(),
		ContainerTitle: latex(e.first("journal", "journaltitle", "booktitle", "maintitle")),
		Volume:         latex(e.fields["volume"]), Issue: latex(e.first("issue", "number")), Page: pages(latex(e.fields["pages"])),
		DOI: verbatim(e.fields["doi"]), URL: verbatim(e.fields["url"]), PMID: e.pmid(),
	}
	if len(item.Author) == 0 {
		item.Author = parseNames(e.first("editor", "organization", "institution"))
	}
	return Entry{Key: clean(e.key), Item: item.cleaned(), Files: attachments(e.fields["file"])}
}

func (e *rawEntry) first(names ...string) string {
	for _, name := range names {
		if strings.TrimSpace(e.fields[name]) != "" {
			return e.fields[name]
		}
	}
	return ""
}

func (e *rawEntry) title() string {
	title := latex(e.fields["title"])
	if subtitle := latex(e.fields["subtitle"]); title != "" && subtitle != "" {
		title += ": " + subtitle
	}
	return title
}

func (e *rawEntry) issued() *Date {
	if d := parseDate(latex(e.fields["date"])); d != nil && len(d.Parts) > 0 {
		return d
	}
	year := parseDate(latex(e.fields["year"]))
	if year == nil || len(year.Parts) != 1 || len(year.Parts[0]) != 1 {
		if year == nil {
			return parseDate(latex(e.fields["date"]))
		}
		return year
	}
	parts := []int{year.Year(), month(latex(e.fields["month"]))}
	if day := numbers([]string{latex(e.fields["day"])}); len(day) == 1 {
		parts = append(parts, day[0])
	}
	return newDate(parts)
}

var pmidNote = pattern.Lazy(`(?i)\bPMID:?\s*([0-9]{1,10})\b`)

// pmid finds a PubMed id where programs put it.
func (e *rawEntry) pmid() string {
	if id := PMID(verbatim(e.fields["pmid"])); id != "" {
		return id
	}
	if strings.EqualFold(verbatim(e.first("eprinttype", "archiveprefix")), "pubmed") {
		return PMID(verbatim(e.fields["eprint"]))
	}
	if m := pmidNote().FindStringSubmatch(e.first("note", "annote")); m != nil {
		return PMID(m[1])
	}
	return ""
}

// pages writes a range of pages with one hyphen.
func pages(text string) string {
	return strings.NewReplacer("–", "-", "—", "-", "--", "-").Replace(text)
}

// attachments reads the field file of Zotero, JabRef and Mendeley: path, or description:path:type, several with semicolons
// between, and a backslash before each of : ; \ that means itself.
func attachments(field string) []string {
	field = strings.ReplaceAll(strings.ReplaceAll(field, `{\$}\backslash{\$}`, `\\`), `$\backslash$`, `\\`)
	var paths []string
	for _, one := range splitEscaped(field, ';') {
		parts := splitEscaped(one, ':')
		path := one
		if n := len(parts); n >= 3 {
			path = strings.Join(parts[1:n-1], ":")
		} else if n == 2 && parts[0] == "" {
			path = parts[1]
		}
		if path = clean(unescape(path)); path != "" && len(paths) < maxFields {
			paths = append(paths, path)
		}
	}
	return paths
}

// splitEscaped cuts a text at a character that no backslash stands before.
func splitEscaped(text string, at byte) []string {
	var parts []string
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case at:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// unescape drops braces, and each backslash that stands before something other than a letter or digit.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{' || c == '}':
		case c == '\\' && i+1 < len(text) && !letterOrDigit(text[i+1]):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}
