package mail

import (
	"context"

	"brenner/canon"
	"brenner/message"
	"brenner/protocol"
)

// Publication is a COMPILED message without its addresses.
type Publication struct {
	Subject, Body string
	ArtifactHash  canon.Hash
}

// Publish posts a COMPILED message that compile makes inside the inserting transaction: it sees
// the thread as it is then, so that its version is thread.LatestVersion+1 and covers every earlier
// message (PROTOCOL 10). The message's own time is tx.Time(). compile obeys the rules of
// Log.Compose; what takes long (folding what is there already) belongs before the call, and compile
// folds what landed since: tx.Messages with After. If it returns nil nothing is posted and the
// result has no message.
//
// The message goes to every participant of the thread but its sender. NOT_FOUND: no such thread.
func (s *Service) Publish(ctx context.Context, thread, from string,
	compile func(ctx context.Context, tx Tx, thread Thread) (*Publication, error),
) (Verdict, error) {
	known, err := s.participants(ctx, s.store, thread, nil, 0)
	if err != nil {
		return Verdict{}, err
	}
	var sent Verdict
	messages, err := s.store.Compose(ctx, s.project.ID, s.Now(), func(ctx context.Context, tx Tx) ([]Entry, error) {
		sent = Verdict{}
		t, err := threadOf(ctx, tx, s.project.ID, thread)
		if err == nil && t.Messages == 0 {
			err = protocol.Errorf(protocol.NotFound, "there is no thread %s", thread)
		}
		if err != nil {
			return nil, err
		}
		p, err := compile(ctx, tx, t)
		if err != nil || p == nil {
			return nil, err
		}
		var entry Entry
		sent, entry, err = s.compiled(ctx, tx, t, from, p, known)
		return []Entry{entry}, err
	})
	if err == nil && len(messages) == 1 {
		sent.Message = messages[0]
	}
	return sent, err
}

// compiled addresses and judges a publication.
func (s *Service) compiled(ctx context.Context, tx Tx, t Thread, from string, p *Publication, known *participants) (Verdict, Entry, error) {
	all, err := s.participants(ctx, tx, t.ID, known.names, known.through)
	if err != nil {
		return Verdict{}, Entry{}, err
	}
	sender, to, err := recipients(ctx, tx, s.project.ID, from, all.names)
	if err != nil {
		return Verdict{}, Entry{}, err
	}
	no := false
	l := &letter{thread: t, draft: message.Draft{
		ThreadID: t.ID, From: sender.Name, To: to, Subject: p.Subject, Body: p.Body,
		AckRequired: &no, Importance: message.Normal, CreatedAt: tx.Time(),
	}}
	latest := t.LatestVersion
	facts := message.Facts{Intake: protocol.Lenient, LatestVersion: &latest}
	if t.Enforced() {
		facts.Intake = protocol.Strict
	}
	report := message.Check(l.draft, facts)
	sent := Verdict{Type: report.Type, Receipt: report.Receipt, Findings: s.settle(report.Findings)}
	if err := refusal(sent.Findings); err != nil {
		return sent, Entry{}, err
	}
	l.complete(s, &report, facts.Intake, nil)
	l.entry.ArtifactHash, l.entry.Gapless = p.ArtifactHash, true
	return sent, l.entry, nil
}

// participants are those who wrote or received a thread, up to a message.
type participants struct {
	names   []string // in the order of their first part
	through int64
}

// participants goes on from those known through a message.
func (s *Service) participants(ctx context.Context, r Reader, thread string, names []string, after int64) (*participants, error) {
	p := &participants{names: append([]string{}, names...), through: after}
	seen := map[string]bool{}
	for _, name := range names {
		seen[NameKey(name)] = true
	}
	for {
		page, err := r.Messages(ctx, MessageQuery{Project: s.project.ID, Thread: thread, After: p.through, Limit: pageSize})
		if err != nil {
			return nil, err
		}
		for i := range page {
			m := &page[i]
			for _, group := range [][]string{{m.From}, m.To, m.Cc, m.Bcc} {
				for _, name := range group {
					if key := NameKey(name); !seen[key] {
						seen[key] = true
						p.names = append(p.names, name)
					}
				}
			}
			p.through = m.ID
		}
		if len(page) < pageSize {
			return p, nil
		}
	}
}

// pageSize is how many messages are read at a time where a thread is walked.
const pageSize = 500

// recipients returns the sender, and the others who still take part.
func recipients(ctx context.Context, r Reader, project ProjectID, from string, names []string) (Agent, []string, error) {
	found, err := r.Agents(ctx, project, append([]string{from}, names...)...)
	if err != nil {
		return Agent{}, nil, err
	}
	agents := make(map[string]Agent, len(found))
	for _, a := range found {
		agents[NameKey(a.Name)] = a
	}
	if missing := missingAgents([]string{from}, agents); len(missing) > 0 {
		return Agent{}, nil, missing[0]
	}
	var to []string
	for _, name := range names {
		if a, ok := agents[NameKey(name)]; ok && !a.Retired() && NameKey(name) != NameKey(from) {
			to = append(to, a.Name)
		}
	}
	return agents[NameKey(from)], to, nil
}
