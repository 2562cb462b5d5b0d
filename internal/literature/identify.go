package literature

import (
	"net/url"
	"strings"

	"brenner/internal/pattern"
)

var (
	doiForm      = pattern.Lazy(`^10\.[0-9]{1,9}(?:\.[0-9]+)*/\S+$`)
	doiPrefix    = pattern.Lazy(`^(?i:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:\s*|info:doi/|urn:doi:)`)
	pmidForm     = pattern.Lazy(`^0*([1-9][0-9]{0,9})$`)
	pmidPrefix   = pattern.Lazy(`^(?i:pmid:?\s*|(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/)`)
	notAvailable = "unavailable"
)

// NormalDOI returns what two DOIs are compared by: lower case, without resolver or "doi:"; empty if the text is none.
func NormalDOI(text string) string { return strings.ToLower(bareDOI(text)) }

// bareDOI returns a DOI as it is written, without what stands before it; empty if the text is none.
func bareDOI(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > maxText || strings.EqualFold(text, notAvailable) {
		return ""
	}
	if plainDOI(text) {
		return text
	}
	if prefix := doiPrefix().FindString(text); prefix != "" {
		text = strings.TrimSpace(text[len(prefix):])
		if strings.Contains(prefix, "/") { // an address: it may be escaped, and may ask for something
			text, _, _ = strings.Cut(text, "?")
			text, _, _ = strings.Cut(text, "#")
			if plain, err := url.PathUnescape(text); err == nil {
				text = plain
			}
		}
	}
	if text = clean(text); !doiForm().MatchString(text) {
		return ""
	}
	return text
}

// plainDOI tells at a look that a text is a DOI and nothing else. Snapshots have a million of them.
func plainDOI(text string) bool {
	registrant, rest, ok := strings.Cut(strings.TrimPrefix(text, "10."), "/")
	if !ok || len(text) == len(registrant)+1+len(rest) || rest == "" || registrant == "" || len(registrant) > 9 {
		return false
	}
	for i := range len(registrant) {
		if registrant[i] < '0' || registrant[i] > '9' {
			return false
		}
	}
	for i := range len(rest) {
		if rest[i] <= ' ' || rest[i] >= 0x7F {
			return false
		}
	}
	return true
}

// PMID returns a PubMed id as digits without leading zeros; empty if the text is none. 0 is none.
func PMID(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 200 || text == "" || text == "0" {
		return ""
	}
	text = strings.TrimSuffix(text[len(pmidPrefix().FindString(text)):], "/")
	if m := pmidForm().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// Identifiers are what a work is known by elsewhere.
type Identifiers struct{ DOI, PMID string } // in normal form; empty: none

// Known tells whether there is any.
func (id Identifiers) Known() bool { return id != Identifiers{} }

// Identify finds the identifiers of a source: those of its entry, else what the words say where it comes from.
func Identify(item *Item, origin string) Identifiers {
	var id Identifiers
	if item != nil {
		id = Identifiers{NormalDOI(item.DOI), PMID(item.PMID)}
		if id.DOI == "" {
			id.DOI = NormalDOI(item.URL)
		}
	}
	if id.DOI == "" {
		id.DOI = NormalDOI(origin)
	}
	if id.PMID == "" && pmidPrefix().MatchString(strings.TrimSpace(origin)) {
		id.PMID = PMID(origin)
	}
	return id
}

// DOILink is the address of a DOI.
func DOILink(doi string) string {
	if doi = bareDOI(doi); doi == "" {
		return ""
	}
	return "https://doi.org/" + (&url.URL{Path: doi}).EscapedPath()
}
