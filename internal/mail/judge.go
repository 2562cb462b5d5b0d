package mail

import (
	"context"
	"slices"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// judge checks a message at the door and completes its entry. A refusal is an error; the
// result has receipt and findings all the same.
func (s *Service) judge(ctx context.Context, l *candidate) (Verdict, error) {
	intake := protocol.Lenient
	if l.enforced() { // PROTOCOL 1: what was sent through us to an enforced thread
		intake = protocol.Strict
	}
	report, acks, err := s.examine(ctx, l, intake)
	if err != nil {
		return Verdict{}, err
	}
	sent := Verdict{Type: report.Type, Receipt: report.Receipt, Findings: s.inMode(report.Findings), More: report.More}
	if refused := sent.refusal(); refused != nil {
		if code := protocol.CodeOf(refused); code == protocol.InvalidEncoding || code == protocol.MessageTooLarge {
			sent.Receipt = nil // its text was not looked at
		}
		if s.options.Refused != nil {
			s.options.Refused(l.draft, sent)
		}
		return sent, refused
	}
	l.complete(&report, intake, acks)
	l.entry.Gapless = report.Type == protocol.TypeCompiled && intake == protocol.Strict && s.options.Mode == Enforce
	return sent, nil
}

// enforced tells whether the message is under the protocol (PROTOCOL 3).
func (l *candidate) enforced() bool {
	first := l.thread.FirstType
	if l.thread.Messages == 0 {
		first = Classify(l.draft.Subject, l.draft.Body, protocol.Strict)
	}
	return message.Enforced(l.draft.ThreadID, first)
}

// examine finds everything there is to say about a message, and what it acknowledges.
func (s *Service) examine(ctx context.Context, l *candidate, intake protocol.Intake) (message.Report, []Ack, error) {
	facts, err := s.facts(ctx, l, intake)
	if err != nil {
		return message.Report{}, nil, err
	}
	report := message.Check(l.draft, facts)
	if s.options.Door != nil && (intake == protocol.Strict || report.Type == protocol.TypeCompiled) {
		ruling, err := s.options.Door.Judge(ctx, l.thread, l.draft, &report)
		if err != nil {
			return report, nil, err
		}
		l.entry.ArtifactHash, l.entry.Follows, l.accepted = ruling.ArtifactHash, ruling.Follows, ruling.Accepted
	}
	acks, findings, err := s.acknowledged(ctx, l, &report)
	if err != nil {
		return report, nil, err
	}
	report.Add(findings...)
	unopened, err := s.noKickoff(ctx, l, &report)
	report.Findings = append(unopened, report.Findings...) // where the message goes comes first
	return report, acks, err
}

// complete writes the entry of a message that was accepted.
func (l *candidate) complete(report *message.Report, intake protocol.Intake, acks []Ack) {
	d := &l.draft
	l.entry.Message = message.Message{
		ThreadID: d.ThreadID, From: d.From, To: d.To, Cc: d.Cc, Bcc: d.Bcc, Subject: d.Subject, Body: d.Body,
		AckRequired: report.AckRequired, Importance: d.Importance, ReplyTo: d.ReplyTo, Intake: intake,
	}
	l.entry.Type, l.entry.Version = report.Type, report.References.Compiled
	l.entry.Acks, l.entry.Text = acks, report.Text
	l.entry.Opens = d.ThreadID != "" && l.thread.Messages == 0
}

// facts gathers what the project knows about a message.
func (s *Service) facts(ctx context.Context, l *candidate, intake protocol.Intake) (message.Facts, error) {
	sender := l.agents[NameKey(l.draft.From)]
	latest := l.thread.LatestVersion
	f := message.Facts{
		Intake:          intake,
		Kickoff:         message.FirstKickoff,
		BeadExists:      s.options.BeadExists,
		SenderShorthand: protocol.Shorthand(sender.Program, sender.Model),
		LatestVersion:   &latest,
		Versions:        func(n int) bool { return s.VersionExists(ctx, &l.thread, n) },
	}
	later, err := s.kickedOff(ctx, l)
	if later {
		f.Kickoff = message.LaterKickoff
	}
	// Only few types name agents in their text: those are looked up when they do.
	f.AgentRegistered = func(name string) bool {
		found, err := s.store.Agents(ctx, s.project.ID, name)
		return err != nil || len(found) > 0
	}
	f.AgentRetired = func(name string) bool {
		found, err := s.store.Agents(ctx, s.project.ID, name)
		return err == nil && len(found) > 0 && found[0].Retired()
	}
	return f, err
}

// VersionExists tells whether a thread has a version (AP-009). Imported versions leave gaps, so
// that every one below the latest has to be looked up. If that fails the version passes.
func (s *Service) VersionExists(ctx context.Context, t *Thread, n int) bool {
	if n <= 0 || n >= t.LatestVersion {
		return n > 0 && n == t.LatestVersion
	}
	found, err := s.store.Messages(ctx, MessageQuery{
		Project: s.project.ID, Thread: t.ID, Types: []protocol.MessageType{protocol.TypeCompiled},
	})
	return err != nil || slices.ContainsFunc(found, func(m Message) bool { return m.Version == n })
}

// kickedOff tells whether the thread has a KICKOFF before this message.
func (s *Service) kickedOff(ctx context.Context, l *candidate) (bool, error) {
	if l.thread.Messages == 0 || l.thread.FirstType == protocol.TypeKickoff {
		return l.thread.Messages > 0, nil
	}
	if Classify(l.draft.Subject, l.draft.Body, protocol.Strict) != protocol.TypeKickoff {
		return false, nil
	}
	earlier, err := s.store.Messages(ctx, MessageQuery{
		Project: s.project.ID, Thread: l.draft.ThreadID, Types: []protocol.MessageType{protocol.TypeKickoff}, Limit: 1,
	})
	return len(earlier) > 0, err
}

// inMode returns findings as the validation mode of the project shows them.
func (s *Service) inMode(findings []protocol.Finding) []protocol.Finding {
	switch s.options.Mode {
	case Warn:
		return lowered(findings)
	case Off:
		return slices.DeleteFunc(slices.Clone(findings), func(f protocol.Finding) bool { return !hard(f) })
	default:
		return findings
	}
}

// lowered makes warnings of errors that do not concern what can be kept.
func lowered(findings []protocol.Finding) []protocol.Finding {
	list := slices.Clone(findings)
	for i, f := range list {
		if !hard(f) {
			list[i] = f.Lowered()
		}
	}
	return list
}

// hard tells whether a finding refuses mail in every mode.
func hard(f protocol.Finding) bool {
	if f.Severity != protocol.SeverityError {
		return false
	}
	return message.RefusesAnyMail(f.Code) || f.Code == protocol.NotAllowed || f.Path == "thread_id"
}

// refusal is the error for a message with error findings, nil if it has none. What cannot be
// kept at all, and what its sender may not say, is refused under its own code.
func (v *Verdict) refusal() error {
	findings := v.Findings
	var first *protocol.Finding
	for i, f := range findings {
		if f.Severity != protocol.SeverityError {
			continue
		}
		if f.Path != "thread_id" && hard(f) {
			return protocol.Errorf(f.Code, "the message is refused: %s", f.Message).WithFindings(findings).Beside(v.More)
		}
		if first == nil {
			first = &findings[i]
		}
	}
	if first == nil {
		return nil
	}
	return protocol.Errorf(protocol.ValidationFailed, "the message is refused: %s: %s", first.Code, first.Message).WithFindings(findings).
		Beside(v.More)
}

// acknowledged returns what an ACK acknowledges: every message it names. For one that its sender never
// received a finding says so.
func (s *Service) acknowledged(ctx context.Context, l *candidate, report *message.Report) ([]Ack, []protocol.Finding, error) {
	named := report.References.AckOf
	if report.Type != protocol.TypeAck || len(named) == 0 || l.draft.From == "" {
		return nil, nil, nil
	}
	received, err := s.store.Deliveries(ctx, DeliveryQuery{Project: s.project.ID, Messages: named, Agent: l.draft.From})
	if err != nil {
		return nil, nil, err
	}
	var acks []Ack
	var findings []protocol.Finding
	for _, id := range named {
		if slices.ContainsFunc(received, func(d Delivery) bool { return d.Message == id }) {
			acks = append(acks, Ack{Message: id, Agent: l.draft.From})
			continue
		}
		findings = append(findings, protocol.NewFinding(protocol.NotFound,
			"%s received no message %d: it is not acknowledged.", l.draft.From, id).
			As(protocol.SeverityWarning).WithFix("Name a message that was sent to %s.", l.draft.From))
	}
	return acks, findings, nil
}
