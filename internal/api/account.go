package api

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"strconv"

	"brenner/internal/audit"
)

// account tells the audit log what it could not see of a request before it was read: in whose name it acts, and the thread
// where the address names none.
func (a *API) account(r *http.Request, who Caller, in reflect.Value) error {
	if !audit.Carried(r.Context()) {
		return nil
	}
	agent := cmp.Or(said(in, "as"), said(in, "from"), who.viewer())
	return audit.Touch(r.Context(), cmp.Or(said(in, "thread_id"), a.threadOf(r)), agent)
}

// arose tells the audit log a thread that had no name before the act. It is done: should the log not take it now, the end of the
// act says it once more.
func arose(ctx context.Context, thread string) { _ = audit.Touch(ctx, thread, "") }

// said is the text of a field of the body; empty if there is none, or no such field.
func said(in reflect.Value, name string) string {
	field, known := bodyFields(in.Type())[name]
	if !known || in.Field(field).Kind() != reflect.String {
		return ""
	}
	return in.Field(field).String()
}

// threadOf is the thread of the message that an address names; empty if it names none. What is wrong with the address is
// said by who answers it.
func (a *API) threadOf(r *http.Request) string {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return ""
	}
	m, err := a.deps.Sessions.Mail().Message(r.Context(), id)
	if err != nil {
		return ""
	}
	return m.ThreadID
}
