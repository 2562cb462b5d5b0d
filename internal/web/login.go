package web

import (
	"net/http"
)

// loginPage asks for a token. Whether that opens the door is the server's to say, which takes the form.
type loginPage struct {
	Next    string
	Failed  bool
	Onwards bool // somebody followed a link from elsewhere: the browser keeps the cookie back, this once
}

// login shows the page to anybody, so that it says nothing about the project.
func (w *Web) login(rw http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	p := loginPage{Next: query.Get("next"), Failed: query.Get("failed") != ""}
	p.Onwards = p.Next != "" && len(p.Next) > 1 && p.Next[0] == '/' && p.Next[1] != '/' && p.Next[1] != '\\' && r.Header.Get("Sec-Fetch-Site") == "cross-site"
	status := http.StatusOK
	if p.Failed {
		status = http.StatusForbidden
	}
	w.show(rw, r, view{Template: "login", Title: "Sign in", Still: true, Bare: true, Data: p, Status: status}, 0)
}
