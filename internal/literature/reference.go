package literature

import (
	"strconv"
	"strings"

	"brenner/internal/pattern"
)

var markupForm = pattern.Lazy(`</?(?:i|b|sub|sup|sc|span|em|strong)(?:\s[^<>]*)?>`)

// Plain is a text without the markup that CSL-JSON allows in titles.
func Plain(text string) string { return clean(markupForm().ReplaceAllString(text, "")) }

// String writes an item as a line of a bibliography, without its address: A. Author, B. Other (2010). Title. Journal 3(2), 4-5.
func (i Item) String() string {
	var parts []string
	head := i.authors()
	if when := i.when(); when != "" {
		head = strings.TrimSpace(head + " (" + when + ")")
	}
	for _, part := range []string{head, Plain(i.Title), i.place(), i.Note} {
		if part = strings.TrimRight(part, " ."); part != "" {
			parts = append(parts, part+".")
		}
	}
	return strings.Join(parts, " ")
}

// maxAuthors is how many authors a line names.
const maxAuthors = 6

func (i Item) authors() string {
	var names []string
	for n, a := range i.Author {
		if n == maxAuthors || a.Literal == others {
			return strings.Join(names, ", ") + " et al."
		}
		names = append(names, a.String())
	}
	return strings.Join(names, ", ")
}

// String writes a name as it is spoken.
func (n Name) String() string {
	if n.Literal != "" {
		return n.Literal
	}
	return strings.Join(strings.Fields(strings.Join([]string{n.Given, n.Particle, n.Family, n.Suffix}, " ")), " ")
}

func (i Item) when() string {
	switch {
	case i.Issued == nil:
		return ""
	case i.Issued.Year() > 0:
		return strconv.Itoa(i.Issued.Year())
	}
	return i.Issued.Literal
}

// place is the journal or book with volume, issue and pages.
func (i Item) place() string {
	text := Plain(i.ContainerTitle)
	if i.Volume != "" {
		text += " " + i.Volume
	}
	if i.Issue != "" {
		text += "(" + i.Issue + ")"
	}
	if i.Page != "" {
		text += ", " + strings.ReplaceAll(i.Page, "-", "–")
	}
	return strings.TrimLeft(text, " ,")
}

// Link is the address of an item: its DOI, else a web address, else PubMed; empty: none is known.
func (i Item) Link() string {
	switch {
	case DOILink(i.DOI) != "":
		return DOILink(i.DOI)
	case webAddress(i.URL):
		return i.URL
	case PMID(i.PMID) != "":
		return "https://pubmed.ncbi.nlm.nih.gov/" + PMID(i.PMID) + "/"
	}
	return ""
}

func webAddress(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}
