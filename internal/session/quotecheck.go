package session

import (
	"context"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// CheckQuotes checks the quotations of the thread: those of its artifact, and those in its messages.
func (s *Session) CheckQuotes(ctx context.Context) (QuoteCheck, error) {
	if s.broken != nil {
		return QuoteCheck{}, s.broken
	}
	check := CheckArtifact(s.library, s.View.Fold.Artifact())
	var batch claimBatch
	var messages []int64
	err := s.of.each(ctx, mail.MessageQuery{Thread: s.ID(), Before: s.View.Head + 1}, func(m mail.Message) {
		batch.addMessage(&m, s.View.Fold.Artifact(), &check.Findings)
		for len(messages) < len(batch.quotes) {
			messages = append(messages, m.ID)
		}
	})
	if err != nil {
		return check, err
	}
	said := s.of.saidBefore(ctx, s.ID(), func(quote int, m *mail.Message) bool { return m.ID < messages[quote] })
	for i, c := range batch.check(s.library, said) {
		q := newCheckedQuote(&c)
		q.MessageID = &messages[i]
		check.Quotes = append(check.Quotes, q)
	}
	return check, nil
}

// addMessage adds the prose of a message of a thread, and the reasons its blocks give. The reason of a KILL that stands in the
// artifact is checked there.
func (b *claimBatch) addMessage(m *mail.Message, a *artifact.Artifact, findings *[]protocol.Finding) {
	name := "Message " + formatID(m.ID)
	report := message.Check(message.Draft{ThreadID: m.ThreadID, From: m.From, Subject: m.Subject, Body: m.Body},
		message.Facts{Intake: protocol.Lenient})
	if report.Type == protocol.TypeCompiled {
		return // a version repeats what items and earlier messages say, where it is checked
	}
	b.addBody(name, report.DocumentOf(m.Body), findings)
	said := func(f protocol.Finding) {
		f.Message = name + ": " + f.Message
		*findings = append(*findings, f)
	}
	b.addBeliefs(report.Beliefs, said)
	for _, block := range report.Deltas {
		if it := a.Item(artifact.ItemID(block.Target)); it != nil && it.Killed != nil && it.Killed.Source != nil &&
			it.Killed.Source.MessageID == m.ID {
			block.Reason = ""
		}
		b.addReasons(block, func(f protocol.Finding) { said(f.At(block.Line, 1)) })
	}
}

// saidBefore looks quotations up in the messages of a thread, in one pass; counts says which messages are earlier than a quotation.
func (s *Sessions) saidBefore(ctx context.Context, threadID string, counts func(quote int, m *mail.Message) bool) saidBefore {
	return func(quotes map[int]evidence.Pattern) map[int]bool {
		said := map[int]bool{}
		err := s.each(ctx, mail.MessageQuery{Thread: threadID}, func(m mail.Message) {
			var asked []int
			var queries []evidence.Query
			for i, p := range quotes {
				if !said[i] && counts(i, &m) {
					asked, queries = append(asked, i), append(queries, evidence.Query{Pattern: p})
				}
			}
			for k, match := range evidence.NewText(m.Body, evidence.Written).Find(queries) {
				said[asked[k]] = match.Found
			}
		})
		if err != nil {
			return nil
		}
		return said
	}
}

// CheckPack judges the whole pack: files that changed, files without an entry, and sources that no thread
// of the project cites (EV-Q02, EV-Q04).
func (s *Sessions) CheckPack(ctx context.Context) (QuoteCheck, error) {
	check := QuoteCheck{Quotes: []CheckedQuote{}, Findings: []protocol.Finding{}}
	pack, err := s.Pack()
	if err != nil {
		return check, err
	}
	cited := map[string]bool{}
	err = s.each(ctx, mail.MessageQuery{}, func(m mail.Message) {
		for _, c := range artifact.Citations(said(m.Subject, m.Body)) {
			cited[c.Evidence] = true
		}
	})
	if err != nil {
		return check, err
	}
	check.Findings = append(check.Findings, pack.Check()...)
	for _, source := range pack.Sources {
		if pack.Snapshot != nil && source.Kind == evidence.KindSource && !pack.LookedUp(source) {
			check.Findings = append(check.Findings, protocol.NewFinding(protocol.NotLookedUp,
				"%s (%s) was not looked up among retractions on %s.", source.ID, evidence.Show(source.Title), pack.Snapshot.Day))
		}
		if !cited[source.ID] {
			check.Findings = append(check.Findings, protocol.NewFinding(protocol.EVQ04, "No thread cites %s (%s).", source.ID,
				evidence.Show(source.Title)))
		}
	}
	return check, nil
}

// quotes tells a sender which quotations are not found in the source that they cite. A pack that cannot be read is
// reported, and delays no mail.
func (d *Door) quotes(ctx context.Context, threadID string, report *message.Report) {
	library, err := d.sessions.Library()
	if err != nil {
		f := protocol.NewFinding(protocol.CodeOf(err), "quotes were not checked: %v", err).As(protocol.SeverityWarning)
		if !slices.ContainsFunc(report.Findings, func(other protocol.Finding) bool { return other.Code == f.Code }) {
			report.Findings = append(report.Findings, f)
		}
		return
	}
	checkMessage(library, report, d.sessions.saidBefore(ctx, threadID, func(int, *mail.Message) bool { return true }))
}
