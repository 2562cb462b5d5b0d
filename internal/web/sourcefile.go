package web

import (
	"mime"
	"net/http"
	"path"

	"brenner/internal/evidence"
	"brenner/internal/literature"
	"brenner/internal/protocol"
)

// sourceFile hands out the file of a source, as something to save: what it holds was written by anybody, and runs nowhere.
func (w *Web) sourceFile(rw http.ResponseWriter, r *http.Request) {
	w.handOut(rw, r, func(s *evidence.Source) (name string, data []byte, err error) {
		if s.Bytes != nil {
			data = s.Bytes()
		}
		if data == nil {
			err = protocol.Errorf(protocol.NotFound, "the file of %s is not here, or is not the one that was added", s.ID)
		}
		return path.Base(s.File), data, err
	})
}

// sourceEntry hands out the bibliographic entry of a source as BibTeX.
func (w *Web) sourceEntry(rw http.ResponseWriter, r *http.Request) {
	w.handOut(rw, r, func(s *evidence.Source) (string, []byte, error) {
		text, err := literature.Render(literature.BibTeX, []literature.Reference{s.Reference()})
		return s.ID + ".bib", []byte(text), err
	})
}

// handOut sends a part of a source as a file.
func (w *Web) handOut(rw http.ResponseWriter, r *http.Request, part func(*evidence.Source) (string, []byte, error)) {
	s, err := w.deps.Sessions.Source(r.PathValue("id"))
	var name string
	var data []byte
	if err == nil {
		name, data, err = part(s)
	}
	if err != nil {
		w.fail(rw, r, err)
		return
	}
	h := rw.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, no-cache")
	_, _ = rw.Write(data) // the client is gone
}
