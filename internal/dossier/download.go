package dossier

import (
	"fmt"
	"io"

	"brenner/internal/protocol"
)

// Form is a dossier in one of the forms that can be downloaded.
type Form struct {
	Name      string // of the file
	MediaType string
	Write     func(io.Writer) error
}

// Form returns the dossier as md, json, html, zip, txt, bib or cff. NOT_FOUND: there is no such form.
func (b *Bundle) Form(form string) (Form, error) {
	f := Form{Name: fmt.Sprintf("%s-v%d.%s", b.ThreadID(), b.Version, form)}
	switch form {
	case "md", "json":
		views, err := b.views()
		if err != nil {
			return f, err
		}
		v := views[0]
		if form == "json" {
			v = views[1]
		}
		f.MediaType, f.Write = v.mediaType+"; charset=utf-8", text(v.text)
	case "html":
		page, err := b.Report()
		f.MediaType, f.Write = "text/html; charset=utf-8", text(string(page))
		return f, err
	case "zip":
		f.MediaType = "application/zip"
		f.Write = func(w io.Writer) error {
			_, err := b.WriteCrate(w, nil)
			return err
		}
	case "txt":
		f.MediaType, f.Write = "text/plain; charset=utf-8", text(b.Cite(CiteText)+"\n")
	case "bib":
		f.MediaType, f.Write = "application/x-bibtex; charset=utf-8", text(b.Cite(CiteBibTeX))
	case "cff":
		f.MediaType, f.Write = "application/yaml; charset=utf-8", text(b.Cite(CiteCFF))
	default:
		return f, protocol.Errorf(protocol.NotFound, "there is no form %q of a version: md, json, html, zip, txt, bib and cff are", form)
	}
	return f, nil
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}
