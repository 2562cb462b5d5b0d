package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"brenner/protocol"
)

// failure is the body of every answer that is not what was asked for.
type failure struct {
	OK    bool         `json:"ok"`
	Error errorMessage `json:"error"`
}

type errorMessage struct {
	Code     protocol.Code      `json:"code"`
	Message  string             `json:"message"`
	Findings []protocol.Finding `json:"findings"`
}

// answer turns a function into a handler: its result as JSON, its error as a failure with the
// status of its class.
func (a *API) answer(do func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		result, err := do(r)
		if err != nil {
			a.fail(w, r, err)
			return
		}
		write(w, http.StatusOK, result)
	}
}

func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	code := protocol.CodeOf(err)
	status := code.Info().Class.HTTPStatus()
	if status == http.StatusInternalServerError {
		a.options.Logger.Warn("a request failed", "path", r.URL.Path, "error", err)
	}
	f := failure{Error: errorMessage{Code: code, Message: err.Error(), Findings: []protocol.Finding{}}}
	if e, ok := errors.AsType[*protocol.Error](err); ok && e.Findings != nil {
		f.Error.Findings = e.Findings
	}
	write(w, status, f)
}

func write(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // plain data always encodes
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // whoever asked is gone
}
