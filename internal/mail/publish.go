package mail

import (
	"context"

	"brenner/internal/canon"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Publication is a COMPILED message on its way out.
type Publication struct {
	Subject, Body string
	ArtifactHash  canon.Hash
	// Participants are all who wrote or openly received the thread, the sender and those who
	// have retired included: the fold of the thread knows them.
	Participants []string
}

// Publish posts a COMPILED message that compile makes inside the inserting transaction: it sees
// the thread as it is then, so that its version is thread.LatestVersion+1 and covers every earlier
// message (PROTOCOL 10). The message's own time is tx.Time(). compile obeys the rules of
// Log.Compose; what takes long (folding what is there already) belongs before the call, and compile
// folds what landed since: tx.Messages with After. If it returns nil nothing is posted and the
// result has no message.
//
// The message goes to every participant of the thread but its sender. Authors of bad mail on a foreign server are told,
// whether something is posted or not. NOT_FOUND: no such thread.
func (s *Service) Publish(ctx context.Context, thread, from string,
	compile func(ctx context.Context, tx Tx, thread Thread) (*Publication, error),
) (Verdict, error) {
	var sent Verdict
	messages, err := s.store.Compose(ctx, s.project.ID, s.Now(), func(ctx context.Context, tx Tx) ([]Entry, error) {
		sent = Verdict{}
		t, err := threadOf(ctx, tx, s.project.ID, thread)
		if err == nil && t.Messages == 0 {
			err = NoThread(thread)
		}
		if err != nil {
			return nil, err
		}
		p, err := compile(ctx, tx, t)
		if err != nil || p == nil {
			return nil, err
		}
		var entry Entry
		sent, entry, err = s.compiled(ctx, tx, t, from, p)
		return []Entry{entry}, err
	})
	if err == nil && len(messages) == 1 {
		sent.Message = messages[0]
		sent.told(s.Accepted(ctx, messages...))
	}
	if other, ok := s.store.(Complainer); ok && err == nil {
		err = other.Complain(ctx, s.project.ID, thread, from)
	}
	return sent, err
}

// Complainer is a store whose mail arrives already sent, past the door. Complain tells the authors of a thread, in the
// name of an agent and once for each message, what is wrong with theirs (PROTOCOL 4).
type Complainer interface {
	Complain(ctx context.Context, project ProjectID, thread, from string) error
}

// compiled addresses and judges a publication.
func (s *Service) compiled(ctx context.Context, tx Tx, t Thread, from string, p *Publication) (Verdict, Entry, error) {
	sender, to, err := recipients(ctx, tx, s.project.ID, from, p.Participants)
	if err != nil {
		return Verdict{}, Entry{}, err
	}
	no := false
	l := &candidate{thread: t, draft: message.Draft{
		ThreadID: t.ID, From: sender.Name, To: to, Subject: p.Subject, Body: p.Body,
		AckRequired: &no, Importance: message.Normal, CreatedAt: tx.Time(),
	}}
	latest := t.LatestVersion
	facts := message.Facts{Intake: protocol.Lenient, LatestVersion: &latest}
	if t.Enforced() {
		facts.Intake = protocol.Strict
	}
	report := message.Check(l.draft, facts)
	sent := Verdict{Type: report.Type, Receipt: report.Receipt, Findings: s.inMode(report.Findings), More: report.More}
	if err := sent.refusal(); err != nil {
		return sent, Entry{}, err
	}
	l.complete(&report, facts.Intake, nil)
	l.entry.ArtifactHash, l.entry.Gapless, l.entry.Member = p.ArtifactHash, true, s.sender(ctx, Access{}).bound
	return sent, l.entry, nil
}

// PageSize is how many messages are read at a time where a thread is walked.
const PageSize = 500

const (
	// FirstPage is how many are read before their size is known.
	FirstPage = 32
	// pageBytes is how much text a page should have: messages may be large (PROTOCOL 16).
	pageBytes = 16 << 20
)

// NextPage is how many messages to read behind a page.
func NextPage(page []Message) int {
	size := 0
	for i := range page {
		size += len(page[i].Body)
	}
	if size == 0 {
		return PageSize
	}
	return min(max(len(page)*pageBytes/size, 1), PageSize)
}

// recipients returns the sender, and the others who still take part.
func recipients(ctx context.Context, r Reader, project ProjectID, from string, names []string) (Agent, []string, error) {
	found, err := r.Agents(ctx, project, append([]string{from}, names...)...)
	if err != nil {
		return Agent{}, nil, err
	}
	agents := byName(found)
	if missing := missingAgents([]string{from}, agents); len(missing) > 0 {
		return Agent{}, nil, missing[0]
	}
	return agents[NameKey(from)], receiving(names, agents, from), nil
}

// receiving are those of the participants of a thread who still receive its mail from a sender, in their order: who is registered, was not
// retired, and is another.
func receiving(names []string, agents map[string]Agent, from string) []string {
	var to []string
	for _, name := range names {
		if a, ok := agents[NameKey(name)]; ok && a.ReceivesFrom(from) {
			to = append(to, a.Name)
		}
	}
	return to
}

// Remaining returns those of some agents who still take part: who is registered and was not retired, in their order.
func (s *Service) Remaining(ctx context.Context, names []string) ([]string, error) {
	found, err := s.store.Agents(ctx, s.project.ID, names...)
	return receiving(names, byName(found), ""), err
}

// Receivers returns those of the participants of a thread who still receive its mail from a sender. A thread of one's own delivers to
// oneself: a message has a recipient.
func (s *Service) Receivers(ctx context.Context, names []string, from string) ([]string, error) {
	found, err := s.store.Agents(ctx, s.project.ID, names...)
	if err != nil {
		return nil, err
	}
	if to := receiving(names, byName(found), from); len(to) > 0 {
		return to, nil
	}
	return []string{from}, nil
}

func byName(agents []Agent) map[string]Agent {
	named := make(map[string]Agent, len(agents))
	for _, a := range agents {
		named[NameKey(a.Name)] = a
	}
	return named
}
