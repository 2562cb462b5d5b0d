package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// failure is the body of every answer that is not what was asked for.
type failure struct {
	OK      bool                 `json:"ok"`
	Error   protocol.ErrorObject `json:"error"`
	Receipt *delta.Receipt       `json:"receipt,omitempty"` // of a message that was refused
}

// statusError is a failure that HTTP has a word of its own for.
type statusError struct {
	error
	status int
}

func (e statusError) Unwrap() error { return e.error }

// refused is a failure that has a receipt beside its findings.
type refused struct {
	error
	receipt *delta.Receipt
}

func (e refused) Unwrap() error { return e.error }

func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	code := mail.CodeOf(err)
	status := code.Info().Class.HTTPStatus()
	if special, ok := errors.AsType[statusError](err); ok {
		status = special.status
	}
	if status == http.StatusInternalServerError && r.Context().Err() == nil {
		a.options.Logger.Warn("a request failed", "path", r.URL.Path, "error", err)
	}
	f := failure{Error: protocol.NewErrorObject(code, err)}
	if e, ok := errors.AsType[refused](err); ok {
		f.Receipt = e.receipt
	}
	write(w, status, encode(f))
}

// encode writes plain data, which always encodes.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// succeeded puts ok in front of the keys of an object.
func succeeded(v any) []byte {
	data := encode(v)
	if len(data) < 2 || data[0] != '{' {
		panic("an answer is an object") // the route table says so
	}
	if string(data) == "{}" {
		return []byte(`{"ok":true}`)
	}
	return append([]byte(`{"ok":true,`), data[1:]...)
}

func write(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone
	_, _ = w.Write([]byte("\n"))
}
