package session

import (
	"context"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Detail is one session in full: its summary, who takes part, its latest version, what waits for whom, and a page of its
// thread. Everything is of one snapshot.
type Detail struct {
	Summary
	Enforced  bool                `json:"-"` // the protocol rules the thread; else it is ordinary mail
	Mode      protocol.RosterMode `json:"-"` // empty: no roster
	Members   []fold.Member       `json:"-"`
	Pending   merge.Counts        `json:"-"` // of the blocks since the latest version
	Rejected  []MessageReceipt    `json:"-"` // of those, messages with rejected blocks
	Latest    *Latest             `json:"-"` // nil before the first version
	Critiques []fold.QueueEntry   `json:"-"`
	AckBoard  AckBoard            `json:"-"`
	Timeline  Timeline            `json:"-"`
}

// Latest is the latest published version, as its own message tells.
type Latest struct {
	Version     int
	Previous    int
	MessageID   int64
	At          time.Time
	By          string
	Subject     string
	Summary     string
	Hash        string // empty: the message names none
	Stats       artifact.Stats
	Changes     merge.Changes
	Validation  message.Validation
	Persistence Persistence
}

// Next is the number of the version that comes after it (PROTOCOL 10: one above the highest).
func (l *Latest) Next() int { return l.Version + 1 }

// Detail tells what the session is and a page of its thread; no page if its limit is 0. The bead is left out.
func (s *Session) Detail(ctx context.Context, q TimelineQuery) (Detail, error) {
	v := s.View
	w := v.Fold.Window()
	d := Detail{Enforced: s.Thread.Enforced(), Members: v.Members(), Pending: w.Deltas, Critiques: v.Queue()}
	if roster, ok := v.Fold.Roster(); ok {
		d.Mode = roster.Mode
	}
	for _, r := range receipts(w.Messages) {
		if r.Receipt.Rejected > 0 {
			d.Rejected = append(d.Rejected, r)
		}
	}
	pending, err := s.owed(ctx)
	if err != nil {
		return d, err
	}
	list, err := s.of.completeSummaries(ctx, []*summary{s.of.summaryOf(v)}, pending)
	if err != nil {
		return d, err
	}
	d.Summary = list[0]
	if d.Latest, err = s.latestVersion(ctx); err != nil {
		return d, err
	}
	if d.AckBoard, err = s.of.ackBoard(ctx, v, pending); err != nil || q.Limit == 0 {
		return d, err
	}
	d.Timeline, err = s.Timeline(ctx, q)
	return d, err
}

// latestVersion reads the latest version from its message, so that neither a thread nor an artifact is
// folded to show it.
func (s *Session) latestVersion(ctx context.Context) (*Latest, error) {
	v := s.View
	number := v.Latest()
	if number == 0 {
		return nil, nil
	}
	version := v.Fold.Latest()
	compiled, err := s.publishedText(ctx)
	if err != nil {
		return nil, err
	}
	m := &compiled.Message
	latest := &Latest{
		Version: number, Previous: v.Fold.Before(number), MessageID: m.ID, At: m.CreatedAt, By: m.From, Subject: m.Subject,
		Summary: compiled.Summary, Stats: compiled.Stats, Changes: version.Changes, Validation: compiled.Validation,
		Persistence: Persistence{State: Draft, Path: message.ArtifactPath(m.ThreadID)},
	}
	out := Outcome{ThreadID: m.ThreadID, Version: number, Persistence: latest.Persistence}
	if m.ArtifactHash == ([32]byte{}) {
		err = s.of.measure(ctx, v, &out)
		latest.Persistence = out.Persistence
		return latest, err
	}
	latest.Hash = m.ArtifactHash.String()
	latest.Persistence, err = s.of.stateOf(ctx, latest.Persistence.Path, artifact.Document{
		Metadata: artifact.Metadata{Version: number, ArtifactHash: latest.Hash},
	})
	return latest, err
}
