package session

import (
	"context"
	"slices"
	"time"

	"brenner/artifact"
	"brenner/artifact/merge"
	"brenner/message"
	"brenner/protocol"
)

// Desk is a session as somebody looks at it who works on it: where it stands, its latest artifact,
// what waits for whom, and a page of its thread.
type Desk struct {
	ThreadID  string
	Enforced  bool // the protocol rules the thread; else it is ordinary mail
	Question  string
	Phase     Phase
	Round     int
	Messages  int
	Mode      protocol.RosterMode // empty: no roster
	Members   []Member
	Liveness  []AgentState       // of the agents among them
	Pending   merge.Counts       // of the blocks since the latest version
	Rejected  []MessageReceipt   // of those, messages with rejected blocks
	Findings  []protocol.Finding // of the messages since the latest version
	Latest    *Latest            // nil before the first version
	Critiques []QueueEntry
	Acks      AckBoard
	Timeline  Timeline
}

// Member is somebody who takes part.
type Member struct {
	Agent    string
	Role     protocol.Role // empty: none was given
	Program  string
	Model    string
	Deltas   int // accepted blocks
	Rostered bool
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

// Desk looks at a session and a page of its thread, from one reading of what was folded before.
func (s *Sessions) Desk(ctx context.Context, q TimelineQuery) (Desk, error) {
	summary, err := s.mail.Thread(ctx, q.ThreadID)
	if err != nil {
		return Desk{}, err
	}
	v, err := s.look(ctx, summary)
	if err != nil {
		return Desk{}, err
	}
	d := v.desk()
	d.Enforced = summary.Enforced()
	if d.Latest, err = s.latest(ctx, v); err != nil {
		return d, err
	}
	if d.Liveness, err = s.viewStates(ctx, v); err != nil {
		return d, err
	}
	if d.Acks, err = s.ackBoard(ctx, v); err != nil {
		return d, err
	}
	d.Timeline, err = s.timeline(ctx, v, q)
	return d, err
}

func (v *View) desk() Desk {
	w := v.Fold.Window()
	d := Desk{
		ThreadID: v.Fold.ThreadID(), Question: v.Question, Phase: v.Phase(), Round: v.Round, Messages: v.Messages,
		Pending: w.Deltas, Findings: w.Findings, Members: v.members(), Critiques: v.queue(),
	}
	if roster, ok := v.Fold.Roster(); ok {
		d.Mode = roster.Mode
	}
	for _, r := range receipts(w.Messages) {
		if r.Receipt.Rejected > 0 {
			d.Rejected = append(d.Rejected, r)
		}
	}
	return d
}

// members lists the roster, then everybody else who wrote or was written to.
func (v *View) members() []Member {
	list := []Member{}
	if roster, ok := v.Fold.Roster(); ok {
		for _, e := range roster.Entries {
			list = append(list, Member{Agent: e.AgentName, Role: e.Role, Program: e.Program, Model: e.Model, Rostered: true})
		}
	}
	find := func(name string) *Member {
		i := slices.IndexFunc(list, func(m Member) bool { return protocol.SameAgent(m.Agent, name) })
		if i < 0 {
			i = len(list)
			list = append(list, Member{Agent: name})
		}
		return &list[i]
	}
	for _, name := range v.Participants {
		find(name)
	}
	for _, c := range v.Fold.Contributors() {
		find(c.Agent).Deltas += c.Deltas
	}
	return list
}

// latest reads the latest version from its message, so that neither a thread nor an artifact is
// folded to show its card.
func (s *Sessions) latest(ctx context.Context, v *View) (*Latest, error) {
	number := v.latest()
	if number == 0 {
		return nil, nil
	}
	version := v.Fold.Latest()
	compiled, err := s.publishedText(ctx, version)
	if err != nil {
		return nil, err
	}
	m := &compiled.Message
	card := &Latest{
		Version: number, Previous: v.Fold.Before(number), MessageID: m.ID, At: m.CreatedAt, By: m.From, Subject: m.Subject,
		Summary: compiled.Summary, Stats: compiled.Stats, Changes: version.Changes, Validation: compiled.Validation,
		Persistence: Persistence{State: Draft, Path: message.ArtifactPath(m.ThreadID)},
	}
	out := Outcome{ThreadID: m.ThreadID, Version: number, Persistence: card.Persistence}
	if m.ArtifactHash == ([32]byte{}) {
		err = s.measure(ctx, &out)
		card.Persistence = out.Persistence
		return card, err
	}
	card.Hash = m.ArtifactHash.String()
	card.Persistence, err = s.stateOf(ctx, card.Persistence.Path, artifact.Document{
		Metadata: artifact.Metadata{Version: number, ArtifactHash: card.Hash},
	})
	return card, err
}
