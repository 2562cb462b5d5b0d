package dossier

import "brenner/internal/literature"

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

// agrees compares a file with the view: JSON over what it says and not over its layout, BibTeX to the byte, since programs that read
// it pass over comments and fields that they do not know.
func (v view) agrees(file []byte) (string, bool) {
	if v.mediaType == bibTeXType {
		return "its text", string(file) == v.text
	}
	return agrees(file, []byte(v.text), everyKey)
}
