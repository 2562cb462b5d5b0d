package web

import "net/http"

// threadRoutes is the table of the pages about threads, messages and mailboxes.
func (w *Web) threadRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /t/{thread}", w.page(w.session))
	mux.HandleFunc("GET /t/{thread}/map", w.page(w.argument))
	mux.HandleFunc("GET /t/{thread}/diagnose", w.page(w.diagnosis))
	mux.HandleFunc("GET /t/{thread}/turns", w.page(w.turns))
	mux.HandleFunc("GET /t/{thread}/turns/{round}/{agent}", w.page(w.turns))
	mux.HandleFunc("GET /t/{thread}/do/{act}", w.page(w.act))
	mux.HandleFunc("GET /t/{thread}/card", w.page(w.card))
	mux.HandleFunc("GET /t/{thread}/cell", w.page(w.cell))
	mux.HandleFunc("GET /sections/{n}", w.page(w.section))
	mux.HandleFunc("GET /m/{id}", w.page(w.message))
	mux.HandleFunc("GET /m/{id}/raw", w.rawMessage)
	mux.HandleFunc("GET /inbox", w.page(w.inboxes))
	mux.HandleFunc("GET /inbox/{agent}", w.page(w.inbox))
	mux.HandleFunc("GET /compose", w.page(w.compose))
}
