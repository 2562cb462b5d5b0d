package foreign_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/store/foreign"
	"brenner/internal/store/foreign/foreigntest"
)

// open makes the mail of a project on a server.
func open(t *testing.T, dsn string, options foreign.Options) *mail.Service {
	t.Helper()
	store, err := foreign.Open(t.Context(), dsn, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	project, err := store.EnsureProject(t.Context(), "/srv/lab", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return mail.NewService(store, project, mail.Options{Now: time.Now})
}

// TestAccents: whatever another server leaves out or writes in its own way, mail is sent, read, answered,
// acknowledged and found.
func TestAccents(t *testing.T) {
	for _, a := range foreigntest.Accents() {
		t.Run(a.Name, func(t *testing.T) { converse(t, a) })
	}
}

func converse(t *testing.T, a foreigntest.Accent) {
	_, dsn := foreigntest.Start(t, a)
	m := open(t, dsn, foreign.Options{})
	ctx := t.Context()
	if err := m.EnsureAgents(ctx, "Alpha", "Beta"); err != nil {
		t.Fatal(err)
	}
	yes := true
	sent, err := m.Send(ctx, mail.Outgoing{Draft: message.Draft{
		From: "Alpha", To: []string{"Beta"}, Subject: "about mitosis", Body: "Why?", AckRequired: &yes, ThreadID: "TKT-7",
	}})
	if err != nil || sent.Message.ID != 1 || sent.Message.From != "Alpha" || sent.Message.Body != "Why?" ||
		sent.Message.ThreadID != "TKT-7" {
		t.Fatalf("sent: %v %+v", err, sent.Message)
	}
	inbox, err := m.Fetch(ctx, mail.InboxQuery{Agent: "Beta", Limit: 5})
	if err != nil || len(inbox) != 1 {
		t.Fatalf("inbox: %v, %d messages", err, len(inbox))
	}
	got := inbox[0].Message
	if got.ID != 1 || got.Body != "Why?" || got.From != "Alpha" || fmt.Sprint(got.To) != "[Beta]" || !got.AckRequired ||
		got.CreatedAt.IsZero() || inbox[0].Delivery.Kind != mail.To {
		t.Errorf("inbox: %+v", inbox[0])
	}
	if pending, err := m.Pending(ctx, mail.PendingQuery{Thread: "TKT-7"}); err != nil || len(pending) != 1 || pending[0].Agent != "Beta" {
		t.Errorf("pending: %v %+v", err, pending)
	}
	if d, err := m.MarkRead(ctx, "Beta", 1); err != nil || d.ReadAt.IsZero() {
		t.Errorf("read: %v %+v", err, d)
	}
	if d, err := m.Acknowledge(ctx, "Beta", 1, ""); err != nil || d.State() != mail.Acknowledged {
		t.Errorf("acknowledged: %v %+v", err, d)
	}
	answer, err := m.Reply(ctx, 1, "", mail.Outgoing{Draft: message.Draft{From: "Beta", Body: "Because."}})
	if err != nil || answer.Message.ReplyTo != 1 || answer.Message.Subject != "Re: about mitosis" || answer.Message.ThreadID != "TKT-7" {
		t.Fatalf("answer: %v %+v", err, answer.Message)
	}
	thread, err := m.ThreadMessages(ctx, "TKT-7")
	if err != nil || len(thread) != 2 || thread[0].Body != "Why?" || thread[1].Body != "Because." || fmt.Sprint(thread[1].To) != "[Alpha]" {
		t.Fatalf("thread: %v %+v", err, thread)
	}
	if want := map[bool]int64{true: 0, false: 1}[a.Mute()]; thread[1].ReplyTo != want {
		t.Errorf("the answer in the thread answers %d, want %d", thread[1].ReplyTo, want)
	}
	if found, err := m.Search(ctx, "mitosis", mail.SearchQuery{}); err != nil || len(found) != 2 || found[0].Body != "Why?" {
		t.Errorf("found: %v %+v", err, found)
	}
	notThere(t, m)
}

// notThere: what is not there has its own code, however the server says so.
func notThere(t *testing.T, m *mail.Service) {
	t.Helper()
	_, unknown := m.Agent(t.Context(), "Nobody")
	_, thread := m.ThreadMessages(t.Context(), "TKT-8")
	_, msg := m.Message(t.Context(), 99)
	_, to := m.Send(t.Context(), mail.Outgoing{Draft: message.Draft{From: "Alpha", To: []string{"Nobody"}, Subject: "x", Body: "y"}})
	for name, c := range map[string]struct {
		err  error
		want protocol.Code
	}{
		"agent": {unknown, protocol.UnknownAgent}, "thread": {thread, protocol.NotFound},
		"message": {msg, protocol.NotFound}, "recipient": {to, protocol.UnknownAgent},
	} {
		if protocol.CodeOf(c.err) != c.want {
			t.Errorf("%s: %v, want %s", name, c.err, c.want)
		}
	}
}

// TestBrokenServers: a server that does not answer as one has a code that says whose fault it is.
func TestBrokenServers(t *testing.T) {
	patience := &http.Client{Timeout: 200 * time.Millisecond}
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		want  protocol.Code
	}{
		"no token": {says(http.StatusUnauthorized, "text/plain", "who are you?"), protocol.NotAllowed},
		"refused":  {says(http.StatusForbidden, "application/json", `{"error":"no"}`), protocol.NotAllowed},
		"broken":   {says(http.StatusInternalServerError, "text/html", "<h1>Oops</h1>"), protocol.StoreUnavailable},
		"nothing":  {says(http.StatusNotFound, "text/plain", "404 page not found"), protocol.StoreUnavailable},
		"a page":   {says(http.StatusOK, "text/html", "<html>Welcome</html>"), protocol.StoreUnavailable},
		"cut off":  {says(http.StatusOK, "application/json", `{"jsonrpc":"2.0","id":1,"result":{"con`), protocol.StoreUnavailable},
		"no event": {says(http.StatusOK, "text/event-stream", ": nothing\n\ndata: {\"id\":77,\"result\":{}}\n\n"),
			protocol.StoreUnavailable},
		"no words":   {says(http.StatusOK, "application/json", ""), protocol.StoreUnavailable},
		"a number":   {says(http.StatusOK, "application/json", "17"), protocol.StoreUnavailable},
		"odd result": {says(http.StatusOK, "application/json", `{"jsonrpc":"2.0","id":2,"result":[1,2]}`), protocol.StoreUnavailable},
		"slow":       {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, protocol.StoreUnavailable},
		"slow body": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"jsonrpc"`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, protocol.StoreUnavailable},
		"hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, protocol.StoreUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // only then the end of the connection is seen
				c.serve(w, r)
			}))
			t.Cleanup(web.Close)
			_, err := foreign.Open(t.Context(), "mcp+"+web.URL+"/mcp/", foreign.Options{Client: patience})
			if protocol.CodeOf(err) != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func says(status int, kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

// TestTokens: the token of the environment, or of the address, is shown with every call, and no refusal
// tells it.
func TestTokens(t *testing.T) {
	o := foreigntest.New(foreigntest.Accents()[0])
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer open-sesame" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		o.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	env := map[string]string{"AGENT_MAIL_BEARER_TOKEN": "open-sesame", "AGENT_MAIL_BASE_URL": web.URL, "AGENT_MAIL_PATH": "api"}
	m := open(t, "mcp+http:", foreign.Options{Getenv: func(name string) string { return env[name] }})
	if err := m.EnsureAgents(t.Context(), "Alpha"); err != nil {
		t.Error(err)
	}
	env["AGENT_MAIL_BEARER_TOKEN"] = "guessed"
	_, err := foreign.Open(t.Context(), "mcp+http:", foreign.Options{Getenv: func(name string) string { return env[name] }})
	if protocol.CodeOf(err) != protocol.NotAllowed || strings.Contains(err.Error(), "guessed") ||
		!strings.Contains(err.Error(), "AGENT_MAIL_BEARER_TOKEN") {
		t.Errorf("%v", err)
	}
}

// TestGivenUp: a call that its caller gives up ends as that, not as a fault of the server.
func TestGivenUp(t *testing.T) {
	reached := make(chan struct{}, 1)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		reached <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(web.Close)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-reached; cancel() }()
	if _, err := foreign.Open(ctx, "mcp+"+web.URL+"/mcp/", foreign.Options{}); !strings.Contains(fmt.Sprint(err),
		context.Canceled.Error()) {
		t.Errorf("%v", err)
	}
}
