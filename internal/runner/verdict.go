package runner

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// reportAgent says what an agent did in a round.
func (r *run) reportAgent(ctx context.Context, round int, p participant) (Agent, error) {
	w, err := r.worked(ctx, round, p.name)
	if err != nil {
		return Agent{}, err
	}
	var rec agentRecord
	if err := load(r.folder.file(round, p.name, ".json"), &rec); err != nil {
		return Agent{}, err
	}
	if p.program == "" {
		rec.End = ByHand
	}
	a := Agent{
		Agent: p.name, Role: p.role, Program: p.program, Model: rec.Model, Passed: rec.Passed, Messages: append([]int64{}, w.messages...),
		Refusals: append([]Refusal{}, w.refused...),
		End:      rec.End, ExitCode: rec.ExitCode, Attempts: rec.Attempts, Usage: rec.Usage, Rests: rec.Rests,
	}
	if rec.End == Rested {
		a.RestingUntil = &rec.RestingUntil
	}
	if len(w.messages) > 0 {
		a.How = &w.how
	}
	begun, over := r.span(round)
	noted, err := r.folder.refusals(p.name, begun, over)
	if err != nil {
		return a, err
	}
	a.Refusals = append(a.Refusals, noted...)
	if err := r.readOutputOf(round, p, w, &a); err != nil {
		return a, err
	}
	a.Verdict, a.Reason = verdict(w, rec, a)
	if a.Verdict == Silent || a.Verdict == Spoke {
		if a.Reason, err = r.astray(ctx, p, rec, a.Reason); err != nil {
			return a, err
		}
	}
	if failed := failedCalls(a.Refusals); failed != "" && a.Verdict != Refused {
		a.Reason += "; " + failed
	}
	if a.Verdict.trouble() && rec.Attempts > 0 {
		if a.LastWords, err = r.lastWords(round, p.name); err != nil {
			return a, err
		}
	}
	return a, nil
}

// astray tells of a delta that an agent sent to another thread while it was asked for one here; else the reason stays.
func (r *run) astray(ctx context.Context, p participant, rec agentRecord, reason string) (string, error) {
	sent, err := r.mail.Store().Messages(ctx, mail.MessageQuery{
		Project: r.mail.Project().ID, From: p.name, Types: []protocol.MessageType{protocol.TypeDelta}, After: p.kickoff.ID,
		Order: mail.NewestFirst, Limit: 20,
	})
	for i := range sent {
		m := &sent[i]
		if m.ThreadID != r.o.ThreadID && !m.CreatedAt.Before(rec.Begun) && (rec.EndedAt.IsZero() || !m.CreatedAt.After(rec.EndedAt)) {
			return fmt.Sprintf("contributed to %s (message %d) instead of here", m.ThreadID, m.ID), nil
		}
	}
	return reason, err
}

// lastWords are what a program said last, of its errors first.
func (r *run) lastWords(round int, agent string) (string, error) {
	t, err := r.folder.readTurn(round, agent)
	if err != nil {
		return "", err
	}
	if t.Format != "text" {
		return t.LastWords(), nil
	}
	return cmp.Or(lastLine(r.folder.file(round, agent, ".err")), lastSaid(r.folder.output(round, agent))), nil
}

// readOutputOf adds what the agent printed in vain.
func (r *run) readOutputOf(round int, p participant, w work, a *Agent) error {
	path := r.folder.output(round, p.name)
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return nil //nolint:nilerr // nothing was printed
	}
	a.Output = path
	if w.mailed {
		return nil // what it also printed was not looked at
	}
	text, err := r.folder.said(round, p.name)
	if err == nil {
		a.Refusals = append(a.Refusals, readPrinted(text, p.name, round).refused...)
	}
	return err
}

// verdict weighs the facts, the agent's own words first: an agent that contributed is blamed for nothing
// else, and one that tried is not silent.
func verdict(w work, rec agentRecord, a Agent) (Verdict, string) {
	switch {
	case len(w.messages) > 0 && !w.fresh && len(w.refused) > 0:
		return Refused, "what was new in its contribution was rejected by the merge (" + refusedText(w.refused) + ")"
	case len(w.messages) > 0 && !w.fresh:
		return Repeated, "contributed only what it had contributed before"
	case len(w.messages) > 0 && w.how == ByOutput:
		return Contributed, "printed its deltas; they were posted under its name"
	case len(w.messages) > 0:
		return Contributed, "contributed by mail"
	case rec.End == Unstarted:
		return NotStarted, rec.Reason
	case len(w.refused) > 0:
		return Refused, "contributed, but the merge rejected all of it (" + refusedText(w.refused) + ")"
	case len(a.Refusals) > 0:
		return Refused, inVain(a.Refusals)
	}
	return withoutDeltas(w, rec)
}

// withoutDeltas weighs how the program of an agent ended that has contributed nothing, and was refused nothing.
func withoutDeltas(w work, rec agentRecord) (Verdict, string) {
	switch {
	case rec.Attempts == 0 && rec.End == "":
		return Cut, "the run ended before its program was started"
	case rec.End == Rested:
		return Cut, "the run ended while it was " + rec.resting()
	case rec.Limit != "":
		return Failed, "its service takes no more: " + rec.Limit
	case rec.End == SignedOut:
		return Failed, "its service does not know it; " + rec.signIn()
	case rec.End == OverBudget:
		return Cut, "its program was ended: " + rec.Reason
	case rec.End == Still:
		return Late, "its program was ended because it was still for too long"
	case rec.End == CutOff:
		return Cut, "the run ended while it worked"
	case rec.End == AtDeadline:
		return Late, "its program was ended at the deadline"
	case rec.End == Exited && (rec.ExitCode == nil || *rec.ExitCode != 0):
		return Failed, "its program ended with " + rec.Reason
	case w.others > 0:
		return Spoke, "wrote on the thread, but contributed nothing"
	case rec.End == Exited:
		return Silent, "its program ended well, without a contribution"
	case rec.End == ByHand:
		return Late, "no contribution came before the deadline; nobody here runs it"
	}
	return Unknown, "nobody saw how its program ended"
}

// refusedText counts refusals and names their codes.
func refusedText(list []Refusal) string {
	var codes []string
	for _, r := range list {
		for _, f := range r.Findings[:min(1, len(r.Findings))] {
			if !slices.Contains(codes, string(f.Code)) {
				codes = append(codes, string(f.Code))
			}
		}
	}
	text := fmt.Sprintf("%d refused", len(list))
	if len(codes) > 0 {
		text += ": " + strings.Join(codes, ", ")
	}
	return text
}
