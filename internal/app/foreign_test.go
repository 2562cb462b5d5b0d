package app_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/server"
	"brenner/internal/session"
	"brenner/internal/store/foreign"
)

// abroad opens a project on a server as on a foreign one.
func abroad(t *testing.T, s *served) *app.App {
	t.Helper()
	project, err := app.FindProject(t.Context(), s.app.Project.Root, "")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := app.Open(t.Context(), app.Options{Project: project, Store: "mcp+" + s.url + "/mcp/"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

func note(from, to, thread, subject, body string) mail.Outgoing {
	return mail.Outgoing{Draft: message.Draft{From: from, To: []string{to}, ThreadID: thread, Subject: subject, Body: body}}
}

// TestForeignMail: sending, reading, acknowledging, searching and answering through the tools
// of another server.
func TestForeignMail(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	a := abroad(t, s)
	ctx := t.Context()
	if err := a.Mail.EnsureAgents(ctx, "Alpha", "Beta"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Mail.Register(ctx, mail.Registration{Name: "alpha", Program: "codex-cli", Model: "gpt-5"}); err != nil {
		t.Fatal(err)
	}
	yes := true
	first := note("alpha", "Beta", "", "a question about mitochondria", "Why?")
	first.AckRequired, first.Key = &yes, "once"
	sent, err := a.Mail.Send(ctx, first)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := a.Mail.Send(ctx, first); err != nil || again.Message.ID != sent.Message.ID {
		t.Errorf("the same key again: %v, message %d and %d", err, again.Message.ID, sent.Message.ID)
	}
	inbox, err := a.Mail.Fetch(ctx, mail.InboxQuery{Agent: "beta", Unread: true})
	if err != nil || len(inbox) != 1 || inbox[0].Message.Body != "Why?" || inbox[0].Message.From != "Alpha" {
		t.Fatalf("%v %+v", err, inbox)
	}
	if d, err := a.Mail.MarkRead(ctx, "Beta", sent.Message.ID); err != nil || d.State() != mail.Read {
		t.Errorf("%v %+v", err, d)
	}
	if pending, err := a.Mail.Pending(ctx, mail.PendingQuery{}); err != nil || len(pending) != 1 || pending[0].Agent != "Beta" {
		t.Errorf("%v %+v", err, pending)
	}
	if d, err := a.Mail.Acknowledge(ctx, "Beta", sent.Message.ID, ""); err != nil || d.State() != mail.Acknowledged {
		t.Errorf("%v %+v", err, d)
	}
	answer, err := a.Mail.Reply(ctx, sent.Message.ID, "", mail.Outgoing{Draft: message.Draft{From: "Beta", Body: "Because."}})
	if err != nil || answer.Message.ThreadID != fmt.Sprint(sent.Message.ID) || answer.Message.ReplyTo != sent.Message.ID {
		t.Fatalf("%v %+v", err, answer.Message)
	}
	for query, want := range map[string]int{"mitochond*": 2, `"about mitochondria" NOT because`: 1, "why OR because": 2, "nothing": 0} {
		if found, err := a.Mail.Search(ctx, query, mail.SearchQuery{}); err != nil || len(found) != want {
			t.Errorf("%s: %v, %d messages", query, err, len(found))
		}
	}
	if _, err := a.Mail.Send(ctx, note("Alpha", "Gamma", "", "x", "y")); protocol.CodeOf(err) != protocol.UnknownAgent {
		t.Errorf("unknown recipient: %v", err)
	}
	if _, err := a.Mail.MarkRead(ctx, "Alpha", sent.Message.ID); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("not received: %v", err)
	}
	if _, err := a.Mail.Message(ctx, 999); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("unknown message: %v", err)
	}
}

// TestForeignCannot: what the tools do not offer is refused in words.
func TestForeignCannot(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	a := abroad(t, s)
	ctx := t.Context()
	if err := a.Mail.EnsureAgents(ctx, "Alpha"); err != nil {
		t.Fatal(err)
	}
	_, retire := a.Mail.Retire(ctx, "Alpha")
	_, imported := transfer.Import(ctx, a.Mail,
		strings.NewReader(`{"thread_id":"T-1","from":"A","subject":"s","body_md":"b","created_ts":"2025-01-01T00:00:00Z"}`))
	_, leases := a.Mail.Leases(ctx)
	_, events := a.Store.Events(ctx, mail.EventQuery{Project: a.Mail.Project().ID})
	for name, err := range map[string]error{
		"retire": retire, "import": imported, "leases": leases, "events": events, "wait": a.Store.Wait(ctx, 1, 0),
	} {
		if protocol.CodeOf(err) != protocol.NotAllowed {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := a.Store.Compose(ctx, a.Mail.Project().ID, time.Now(), func(context.Context, mail.Tx) ([]mail.Entry, error) {
		return []mail.Entry{{Key: "reminder:1:1"}}, nil
	})
	if protocol.CodeOf(err) != protocol.NotAllowed {
		t.Errorf("reminders: %v", err)
	}
	if err := a.Serve(ctx, app.ServeOptions{Addr: "127.0.0.1:0"}); protocol.CodeOf(err) != protocol.NotAllowed {
		t.Errorf("a server on a server: %v", err)
	}
	status, err := a.Store.Status(ctx)
	if err != nil || status.Atomic || status.Engine != "foreign" {
		t.Errorf("%v %+v", err, status)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Store.Status(ctx); protocol.CodeOf(err) != protocol.StoreUnavailable {
		t.Errorf("closed: %v", err)
	}
	s.stop()
	if _, err := foreign.Open(ctx, "mcp+"+s.url+"/mcp/", foreign.Options{}); protocol.CodeOf(err) != protocol.StoreUnavailable {
		t.Errorf("nobody there: %v", err)
	}
	for _, dsn := range []string{"mcp+ftp://x/", "mcp+http:x", "http://x"} {
		if _, err := foreign.Open(ctx, dsn, foreign.Options{}); protocol.CodeOf(err) != protocol.Usage {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}

// TestForeignToken: the token comes from the environment, and the wrong one is refused.
func TestForeignToken(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true})
	token, err := s.keys.Create(t.Context(), server.AgentToken(mail.Operator))
	if err != nil {
		t.Fatal(err)
	}
	waitForKeys(t, s, token)
	for given, want := range map[string]protocol.Code{token: "", "": protocol.NotAllowed, "x": protocol.NotAllowed} {
		env := map[string]string{"AGENT_MAIL_BASE_URL": s.url, "AGENT_MAIL_PATH": "api", "AGENT_MAIL_BEARER_TOKEN": given}
		store, err := foreign.Open(t.Context(), "mcp+http://", foreign.Options{Getenv: func(name string) string { return env[name] }})
		if err != nil && protocol.CodeOf(err) != want || err == nil && want != "" {
			t.Errorf("token %.9q: %v", given, err)
		}
		if err == nil {
			store.Close()
		}
	}
}

// TestForeignSession: a whole session on a foreign server, with mail that was not checked there.
func TestForeignSession(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	a := abroad(t, s)
	ctx := t.Context()
	if err := a.Mail.EnsureAgents(ctx, "Operator", "Alpha"); err != nil {
		t.Fatal(err)
	}
	started, err := a.Sessions.Start(ctx, session.StartRequest{
		From: "Operator", Question: "Why do cells choose one of two fates?", Context: "Cells.",
		Roster: session.RosterRequest{Recipients: []string{"Alpha"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	thread := started.ThreadID
	delta, err := os.ReadFile("../../examples/delta.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Mail.Send(ctx, note("Alpha", "Operator", thread, "DELTA[gpt]: first ideas", string(delta))); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Mail.Send(ctx, note("Alpha", "Operator", thread, "DELTA[gpt]: nothing in it",
		"no block")); protocol.CodeOf(err) != protocol.ValidationFailed {
		t.Errorf("validation on this side: %v", err)
	}
	smuggle(t, s, thread)
	out, err := a.Sessions.Compile(ctx, session.CompileRequest{ThreadID: thread, As: "Operator"})
	if err != nil || !out.NewVersion || out.Version != 1 {
		t.Fatalf("%v %+v", err, out)
	}
	messages, err := a.Mail.ThreadMessages(ctx, thread)
	if err != nil {
		t.Fatal(err)
	}
	var compiled, complaints []mail.Message
	for _, m := range messages {
		switch {
		case m.Type == protocol.TypeCompiled:
			compiled = append(compiled, m)
		case strings.HasPrefix(m.Subject, "INFO: Validation error in message "):
			complaints = append(complaints, m)
		}
	}
	if len(compiled) != 1 || compiled[0].Version != 1 || !strings.Contains(compiled[0].Body, "**Through message**: #") {
		t.Errorf("%d COMPILED messages", len(compiled))
	}
	if len(complaints) != 1 || complaints[0].To[0] != "Alpha" {
		t.Errorf("complaints: %+v", complaints)
	}
	if _, err := a.Mail.Send(ctx, note("Alpha", "Operator", thread, "DELTA[gpt]: more ideas", string(delta))); err != nil {
		t.Fatal(err)
	}
	if out, err = a.Sessions.Compile(ctx, session.CompileRequest{ThreadID: thread, As: "Operator"}); err != nil || out.Version != 2 {
		t.Errorf("%v %+v", err, out)
	}
	after, err := a.Mail.ThreadMessages(ctx, thread)
	if err != nil || len(after) != len(messages)+2 { // the delta and its version; no complaint again
		t.Errorf("%v: %d messages, then %d", err, len(messages), len(after))
	}
	if threads, err := a.Mail.Threads(ctx); err != nil || len(threads) != 1 || threads[0].LatestVersion != 2 {
		t.Errorf("%v %+v", err, threads)
	}
	of, err := a.Sessions.Session(ctx, thread)
	if err != nil {
		t.Fatal(err)
	}
	if status, err := of.Status(ctx); err != nil || len(status.Liveness) != 1 || status.Liveness[0].State != liveness.Working {
		t.Errorf("who is there, by mail alone: %v %+v", err, status.Liveness)
	}
}

// smuggle puts a message into the thread that no door looked at, as a server without one does.
func smuggle(t *testing.T, s *served, thread string) {
	t.Helper()
	_, err := s.app.Store.Append(t.Context(), s.app.Mail.Project().ID, time.Now(), mail.Entry{
		Message: message.Message{
			ThreadID: thread, From: "Alpha", To: []string{"Operator"}, Subject: "DELTA[gpt]: broken", Body: "```delta\n{\n```\n",
			Importance: message.Normal, Intake: protocol.Strict,
		},
		Type: protocol.TypeDelta,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestForeignRace: a version that another agent published meanwhile is reported, never hidden.
func TestForeignRace(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	a := abroad(t, s)
	ctx := t.Context()
	if err := a.Mail.EnsureAgents(ctx, "Operator", "Alpha"); err != nil {
		t.Fatal(err)
	}
	version := func(from string) mail.Entry {
		return mail.Entry{
			Message: message.Message{
				ThreadID: "race", From: from, To: []string{"Alpha"}, Subject: "COMPILED: v1 artifact", Body: "x",
				Importance: message.Normal,
			},
			Type: protocol.TypeCompiled, Version: 1, Gapless: true,
		}
	}
	id := a.Mail.Project().ID
	_, err := a.Store.Compose(ctx, id, time.Now(), func(ctx context.Context, _ mail.Tx) ([]mail.Entry, error) {
		return []mail.Entry{version("Operator")}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Store.Append(ctx, id, time.Now(), version("Alpha")); protocol.CodeOf(err) != protocol.Conflict {
		t.Errorf("a version that is there: %v", err)
	}
	late := version("Alpha")
	late.Gapless = false // as if the check had come before the other's message
	if _, err := a.Store.Append(ctx, id, time.Now(), late); protocol.CodeOf(err) != protocol.Conflict ||
		!strings.Contains(err.Error(), "twice") {
		t.Errorf("published twice: %v", err)
	}
}
