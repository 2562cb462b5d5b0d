package app_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mcpclient"
	"brenner/internal/message"
	"brenner/internal/session"
)

// call makes an everyday call for the agent.
func (t *trial) call(ctx context.Context, c *mcpclient.Client) {
	var err error
	switch t.pick("fetch", "send", "register") {
	case "fetch":
		err = c.Tool(ctx, "fetch_inbox", t.lab.arguments("agent_name", t.agent), new(any))
	case "send":
		err = c.Tool(ctx, "send_message", t.lab.arguments("sender_name", t.agent, "to", []string{mail.Operator}, "subject", "hello",
			"body_md", "x"), new(any))
	case "register":
		err = c.Tool(ctx, "macro_start_session", mcpclient.Arguments{
			"human_key": t.lab.app.Mail.Project().HumanKey, "agent_name": t.agent, "program": "p", "model": "m",
		}, new(any))
	}
	t.must(err)
	t.settled(ctx)
}

// fetch fetches the agent's mail.
func (t *trial) fetch(ctx context.Context, c *mcpclient.Client) {
	t.must(c.Tool(ctx, "fetch_inbox", t.lab.arguments("agent_name", t.agent), new(any)))
	t.settled(ctx)
}

// settled waits until the end of the last call was noted, as it is before hours pass.
func (t *trial) settled(ctx context.Context) {
	t.noted(ctx, "a call", func(p *mail.Presence) bool { return !p.CallEnded.IsZero() })
}

// ask sends the agent something that it has to acknowledge.
func (t *trial) ask(ctx context.Context) int64 {
	yes := true
	sent, err := t.lab.app.Mail.Send(ctx, mail.Outgoing{
		Draft: message.Draft{From: mail.Operator, To: []string{t.agent}, Subject: "QUESTION: well?", Body: "Well?", AckRequired: &yes},
	})
	t.must(err)
	return sent.Message.ID
}

// kickoff calls the agent to a round of a session of its own.
func (t *trial) kickoff(ctx context.Context) (thread string) {
	started, err := t.lab.app.Sessions.Start(ctx, session.StartRequest{
		From: mail.Operator, Question: "Why do cells turn?", Context: "They do.", ThreadID: "RS-20260110-turning-cells-" +
			strings.ToLower(t.agent),
		Roster: session.RosterRequest{Recipients: []string{t.agent}},
	})
	t.must(err)
	return started.ThreadID
}

func (t *trial) acknowledge(ctx context.Context, c *mcpclient.Client) {
	owed, err := t.lab.app.Mail.Pending(ctx, mail.PendingQuery{Agent: t.agent})
	t.must(err)
	for _, p := range owed {
		t.must(c.Tool(ctx, "acknowledge_message", t.lab.arguments("agent_name", t.agent, "message_id", p.Message.ID), new(any)))
	}
	t.settled(ctx)
}

// wait lets the agent wait for mail until the trial ends.
func (t *trial) wait(ctx context.Context, c *mcpclient.Client) {
	ctx, cancel := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = c.Tool(ctx, "brenner_wait", t.lab.arguments("agent_name", t.agent, "after_id", 1<<40), new(any)) // the trial ends it
	}()
	t.ends = append(t.ends, func() { cancel(); <-gone })
	t.noted(ctx, "a wait", func(p *mail.Presence) bool { return !p.WaitingUntil.IsZero() && p.CallEnded.IsZero() })
}

// connected is a client of the agent, over either wire.
func (t *trial) connected(ctx context.Context) *mcpclient.Client {
	if t.pick("http", "http", "http", "stdio") == "http" {
		return t.overHTTP()
	}
	c, _ := t.overStdio(ctx)
	return c
}

// inCall: a call that takes long is under way.
func inCall(ctx context.Context, t *trial) time.Duration {
	c := t.overHTTP()
	if t.dice.IntN(2) == 0 {
		t.call(ctx, c)
	}
	if t.dice.IntN(2) == 0 {
		t.ask(ctx)
	}
	release := t.lab.gate.hold(t.agent)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		args := t.lab.arguments("sender_name", t.agent, "to", []string{mail.Operator}, "subject", "at last", "body_md", "x")
		t.must(c.Tool(ctx, "send_message", args, new(any)))
	}()
	t.ends = append(t.ends, func() { release(); <-gone })
	t.noted(ctx, "the call", func(p *mail.Presence) bool { return p.Call == "send_message" && p.CallEnded.IsZero() })
	return t.between(0, 20*time.Minute)
}

// atWork: it called a moment ago, or has fetched something and still has time for it.
func atWork(ctx context.Context, t *trial) time.Duration {
	if t.pick("recent", "owing") == "recent" {
		t.call(ctx, t.connected(ctx))
		return t.between(0, 110*time.Second)
	}
	if t.pick("ask", "kickoff") == "ask" {
		t.ask(ctx)
	} else {
		t.kickoff(ctx)
	}
	c := t.connected(ctx)
	t.fetch(ctx, c)
	return t.between(3*time.Minute, 29*time.Minute)
}

// inWait: it is inside brenner_wait, whatever it owes.
func inWait(ctx context.Context, t *trial) time.Duration {
	if t.dice.IntN(2) == 0 {
		t.ask(ctx)
	}
	c := t.connected(ctx)
	if t.dice.IntN(2) == 0 {
		t.call(ctx, c)
	}
	t.wait(ctx, c)
	return t.between(0, 45*time.Second)
}

// idle: its program runs, or it called not long ago; nothing is owed.
func idle(ctx context.Context, t *trial) time.Duration {
	switch t.pick("pane", "stdio", "http", "http") {
	case "pane":
		t.program(ctx, mail.SourceCockpit)
		return t.between(0, 8*time.Hour)
	case "stdio":
		c, _ := t.overStdio(ctx)
		t.call(ctx, c)
		return t.between(3*time.Minute, 8*time.Hour)
	}
	t.call(ctx, t.overHTTP())
	return t.between(3*time.Minute, 29*time.Minute)
}

// silent: it owes something for too long, and gives no sign.
func silent(ctx context.Context, t *trial) time.Duration {
	switch t.pick("never", "pane", "fetched", "acknowledged") {
	case "never":
		t.ask(ctx)
	case "pane":
		t.program(ctx, mail.SourceCockpit)
		t.kickoff(ctx)
	case "fetched":
		t.ask(ctx)
		c := t.connected(ctx)
		t.fetch(ctx, c)
	case "acknowledged":
		t.kickoff(ctx)
		t.acknowledge(ctx, t.overHTTP())
	}
	return t.between(31*time.Minute, 5*time.Hour)
}

// dead: its program was killed, or ended.
func dead(ctx context.Context, t *trial) time.Duration {
	if t.dice.IntN(2) == 0 {
		t.ask(ctx)
	}
	source := mail.SourceCockpit
	switch t.pick("pane", "pane", "round", "stdio") {
	case "stdio":
		c, kill := t.overStdio(ctx)
		t.call(ctx, c)
		if t.pick("killed", "closed") == "killed" {
			kill()
		} else {
			t.must(c.Close())
		}
		return t.between(0, 3*time.Hour)
	case "round":
		source = mail.SourceRun
	}
	_, stop := t.program(ctx, source)
	note := stop(true)
	if t.pick("seen", "unseen") == "seen" { // the process that started it may have noticed, or died itself
		t.must(t.lab.app.Mail.NotePresence(ctx, note))
	}
	return t.between(0, 3*time.Hour)
}

// unheardOf: nothing is known of it.
func unheardOf(ctx context.Context, t *trial) time.Duration {
	switch t.pick("never", "asked", "long-ago", "elsewhere") {
	case "asked":
		t.ask(ctx)
		return t.between(0, 29*time.Minute)
	case "long-ago":
		t.call(ctx, t.overHTTP())
		return t.between(31*time.Minute, 10*time.Hour)
	case "elsewhere":
		began := time.Now().Add(-t.between(time.Minute, time.Hour))
		t.must(t.lab.app.Mail.NotePresence(ctx, mail.Presence{
			Agent: t.agent, Source: mail.SourceStdio, Host: fmt.Sprintf("far-%d", t.dice.IntN(9)), PID: 1 + t.dice.IntN(5000),
			ProcessStarted: began, LastCall: began.Add(time.Second), CallEnded: began.Add(time.Second), Call: "whois",
		}))
		return t.between(31*time.Minute, 10*time.Hour)
	}
	return t.between(0, 10*time.Hour)
}
