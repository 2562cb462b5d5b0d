package web

import (
	"net/http"
	"net/url"
	"strconv"
)

// Stop is a place that a tour leads to: what is to be seen there, in a few words and in a sentence, and where.
type Stop struct {
	See, Look string
	Path      string // with a fragment, if it is a part of a page
}

// TourPath is the address of a stop, counted from 1: the page, and that it is looked at on the way.
func TourPath(stops []Stop, n int) string {
	at, err := url.Parse(stops[n-1].Path)
	if err != nil {
		return stops[n-1].Path
	}
	at.RawQuery = "tour=" + strconv.Itoa(n)
	return at.String()
}

// tourView is where a visitor stands on the tour.
type tourView struct {
	Stop

	At, Of     int
	Back, Next string // addresses; empty: there is none
	NextSee    string
	Leave      string
}

// tour tells where a page stands on the tour of this server; nil: nobody is on one.
func (w *Web) tour(r *http.Request) *tourView {
	stops := w.options.Tour
	n, err := strconv.Atoi(r.URL.Query().Get("tour"))
	if err != nil || n < 1 || n > len(stops) {
		return nil
	}
	t := &tourView{Stop: stops[n-1], At: n, Of: len(stops), Leave: r.URL.Path}
	if n > 1 {
		t.Back = TourPath(stops, n-1)
	}
	if n < len(stops) {
		t.Next, t.NextSee = TourPath(stops, n+1), stops[n].See
	}
	return t
}
