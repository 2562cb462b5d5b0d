package app_test

import (
	"context"
	"strings"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mcpclient"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

const roundTime = time.Hour // the deadline of the rounds below

// play starts a program for a round, as the runner does.
func (t *trial) play(ctx context.Context, thread string) (stop func(kill bool) mail.Presence) {
	_, stop = t.program(ctx, mail.SourceRun, func(p *mail.Presence) { p.Thread, p.Due = thread, time.Now().Add(roundTime) })
	return stop
}

// endsWith notes the end of a program, as the process that started it does.
func (t *trial) endsWith(ctx context.Context, note mail.Presence, code int) {
	note.ExitCode = &code
	t.must(t.lab.app.Mail.NotePresence(ctx, note))
}

// contribute sends something that answers the call to a round.
func (t *trial) contribute(ctx context.Context, c *mcpclient.Client, thread string) {
	t.must(c.Tool(ctx, "send_message", t.lab.arguments("sender_name", t.agent, "to", []string{mail.Operator}, "thread_id", thread,
		"subject", "INFO: Nothing to add", "body_md", "I have read everything."), new(any)))
	t.settled(ctx)
}

// playing: its program was started for a round and says nothing, whatever it owes.
func playing(ctx context.Context, t *trial) time.Duration {
	thread := t.kickoff(ctx)
	if t.pick("quiet", "fetched") == "fetched" {
		t.fetch(ctx, t.connected(ctx))
	}
	t.play(ctx, thread)
	t.session(thread)
	return t.between(3*time.Minute, roundTime-time.Minute)
}

// pastDeadline: it was not ended in time.
func pastDeadline(ctx context.Context, t *trial) time.Duration {
	thread := t.kickoff(ctx)
	t.play(ctx, thread)
	t.session(thread)
	return t.between(roundTime+time.Minute, 9*time.Hour)
}

// session sometimes asks on the session instead of the project.
func (t *trial) session(thread string) {
	if t.pick("project", "session") == "session" {
		t.on = thread
	}
}

// didItsPart: it contributed, and its program ended.
func didItsPart(ctx context.Context, t *trial) time.Duration {
	thread := t.kickoff(ctx)
	t.session(thread)
	if t.pick("round", "stdio") == "stdio" {
		c, _ := t.overStdio(ctx)
		t.acknowledge(ctx, c)
		t.contribute(ctx, c, thread)
		t.must(c.Close())
		return t.between(0, 5*time.Hour)
	}
	stop := t.play(ctx, thread)
	c := t.overHTTP()
	t.acknowledge(ctx, c)
	t.contribute(ctx, c, thread)
	code := 0
	if t.pick("well", "badly") == "badly" {
		code = 3
	}
	note := stop(true)
	note.EndedAt = time.Now().Add(5 * time.Second) // its last call ended with it
	t.endsWith(ctx, note, code)
	return t.between(10*time.Second, 5*time.Hour)
}

// withoutAWord: the program of its round ended well, and the round was not answered.
func withoutAWord(ctx context.Context, t *trial) time.Duration {
	thread := t.kickoff(ctx)
	t.session(thread)
	stop := t.play(ctx, thread)
	if t.pick("acknowledged", "nothing") == "acknowledged" {
		t.acknowledge(ctx, t.overHTTP())
	}
	note := stop(true)
	note.EndedAt = time.Now().Add(5 * time.Second)
	t.endsWith(ctx, note, 0)
	return t.between(10*time.Second, 5*time.Hour)
}

// acknowledgedOnly: it said that it would, and never did.
func acknowledgedOnly(ctx context.Context, t *trial) time.Duration {
	thread := t.kickoff(ctx)
	t.session(thread)
	t.acknowledge(ctx, t.connected(ctx))
	return t.between(31*time.Minute, 6*24*time.Hour)
}

// lookedAt: others looked into its inbox.
func lookedAt(ctx context.Context, t *trial) time.Duration {
	if t.pick("ask", "kickoff") == "ask" {
		t.ask(ctx)
	} else {
		t.kickoff(ctx)
	}
	if t.pick("command", "neighbour") == "command" {
		_, err := t.lab.app.Mail.Fetch(ctx, mail.InboxQuery{Agent: t.agent})
		t.must(err)
	} else { // an agent with an identity of its own
		watched := t.agent
		t.agent += "Neighbour"
		t.must(t.lab.app.Mail.EnsureAgents(ctx, t.agent))
		c, _ := t.overStdio(ctx)
		t.must(c.Tool(ctx, "fetch_inbox", t.lab.arguments("agent_name", watched), new(any)))
		t.settled(ctx)
		t.agent = watched
	}
	return t.between(0, 29*time.Minute)
}

// calledOnly: it is known since long, and is called to a session with its program.
func calledOnly(ctx context.Context, t *trial) time.Duration {
	_, err := t.lab.app.Sessions.Start(ctx, session.StartRequest{
		From: mail.Operator, Question: "Why do cells turn?", Context: "They do.", ThreadID: "RS-20260110-turning-cells-" +
			strings.ToLower(t.agent),
		Roster: session.RosterRequest{
			Sources: []session.RosterSource{{Origin: "--roster",
				Entries: []protocol.RosterEntry{{AgentName: t.agent, Role: protocol.RoleTestDesigner, Program: "codex-cli",
					Model: "gpt-5"}}}},
		},
	})
	t.must(err)
	return t.between(0, 29*time.Minute)
}

// leftItsWait: its client went away while it waited for mail.
func leftItsWait(ctx context.Context, t *trial) time.Duration {
	if t.pick("asked", "free") == "asked" {
		t.ask(ctx)
	}
	c := t.overHTTP()
	inner, cancel := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = c.Tool(inner, "brenner_wait", t.lab.arguments("agent_name", t.agent, "after_id", 1<<40), new(any)) // the trial ends it
	}()
	t.noted(ctx, "a wait", func(p *mail.Presence) bool { return !p.WaitingUntil.IsZero() && p.CallEnded.IsZero() })
	cancel()
	<-gone
	t.noted(ctx, "that it went", func(p *mail.Presence) bool { return !p.LeftAt.IsZero() })
	return t.between(0, 25*time.Minute)
}

// notConnected: its program sits in a pane and waits for an answer of its own.
func notConnected(ctx context.Context, t *trial) time.Duration {
	thread := t.kickoff(ctx)
	t.session(thread)
	t.program(ctx, mail.SourceCockpit, func(p *mail.Presence) { p.Thread, p.Pane = thread, "%99" })
	return t.between(2*time.Minute, 29*time.Minute)
}

// sessionComplete: whatever it owed, and however its program ended.
func sessionComplete(ctx context.Context, t *trial) time.Duration {
	t.on = t.kickoff(ctx)
	switch t.pick("owing", "acknowledged", "dead") {
	case "acknowledged":
		t.acknowledge(ctx, t.overHTTP())
	case "dead":
		_, stop := t.program(ctx, mail.SourceCockpit, func(p *mail.Presence) { p.Thread = t.on })
		stop(true)
	}
	_, err := t.lab.app.Mail.Send(ctx, mail.Outgoing{Draft: message.Draft{
		From: mail.Operator, To: []string{t.agent}, ThreadID: t.on, Subject: "DELTA[human]: A guess", Body: "```delta\n" +
			`{"operation": "ADD", "section": "hypothesis_slate", "payload": {"name": "n", "claim": "c", "mechanism": "m", "anchors": ` +
			`["inference"]}, "rationale": "r"}` + "\n```\n",
	}})
	t.must(err)
	_, err = t.lab.app.Sessions.Complete(ctx, session.CompleteRequest{ThreadID: t.on, As: mail.Operator, Force: "enough"})
	t.must(err)
	return t.between(0, 9*time.Hour)
}

// busyElsewhere: it works for another session, and was only called to this one.
func busyElsewhere(ctx context.Context, t *trial) time.Duration {
	t.on = t.kickoff(ctx)
	const other = "RS-20260110-other-cells-turn"
	switch t.pick("call", "round") {
	case "call":
		t.contribute(ctx, t.overHTTP(), other)
	case "round":
		t.play(ctx, other)
	}
	return t.between(0, 100*time.Second)
}
