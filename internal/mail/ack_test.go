package mail_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

const ackBody = "# Acknowledgement\n\n## Message ID\n%d\n\n## Status\nUnderstood\n"

func (o *office) pending(q mail.PendingQuery) []string {
	o.Helper()
	list, err := o.Pending(o.ctx(), q)
	o.must(err)
	lines := []string{}
	for _, p := range list {
		line := fmt.Sprintf("%d %s", p.Message.ID, p.Agent)
		if p.Overdue {
			line += fmt.Sprintf(" overdue %d", p.Reminders)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestAcknowledgeTwoWays: the call and the message leave the same trace.
func TestAcknowledgeTwoWays(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	o.same("who owes", o.pending(mail.PendingQuery{}), []string{"1 BlueLake", "1 RedSky"})
	d, err := o.Acknowledge(o.ctx(), "bluelake", 1, "")
	o.must(err)
	o.same("the state", d.State(), mail.Acknowledged)
	o.same("messages after a call without body", o.stored(), 1)

	o.now = o.now.Add(time.Minute)
	v := o.post(draft(research, "RedSky", "ACK: begin", fmt.Sprintf(ackBody, 1), "Operator"))
	o.same("who owes now", o.pending(mail.PendingQuery{}), []string{})
	got, err := o.store.Deliveries(o.ctx(), mail.DeliveryQuery{Project: o.Project().ID, Messages: []int64{1}})
	o.must(err)
	o.same("the time of an ACK message", got[1].AckAt, v.Message.CreatedAt)

	first := d.AckAt
	d, err = o.Acknowledge(o.ctx(), "BlueLake", 1, "again, with words")
	o.must(err)
	o.same("the time of a second call", d.AckAt, first)
	o.same("messages after it", o.stored(), 3)
}

func TestAcknowledgeWithBody(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	d, err := o.Acknowledge(o.ctx(), "BlueLake", 1, "Will look at it tonight.")
	o.must(err)
	_, err = o.Acknowledge(o.ctx(), "RedSky", 1, fmt.Sprintf(ackBody, 1))
	o.must(err)
	thread, err := o.ThreadMessages(o.ctx(), research)
	o.must(err)
	o.same("messages", len(thread), 3)
	ack := thread[1]
	o.same("the ACK", []any{ack.Type, ack.From, ack.To, ack.ReplyTo, ack.Subject},
		[]any{protocol.TypeAck, "BlueLake", []string{"Operator"}, int64(1), "ACK: KICKOFF: begin"})
	if !strings.Contains(ack.Body, "Will look at it tonight.") {
		t.Errorf("the words are gone: %q", ack.Body)
	}
	o.same("its time", d.AckAt, ack.CreatedAt)
	o.same("a whole body stays as it is", thread[2].Body, fmt.Sprintf(ackBody, 1))
	_, err = o.Acknowledge(o.ctx(), "GreenHill", 1, "not mine")
	o.wantCode(err, protocol.NotFound)
	_, err = o.Acknowledge(o.ctx(), "GreenHill", 99, "")
	o.wantCode(err, protocol.NotFound)
	_, err = o.Acknowledge(o.ctx(), "GreenHill", 99, "x")
	o.wantCode(err, protocol.NotFound)
}

// TestSecondBody: the time of the first acknowledgement stays, and what is said later is posted.
func TestSecondBody(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	first, err := o.Acknowledge(o.ctx(), "BlueLake", 1, "")
	o.must(err)
	for _, note := range []mail.AckNote{
		{Body: "I begin tonight."}, {Body: "It is done."}, {Body: "It is done."}, {Body: "It is done.", Status: "completed"},
		{Status: "Will Action"},
	} {
		o.now = o.now.Add(time.Minute)
		again, err := o.AcknowledgeWith(o.ctx(), "BlueLake", 1, note)
		o.must(err)
		o.same("the time of the acknowledgement", again.AckAt, first.AckAt)
	}
	thread, err := o.ThreadMessages(o.ctx(), research)
	o.must(err)
	said := []string{}
	for _, m := range thread[1:] {
		report := message.Check(m.Draft(), message.Facts{})
		notes, _ := report.Document.Section("Notes")
		said = append(said, report.References.Status+": "+strings.TrimSpace(notes.Text))
	}
	o.same("what was said", said, []string{
		"Received: I begin tonight.", "Received: It is done.", "Completed: It is done.", "Will Action: ",
	})
	_, err = o.AcknowledgeWith(o.ctx(), "BlueLake", 1, mail.AckNote{Status: "Maybe"})
	o.wantCode(err, protocol.InvalidInput)
}

// TestAckOfSeveral: an ACK acknowledges every message that it names.
func TestAckOfSeveral(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	question := draft(research, "RedSky", "QUESTION: which?", "# Question\n\n## Question\nWhich?\n\n## Urgency\nSoon\n", "BlueLake")
	o.post(question)
	o.post(question)
	v := o.post(draft(research, "BlueLake", "ACK: all of them", "# Acknowledgement\n\n## Message ID\n1, 3, 99\n\n## Status\nReceived\n",
		"Operator"))
	o.same("findings", codes(v.Findings), "NOT_FOUND:w")
	o.same("who owes", o.pending(mail.PendingQuery{Agent: "BlueLake"}), []string{"2 BlueLake"})
}

// TestHandoffToRetired: work is not handed to an agent that is gone.
func TestHandoffToRetired(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	_, err := o.Retire(o.ctx(), "GreenHill")
	o.must(err)
	v, err := o.Send(o.ctx(), draft(research, "BlueLake", "HANDOFF: the parser",
		"# Work Handoff\n\n## Item\nthe parser\n\n## From\nBlueLake\n\n## To\nGreenHill\n\n## State\nHalf.\n", "Operator"))
	o.wantCode(err, protocol.ValidationFailed)
	if !strings.Contains(codes(v.Findings), "MB-111:e") {
		t.Errorf("findings %s", codes(v.Findings))
	}
}

func TestAckOfNothing(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	v := o.post(draft(research, "GreenHill", "ACK: begin", fmt.Sprintf(ackBody, 1), "Operator"))
	if !strings.Contains(codes(v.Findings), "NOT_FOUND:w") {
		t.Errorf("an ACK of a message that was not received: %s", codes(v.Findings))
	}
	o.same("who owes", o.pending(mail.PendingQuery{}), []string{"1 BlueLake", "1 RedSky"})
}

func TestPendingQueries(t *testing.T) {
	o := newOffice(t,
		mail.Options{Acks: mail.AckPolicy{Deadlines: map[protocol.MessageType]time.Duration{protocol.TypeQuestion: time.Hour}}})
	o.post(kickoff(research))
	question := draft("COORD-talk", "RedSky", "QUESTION: which?", "# Question\n\n## Question\nWhich?\n\n## Urgency\nSoon\n", "BlueLake")
	question.Cc, question.Bcc = []string{"GreenHill"}, []string{"Operator"}
	o.post(question)
	o.now = o.now.Add(31 * time.Minute)
	o.same("all", o.pending(mail.PendingQuery{}), []string{"1 BlueLake overdue 0", "1 RedSky overdue 0", "2 BlueLake", "2 GreenHill"})
	o.same("overdue", o.pending(mail.PendingQuery{Overdue: true}), []string{"1 BlueLake overdue 0", "1 RedSky overdue 0"})
	o.same("asked for by", o.pending(mail.PendingQuery{From: "redsky"}), []string{"2 BlueLake", "2 GreenHill"})
	o.same("owed by", o.pending(mail.PendingQuery{Agent: "bluelake"}), []string{"1 BlueLake overdue 0", "2 BlueLake"})
	o.same("of a thread", o.pending(mail.PendingQuery{Thread: research}), []string{"1 BlueLake overdue 0", "1 RedSky overdue 0"})
	o.now = o.now.Add(30 * time.Minute)
	o.same("overdue later", len(o.pending(mail.PendingQuery{Overdue: true})), 4)
}

// run makes a pass and returns what was posted.
func (o *office) run() []string {
	o.Helper()
	run, err := o.RunAcks(o.ctx())
	o.must(err)
	lines := []string{}
	for _, m := range run.Reminders {
		lines = append(lines, fmt.Sprintf("%s to %s", m.Subject, strings.Join(m.To, ",")))
	}
	for _, m := range run.Escalations {
		lines = append(lines, fmt.Sprintf("%s to %s", m.Subject, strings.Join(m.To, ",")))
	}
	return lines
}

func TestRemindersAndEscalation(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	const reminder = "INFO: Reminder: message 1 waits for your acknowledgement to "
	step := func(minutes int, want ...string) {
		t.Helper()
		o.now = o.now.Add(time.Duration(minutes) * time.Minute)
		o.open(mail.Options{}) // a restart neither forgets nor repeats
		got := o.run()
		o.same(fmt.Sprintf("posted at %s", o.now.Format("15:04")), got, append([]string{}, want...))
		o.same("posted by a second pass", o.run(), []string{})
	}
	step(29)
	step(2, reminder+"BlueLake,RedSky")
	_, err := o.Acknowledge(o.ctx(), "RedSky", 1, "")
	o.must(err)
	step(29)
	step(2, reminder+"BlueLake")
	o.same("overdue", o.pending(mail.PendingQuery{}), []string{"1 BlueLake overdue 2"})
	step(29)
	step(2, "BLOCKED: message 1 unacknowledged by BlueLake to Operator")
	step(600)
	step(600)
	thread, err := o.ThreadMessages(o.ctx(), research)
	o.must(err)
	o.same("messages", len(thread), 4)
	for _, m := range thread[1:] {
		if m.ReplyTo != 1 || m.From != "Operator" {
			t.Errorf("a notice: %+v", m)
		}
	}
	o.same("what is owed", o.pending(mail.PendingQuery{}), []string{"1 BlueLake overdue 2", "4 Operator"}) // an escalation has no deadline
}

func TestLatePassDoesNotRush(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	o.now = o.now.Add(24 * time.Hour)
	o.same("the first pass after a day", len(o.run()), 1)
	o.same("at once again", len(o.run()), 0)
	o.now = o.now.Add(31 * time.Minute)
	o.same("a deadline later", len(o.run()), 1)
}

func TestNobodyLeftToRemind(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	for _, name := range []string{"BlueLake", "RedSky"} {
		_, err := o.Retire(o.ctx(), name)
		o.must(err)
	}
	o.now = o.now.Add(time.Hour)
	o.same("posted", o.run(), []string{"BLOCKED: message 1 unacknowledged by BlueLake, RedSky to Operator"})
	o.same("posted again", o.run(), []string{})
}

func TestRemindersCanBeOff(t *testing.T) {
	none := 0
	o := newOffice(t, mail.Options{Acks: mail.AckPolicy{Reminders: &none, Deadline: time.Minute}})
	o.post(kickoff(research))
	o.now = o.now.Add(2 * time.Minute)
	o.same("posted", o.run(), []string{"BLOCKED: message 1 unacknowledged by BlueLake, RedSky to Operator"})
}

func TestImportedMailIsNotReminded(t *testing.T) {
	o := newOffice(t, mail.Options{})
	_, err := transfer.Import(o.ctx(), o.Service,
		strings.NewReader(`{"id":1,"thread_id":"RS-20260110-old-mail","from":"Operator","to":["BlueLake"],`+
			`"subject":"KICKOFF: x","body_md":"# S\n\n## Research Question\nWhy?\n\n## Context\nc\n","created_ts":"2026-01-01T10:00:00Z",`+
			`"ack_required":true}`))
	o.must(err)
	o.same("never overdue", o.pending(mail.PendingQuery{}), []string{"1 BlueLake"})
	o.same("posted", o.run(), []string{})
}

func TestPassesAtOnce(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	o.now = o.now.Add(time.Hour)
	counts := make(chan int, 8)
	for range cap(counts) {
		go func() {
			run, err := o.RunAcks(o.ctx())
			if err != nil {
				counts <- -100
				return
			}
			counts <- len(run.Reminders)
		}()
	}
	total := 0
	for range cap(counts) {
		total += <-counts
	}
	o.same("reminders of eight passes", total, 1)
}

func TestScheduler(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	o.now = o.now.Add(time.Hour)
	ctx, cancel := context.WithCancel(o.ctx())
	passes := 0
	mail.ScheduleAcks(ctx, time.Millisecond, o.RunAcks, func(run mail.AckRun, err error) {
		o.must(err)
		if passes++; passes == 3 {
			cancel()
		}
	})
	o.same("messages after three passes", o.stored(), 2)
}
