package dossier

import (
	"bytes"

	"brenner/internal/literature"
)

// The files with the entries of the cited sources.
const (
	bibliographyJSON = "bibliography.json"
	bibliographyText = "bibliography.bib"
	bibTeXType       = "application/x-bibtex"
)

// bibliography writes the entries of the sources that go along, as `evidence export` does; nothing if there are none.
func (b *Bundle) bibliography() ([]view, error) {
	if b.Library.Pack == nil || len(b.Library.Pack.Sources) == 0 {
		return nil, nil
	}
	entries := b.Library.Pack.References(nil)
	data, err := literature.Render(literature.CSL, entries)
	if err != nil {
		return nil, err
	}
	text, err := literature.Render(literature.BibTeX, entries)
	return []view{
		{bibliographyJSON, "The bibliography, as CSL-JSON", "application/json", data},
		{bibliographyText, "The bibliography, as BibTeX", bibTeXType, text},
	}, err
}

// agrees compares a file with the view, over what it says and not over its layout.
func (v view) agrees(file []byte) (string, bool) {
	if v.mediaType == bibTeXType {
		return "its entries", sameEntries(file, []byte(v.text))
	}
	return agrees(file, []byte(v.text), everyKey)
}

// sameEntries reports whether two texts in BibTeX have the same entries.
func sameEntries(file, derived []byte) bool {
	if bytes.Equal(file, derived) {
		return true
	}
	got, err := asCSL(file)
	if err != nil {
		return false
	}
	want, err := asCSL(derived)
	return err == nil && got == want
}

func asCSL(bibTeX []byte) (string, error) {
	entries, err := literature.Parse(bibTeX)
	if err != nil {
		return "", err
	}
	list := make([]literature.Reference, 0, len(entries))
	for _, e := range entries {
		list = append(list, literature.Reference{Key: e.Key, Item: e.Item})
	}
	return literature.Render(literature.CSL, list)
}
