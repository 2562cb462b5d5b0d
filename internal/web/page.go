package web

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"brenner/internal/mail"
)

// view is what a page function returns: which template shows which data.
type view struct {
	Template string // name of the file below templates, without its ending
	Title    string
	Nav      string // entry of the main navigation that is current
	Thread   string // the page changes when this thread does; empty: with any
	Data     any
	Status   int  // 0: 200
	Still    bool // nothing that happens in the project changes it
	Bare     bool // nothing of the project around it
}

// frame is what the layout shows around a view.
type frame struct {
	view
	Lab     bool
	Viewer  Viewer
	Project string
	Version string
	Cursor  mail.Cursor // the page is as of this event; live updates follow from here
	Query   string      // in the search field
	Unread  string      // mail of the viewer; empty: none
	Tour    *tourView   // nil: nobody is on one
}

// maker is a page function.
type maker func(*http.Request) (view, error)

// page turns a page function into a handler. A page that was made for the same viewer is
// shown again until something happens.
func (w *Web) page(look maker) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		library, _ := w.deps.Sessions.Library() // who needs it says why it cannot be read
		at := address{r.URL.RequestURI(), w.deps.Viewer(r.Context()), library}
		for {
			done, err := w.known(rw, r, at)
			if done || err != nil {
				w.failIf(rw, r, err)
				return
			}
			busy := w.cache.begin(at)
			if busy == nil {
				break
			}
			select {
			case <-busy:
			case <-r.Context().Done():
				return
			}
		}
		defer w.cache.end(at)
		w.failIf(rw, r, w.fresh(rw, r, at, look))
	}
}

// known shows a page that was made before, if it still is what would be made now.
func (w *Web) known(rw http.ResponseWriter, r *http.Request, at address) (bool, error) {
	page := w.cache.get(at)
	if page == nil {
		return false, nil
	}
	news, err := w.deps.Sessions.Revision(r.Context(), page.thread)
	if err != nil || !page.current(news, w.options.Now()) {
		return false, err
	}
	send(rw, r, page)
	return true, nil
}

// fresh makes a page. The place in the log is taken before the data: what lands in between is shown
// twice, not never.
func (w *Web) fresh(rw http.ResponseWriter, r *http.Request, at address, look maker) error {
	now := w.options.Now()
	news, err := w.deps.Sessions.Revision(r.Context(), r.PathValue("thread"))
	if err != nil {
		return err
	}
	if err := w.mayRead(r); err != nil {
		return err
	}
	v, err := look(r)
	if err != nil {
		return err
	}
	thread := v.Thread
	if thread != r.PathValue("thread") {
		thread = "" // how far it has come was not asked: any event outdates the page
	}
	body, err := w.render(r, v, news.Cursor)
	if err != nil {
		return err
	}
	if v.Status != 0 {
		write(rw, r, v.Status, body)
		return nil
	}
	page := newRendering(body, thread, news, now, w.options.Now().Sub(now))
	w.cache.put(at, page)
	send(rw, r, page)
	return nil
}

// mayRead refuses threads and messages in an address that do not exist for the viewer. A page that was made
// for the same viewer before is not checked again: nobody ceases to be a member of a thread.
func (w *Web) mayRead(r *http.Request) error {
	return w.deps.Access(r.Context()).CheckAddress(r.Context(), r.PathValue("thread"), r.PathValue("id"))
}

func (w *Web) render(r *http.Request, v view, cursor mail.Cursor) ([]byte, error) {
	f := frame{
		view: v, Lab: w.options.Lab, Viewer: w.deps.Viewer(r.Context()), Project: w.deps.Sessions.Mail().Project().HumanKey,
		Version: w.options.Version, Cursor: cursor,
	}
	f.Unread, f.Tour = w.unread(r, v), w.tour(r)
	if r.URL.Path == "/search" {
		f.Query = r.URL.Query().Get("q")
	}
	var b bytes.Buffer
	err := w.templates.render(&b, f)
	return showControls(b.Bytes()), err
}

// send answers with a page, packed if that is understood, or with the word that it is the same still.
func send(rw http.ResponseWriter, r *http.Request, page *rendering) {
	h := rw.Header()
	h.Set("ETag", page.tag)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Accept-Encoding, Cookie")
	if strings.Contains(r.Header.Get("If-None-Match"), page.tag) {
		rw.WriteHeader(http.StatusNotModified)
		return
	}
	body := page.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = page.pack()
	}
	write(rw, r, http.StatusOK, body)
}

func write(rw http.ResponseWriter, r *http.Request, status int, body []byte) {
	h := rw.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	rw.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = rw.Write(body) // the client is gone
	}
}

// show answers with a page that is not kept.
func (w *Web) show(rw http.ResponseWriter, r *http.Request, v view, cursor mail.Cursor) {
	body, err := w.render(r, v, cursor)
	if err != nil {
		w.options.Logger.Error("a page cannot be rendered", "template", v.Template, "error", err)
		http.Error(rw, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	status := v.Status
	if status == 0 {
		status = http.StatusOK
	}
	write(rw, r, status, body)
}

// Forget drops all pages that are kept. A person who wrote something sees it at once, also what makes no event.
func (w *Web) Forget() { w.cache.clear() }

// failIf shows what is wrong, if anything is.
func (w *Web) failIf(rw http.ResponseWriter, r *http.Request, err error) {
	if err != nil && !errors.Is(err, r.Context().Err()) {
		w.fail(rw, r, err)
	}
}
