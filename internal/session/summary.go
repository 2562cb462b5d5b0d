package session

import (
	"context"
	"sync"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/canon"
	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
)

// summary is a Summary as far as the messages alone say it, with what the rest is asked for by.
type summary struct {
	Summary
	participation
	at        fold.Position
	haystack  string    // what a query looks for its text in
	asks      []int64   // messages that ask for an acknowledgement
	waits     []ToDo    // what waits for a person, as far as the messages alone say it
	open      []ask     // questions to a convener that no convener has replied to
	updated   time.Time // when its last message came
	published int64     // the message of the latest version; 0: there is none
	unsettled unsettled // what a list of questions is sorted by
	linted    linted
}

// linted is how many errors lint found in a session's artifact, by the library that it asked. Safe for concurrent use.
type linted struct {
	mu      sync.Mutex
	known   bool
	library *evidence.Library
	errors  int
}

func (l *linted) by(library *evidence.Library) (errors int, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.errors, l.known && l.library == library
}

func (l *linted) keep(library *evidence.Library, errors int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known, l.library, l.errors = true, library, errors
}

// maxSummaries is how many sessions a list shows without looking into their threads again (BenchmarkPages/sessions/cold).
const maxSummaries = 20_000

func (s *Sessions) summaryOf(v *fold.View) *summary {
	m := &summary{
		Summary: summaryFrom(v), participation: s.participation(v), at: v.Position(), asks: v.Settled.Asks, published: v.Publication(),
		waits: append(criticals(v), rejections(v)...), open: openAsks(v), updated: v.Fold.UpdatedAt(),
	}
	m.haystack = haystack(&m.Summary)
	return m
}

// summary sums up a thread, from memory as long as nothing was sent to it.
func (s *Sessions) summary(ctx context.Context, t mail.Thread) (*summary, error) {
	if known := s.list.summary(&t); known != nil {
		return known, nil
	}
	v, err := s.follow(ctx, t)
	if err != nil {
		return nil, err
	}
	m := s.summaryOf(v)
	m.unsettled = s.unsettledOf(v)
	s.list.keep(m)
	return m, nil
}

// summaries sums up the sessions of the project, or those in a set, most recently active first.
func (s *Sessions) summaries(ctx context.Context, only mail.ThreadSet) ([]*summary, error) {
	threads, err := s.allThreads(ctx)
	if err != nil {
		return nil, err
	}
	titles, err := s.archivedTitles(ctx, threads)
	if err != nil {
		return nil, err
	}
	list := []*summary{}
	for _, t := range threads {
		if !t.Enforced() || only != nil && !only.Has(t.ID) {
			continue
		}
		if t.Archived() {
			list = append(list, archivedSummary(&t, titles[t.ID]))
			continue
		}
		m, err := s.summary(ctx, t)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// completeSummaries adds what the messages alone do not say: acknowledgements, files, agents. It asks few
// questions for any number of sessions.
func (s *Sessions) completeSummaries(ctx context.Context, list []*summary, pending []mail.PendingAck) ([]Summary, error) {
	var ids []int64
	taking := make([]*participation, len(list))
	for i, m := range list {
		taking[i], ids = &m.participation, m.kickoffs(append(ids, m.asks...))
	}
	received, err := s.received(ctx, ids)
	if err != nil {
		return nil, err
	}
	q := s.inquire()
	if err := q.take(ctx, taking, pending, received); err != nil {
		return nil, err
	}
	all := make([]Summary, len(list))
	for i, m := range list {
		all[i] = m.Summary
		all[i].Acks, all[i].Liveness = q.tally(m), q.statesIn(&m.participation)
		if all[i].Persistence, err = s.persistence(ctx, m); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// tally counts the acknowledgements of a session.
func (q *inquiry) tally(m *summary) AckStatus {
	var own []mail.Delivery
	for _, id := range m.asks {
		own = append(own, q.received[id]...)
	}
	return ackStatus(own, q.pending[m.ThreadID])
}

// Stamper is a work tree that can tell, cheaply, whether the state of a file may be another one:
// then its stamp is. The second result is false where it cannot.
type Stamper interface {
	Stamp(path string) (string, bool)
}

// fileKey names the state of a file for good, as long as its stamp stays.
type fileKey struct {
	threadID  string
	published int64
	stamp     string
}

// maxFiles is how many files of versions are not measured again while their stamps stay
// (BenchmarkOverviewOfFiles).
const maxFiles = 20_000

// persistence measures the file of a session's latest version.
func (s *Sessions) persistence(ctx context.Context, m *summary) (Persistence, error) {
	none := Persistence{State: Draft, Path: message.ArtifactPath(m.ThreadID)}
	if m.LatestVersion == 0 || s.tree == nil || m.Phase == fold.PhaseArchived {
		return none, nil
	}
	measure := func() (Persistence, error) { return s.measureFile(ctx, m, s.fileAt(none.Path)) }
	if t, ok := s.tree.(Stamper); ok {
		if stamp, ok := t.Stamp(none.Path); ok {
			return s.files.Of(fileKey{m.ThreadID, m.published, stamp}, measure)
		}
	}
	return measure()
}

// measureFile compares a file with the hash that the message of the version carries; one of a foreign server has none, and is folded.
func (s *Sessions) measureFile(ctx context.Context, m *summary, f *artifactFile) (Persistence, error) {
	if f.err != nil || !f.exists {
		return Persistence{State: Draft, Path: f.path}, nil //nolint:nilerr // a file that cannot be read is no version
	}
	compiled, err := s.mail.Message(ctx, m.published)
	if err != nil {
		return Persistence{}, err
	}
	doc := artifact.Document{Metadata: artifact.Metadata{Version: m.LatestVersion, ArtifactHash: compiled.ArtifactHash.String()}}
	if compiled.ArtifactHash == (canon.Hash{}) {
		v, err := s.threads.Snapshot(ctx, m.ThreadID)
		if err != nil {
			return Persistence{}, err
		}
		if v, err = s.at(ctx, v, v.Latest()); err != nil {
			return Persistence{}, err
		}
		doc = v.Document()
	}
	return s.stateOfFile(ctx, f, doc)
}
