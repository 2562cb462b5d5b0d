package web

import "net/http"

// documentRoutes is the table of the pages that show artifacts: one version, two versions, all sessions.
func (w *Web) documentRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /t/{thread}/v/{n}", w.page(w.artifact))
	mux.HandleFunc("GET /t/{thread}/v/{n}/download/{form}", w.download)
	mux.HandleFunc("GET /t/{thread}/draft", w.page(w.draft))
	mux.HandleFunc("GET /t/{thread}/diff", w.page(w.diff))
	mux.HandleFunc("GET /genealogy", w.page(w.genealogy))
	mux.HandleFunc("GET /evidence", w.page(w.evidence))
	mux.HandleFunc("GET /evidence/add", w.page(w.addSource))
	mux.HandleFunc("GET /evidence/{id}", w.page(w.source))
	mux.HandleFunc("GET /evidence/{id}/mark", w.page(w.markSource))
	mux.HandleFunc("GET /evidence/{id}/figure", w.figure)
	mux.HandleFunc("GET /evidence/{id}/file", w.sourceFile)
	mux.HandleFunc("GET /evidence/{id}/bib", w.sourceEntry)
}
