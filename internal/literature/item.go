package literature

import (
	"strings"
	"unicode"

	"brenner/internal/textnorm"
)

// Item is a bibliographic entry, as CSL-JSON names its parts.
type Item struct {
	Type           string `json:"type"`
	Title          string `json:"title,omitempty"`
	Author         []Name `json:"author,omitempty"`
	Issued         *Date  `json:"issued,omitempty"`
	ContainerTitle string `json:"container-title,omitempty"` // the journal or the book
	Volume         string `json:"volume,omitempty"`
	Issue          string `json:"issue,omitempty"`
	Page           string `json:"page,omitempty"`
	DOI            string `json:"DOI,omitempty"`
	URL            string `json:"URL,omitempty"`
	PMID           string `json:"PMID,omitempty"`
	Note           string `json:"note,omitempty"` // where a source without an entry comes from, in words
}

// Name is an author: a person with its parts, or a literal name of anybody else.
type Name struct {
	Family   string `json:"family,omitempty"`
	Given    string `json:"given,omitempty"`
	Particle string `json:"non-dropping-particle,omitempty"` // von, de la
	Suffix   string `json:"suffix,omitempty"`                // Jr.
	Literal  string `json:"literal,omitempty"`
}

// others is the name that stands for authors who are not listed, as BibTeX writes it.
const others = "others"

// Entry is an item of a file with what the file says about it.
type Entry struct {
	Key   string
	Item  Item
	Files []string // attachments, as they are written, in order
	Line  int      // from 1
}

// The bounds of one file.
const (
	MaxEntries = 20_000
	maxDepth   = 100
	maxNames   = 10_000
	maxField   = 1 << 20  // of a value before it is read
	maxText    = 64 << 10 // of a text of an item
)

// clean writes a text on one line, composed and without control characters.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case r == '\uFEFF':
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return textnorm.NFC(strings.Join(strings.Fields(text), " "))
}

// cleaned brings all texts of an item into one form, and its identifiers into theirs.
func (i Item) cleaned() Item {
	for _, text := range []*string{&i.Type, &i.Title, &i.ContainerTitle, &i.Volume, &i.Issue, &i.Page, &i.URL, &i.Note} {
		*text = clean(*text)
	}
	i.DOI, i.PMID = bareDOI(i.DOI), PMID(i.PMID)
	if i.DOI == "" && NormalDOI(i.URL) != "" {
		i.DOI = bareDOI(i.URL)
	}
	var names []Name
	for _, n := range i.Author {
		for _, text := range []*string{&n.Family, &n.Given, &n.Particle, &n.Suffix, &n.Literal} {
			*text = clean(*text)
		}
		if n != (Name{}) {
			names = append(names, n)
		}
	}
	i.Author = names
	if i.Issued != nil && i.Issued.empty() {
		i.Issued = nil
	}
	if i.Type == "" {
		i.Type = anyKind
	}
	return i
}

// tooLong names the text of an item that is longer than any real one; empty: none is.
func (i Item) tooLong() string {
	for name, text := range map[string]string{
		"type": i.Type, "title": i.Title, "container-title": i.ContainerTitle, "volume": i.Volume, "issue": i.Issue, "page": i.Page,
		"DOI": i.DOI, "URL": i.URL, "note": i.Note,
	} {
		if len(text) > maxText {
			return name
		}
	}
	if len(i.Author) > maxNames {
		return "author"
	}
	return ""
}
