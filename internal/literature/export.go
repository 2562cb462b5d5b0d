package literature

import (
	"bytes"
	"encoding/json"

	"brenner/internal/protocol"
)

// Reference is an item that goes out under a key.
type Reference struct {
	Key  string
	Item Item
}

// ParseFormat reads the name of a format that can be written.
func ParseFormat(name string) (Format, bool) {
	switch f := Format(name); f {
	case BibTeX, RIS, CSL:
		return f, true
	}
	return "", false
}

// Render writes references in a format, always in the same way.
func Render(format Format, references []Reference) (string, error) {
	switch format {
	case BibTeX:
		return renderBibTeX(references), nil
	case RIS:
		return renderRIS(references), nil
	case CSL:
		return renderCSL(references)
	case NBIB:
	}
	return "", protocol.Errorf(protocol.InvalidInput, "entries are written as bibtex, csl or ris, not as %q", string(format))
}

// StandIn is the item of a source without an entry: its title, and where it comes from.
func StandIn(title, origin string) Item {
	item := Item{Type: anyKind, Title: title}
	id := Identify(nil, origin)
	switch {
	case id.DOI != "":
		item.DOI = bareDOI(origin)
	case webAddress(origin):
		item.URL, item.PMID = origin, id.PMID
	default:
		item.Note, item.PMID = origin, id.PMID
	}
	return item.cleaned()
}

type cslReference struct {
	ID string `json:"id"`
	Item
}

func renderCSL(references []Reference) (string, error) {
	list := make([]cslReference, 0, len(references))
	for _, r := range references {
		list = append(list, cslReference{r.Key, r.Item})
	}
	return indented(list)
}

// File is an item as a file of its own.
func (i Item) File() ([]byte, error) {
	text, err := indented(i)
	return []byte(text), err
}

// indented writes JSON for people: nothing is escaped that need not be.
func indented(value any) (string, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(value)
	return out.String(), err
}
