package mailtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
)

// acknowledgements are the rules of PROTOCOL 11, through the service and on every engine.
var acknowledgements = []testCase{
	{"settled debts", settledDebts},
	{"a later round", laterRound},
	{"completed sessions", completedSessions},
	{"imported mail", importedMail},
	{"arrivals", arrivals},
}

const session = "RS-20260110-settled-debts"

const kickoffBody = "## Research Question\nWhy?\n\n## Context\nSome.\n\n## Excerpt\n> x (§1)\n"

const deltaBody = "# D\n\n```delta\n" + `{"operation": "ADD", "section": "hypothesis_slate", "target_id": null, ` +
	`"payload": {"name": "one", "claim": "c", "mechanism": "m", "anchors": ["§1"]}, "rationale": "r"}` + "\n```\n"

// office is the mail of the fixture's project, with a clock that the test moves.
type office struct {
	*fixture
	*mail.Service
	now       time.Time
	completed int64 // by which message its sessions are
}

func newOffice(t *testing.T, engine Engine) *office {
	t.Helper()
	o := &office{fixture: newFixture(t, engine), now: start}
	p, err := o.store.EnsureProject(o.ctx, "/srv/Lab One", start)
	o.must(err)
	o.Service = mail.NewService(o.store, p, mail.Options{Now: func() time.Time { return o.now }, Door: o})
	o.must(o.EnsureAgents(o.ctx, mail.Operator))
	return o
}

// Judge implements mail.Door.
func (o *office) Judge(context.Context, mail.Thread, message.Draft, *message.Report) (mail.Ruling, error) {
	return mail.Ruling{}, nil
}

// Settlements implements mail.Door.
func (o *office) Settlements(context.Context, mail.Thread) (fold.Settlements, error) {
	return fold.Settlements{Completed: o.completed}, nil
}

func (o *office) post(from, subject, body string, replyTo int64, to ...string) int64 {
	o.Helper()
	o.now = o.now.Add(time.Second)
	sent, err := o.Send(o.ctx, mail.Outgoing{Draft: message.Draft{
		ThreadID: session, From: from, To: to, Subject: subject, Body: body, ReplyTo: replyTo,
	}})
	o.must(err)
	return sent.Message.ID
}

// owed writes what is owed as "message agent", with what settled it or "overdue".
func (o *office) owed(q mail.PendingQuery) []string {
	o.Helper()
	pending, err := o.Pending(o.ctx, q)
	o.must(err)
	lines := []string{}
	for _, p := range pending {
		line := fmt.Sprintf("%d %s", p.Message.ID, p.Agent)
		if p.SettledBy != 0 {
			line += fmt.Sprintf(" settled by %d", p.SettledBy)
		}
		if p.Overdue {
			line += " overdue"
		}
		lines = append(lines, line)
	}
	return lines
}

// reminded makes passes until long after the last reminder and returns who was told, the operator too.
func (o *office) reminded() []string {
	o.Helper()
	told := []string{}
	for range 4 {
		o.now = o.now.Add(time.Hour)
		run, err := o.RunAcks(o.ctx)
		o.must(err)
		for _, m := range append(run.Reminders, run.Escalations...) {
			told = append(told, fmt.Sprintf("%d %v", m.ReplyTo, m.To))
		}
	}
	return told
}

func settledDebts(t *testing.T, engine Engine) {
	o := newOffice(t, engine)
	o.post("Operator", "KICKOFF: begin", "# S\n\n"+kickoffBody, 0, "BlueLake", "RedSky", "GreenHill") // 1
	delta := o.post("BlueLake", "DELTA[gpt]: one", deltaBody, 0, "Operator")                          // 2
	o.post("RedSky", "INFO: on my way", "soon", 0, "Operator")                                        // 3: no answer
	answer := o.post("RedSky", "Re: KICKOFF: begin", "I begin.", 1, "Operator")                       // 4
	o.now = o.now.Add(time.Hour)
	o.same("owed", o.owed(mail.PendingQuery{}), []string{
		fmt.Sprintf("1 BlueLake settled by %d", delta), fmt.Sprintf("1 RedSky settled by %d", answer), "1 GreenHill overdue",
	})
	o.same("overdue", o.owed(mail.PendingQuery{Overdue: true}), []string{"1 GreenHill overdue"})
	o.same("told", o.reminded(), []string{"1 [GreenHill]", "1 [GreenHill]", "1 [Operator]"})

	// A reminder answers a message in the operator's name, and settles nothing for the operator.
	q := o.post("GreenHill", "QUESTION: who knows?", "# Q\n\n## Question\nWho?\n", 0, "Operator")
	told := fmt.Sprintf("%d [Operator]", q)
	o.same("the operator is told", o.reminded(), []string{told, told, told})
}

func laterRound(t *testing.T, engine Engine) {
	o := newOffice(t, engine)
	o.post("Operator", "KICKOFF: begin", "# S\n\n"+kickoffBody, 0, "BlueLake")            // 1
	o.post("Operator", "KICKOFF: begin", "# S\n\n"+kickoffBody, 0, "RedSky")              // 2
	o.post("BlueLake", "DELTA[gpt]: one", deltaBody, 0, "Operator")                       // 3
	o.post("Operator", "KICKOFF: on", "# Round 2 Kickoff\n\n"+kickoffBody, 0, "BlueLake") // 4
	o.post("Operator", "KICKOFF: on", "# Round 2 Kickoff\n\n"+kickoffBody, 0, "RedSky")   // 5
	o.post("RedSky", "DELTA[gpt]: two", deltaBody, 0, "Operator")                         // 6
	o.same("each round for itself", o.owed(mail.PendingQuery{}), []string{
		"1 BlueLake settled by 3", "2 RedSky", "4 BlueLake", "5 RedSky settled by 6",
	})
}

func completedSessions(t *testing.T, engine Engine) {
	o := newOffice(t, engine)
	o.post("Operator", "KICKOFF: begin", "# S\n\n"+kickoffBody, 0, "BlueLake", "RedSky")
	o.completed = o.post("Operator", "INFO: Session complete at v1", "It is.", 0, "BlueLake")
	o.now = o.now.Add(time.Hour)
	o.same("owed", o.owed(mail.PendingQuery{}), []string{"1 BlueLake settled by 2", "1 RedSky settled by 2"})
	o.same("told", o.reminded(), []string{})
}

func importedMail(t *testing.T, engine Engine) {
	o := newOffice(t, engine)
	asking := o.imported(session, 1, start.AddDate(-1, 0, 0))
	asking.Message.AckRequired = true
	o.append(asking)
	pending, err := o.Pending(o.ctx, mail.PendingQuery{})
	o.must(err)
	o.same("owed", o.owed(mail.PendingQuery{}), []string{"1 RedSky"})
	o.same("its deadline", pending[0].Deadline, time.Time{})
	o.same("told", o.reminded(), []string{})
}

// arrivals: each message comes once, oldest first, whatever was fetched in between.
func arrivals(t *testing.T, engine Engine) {
	o := newOffice(t, engine)
	o.send("COORD-a1", 5)
	arrived := func(limit int) []int64 {
		o.Helper()
		list, err := o.Arrivals(o.ctx, mail.InboxQuery{Agent: "redsky", Limit: limit})
		o.must(err)
		return receivedIDs(list)
	}
	_, err := o.Fetch(o.ctx, mail.InboxQuery{Agent: "RedSky", Limit: 2})
	o.must(err)
	o.same("first", arrived(2), []int64{1, 2})
	o.now = o.now.Add(time.Second)
	o.same("then", arrived(2), []int64{3})
	o.same("at the end", arrived(2), []int64{})
}
