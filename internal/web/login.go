package web

import (
	"net/http"
	"strings"
	"unicode"
)

// loginPage asks for a token. Whether that opens the door is the server's to say, which takes the form.
type loginPage struct {
	Next    string
	Failed  bool
	Onwards bool // the reader followed a link from elsewhere: the browser keeps the cookie back, this once
}

// login shows the page without a token, so that it says nothing about the project.
func (w *Web) login(rw http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	p := loginPage{Next: query.Get("next"), Failed: query.Get("failed") != ""}
	p.Onwards = r.Header.Get("Sec-Fetch-Site") == "cross-site" && local(p.Next)
	status := http.StatusOK
	if p.Failed {
		status = http.StatusForbidden
	}
	w.show(rw, r, view{Template: "login", Title: "Sign in", Still: true, Bare: true, Data: p, Status: status}, 0)
}

// local tells whether an address leads to a page of this server. Browsers drop tabs and line ends, and read
// a backslash as a slash: an ordinary character must follow the first slash.
func local(next string) bool {
	return len(next) > 1 && next[0] == '/' && next[1] != '/' &&
		!strings.ContainsFunc(next, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}
