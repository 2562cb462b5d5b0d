package web

import (
	"context"
	"io"
	"mime"
	"net/http"
	"strconv"

	"brenner/internal/protocol"
)

// Download is a published version in a form that leaves the project.
type Download struct {
	Name      string // of the file
	MediaType string
	Write     func(w io.Writer) error
}

// Downloads makes them: form is md, json, html, zip, txt, bib or cff; version 0 is the latest. NOT_FOUND: there is no such
// thread, version or form. NOT_ALLOWED: it holds more than the viewer may read.
type Downloads func(ctx context.Context, thread string, version int, form string) (Download, error)

// download sends a version as a file. It is made anew each time, and never shown inside the pages: a report has styles of its
// own, which their policy would refuse.
func (w *Web) download(rw http.ResponseWriter, r *http.Request) {
	w.failIf(rw, r, w.sendDownload(rw, r))
}

func (w *Web) sendDownload(rw http.ResponseWriter, r *http.Request) error {
	if err := w.mayRead(r); err != nil {
		return err
	}
	number, err := versionInAddress(r.PathValue("n"))
	if err != nil {
		return err
	}
	if w.deps.Downloads == nil {
		return protocol.Errorf(protocol.NotFound, "this server has no downloads")
	}
	d, err := w.deps.Downloads(r.Context(), r.PathValue("thread"), number, r.PathValue("form"))
	if err != nil {
		return err
	}
	h := rw.Header()
	h.Set("Content-Type", d.MediaType)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.Name}))
	h.Set("Cache-Control", "private, no-store")
	if r.Method == http.MethodHead {
		return nil
	}
	if err := d.Write(rw); err != nil {
		w.options.Logger.Error("a download ended early", "file", d.Name, "error", err)
		panic(http.ErrAbortHandler) // the browser must not take what came for the whole
	}
	return nil
}

// versionInAddress reads a version in an address; 0 is the latest.
func versionInAddress(text string) (int, error) {
	if text == "latest" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, protocol.Errorf(protocol.NotFound, "%q is no version: versions are numbers from 1, and latest", text)
	}
	return n, nil
}
