package session

import (
	"context"

	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Summary is what a list shows of a session.
type Summary struct {
	ThreadID      string                    `json:"thread_id"`
	Phase         fold.Phase                `json:"phase"`
	Round         int                       `json:"round"`
	LatestVersion int                       `json:"latest_version"`
	PendingDeltas int                       `json:"pending_deltas"`
	Roles         map[string]*fold.RoleWork `json:"roles"`
	Acks          AckStatus                 `json:"acks"`
	OpenCritiques []fold.OpenCritique       `json:"open_critiques"`
	Findings      []protocol.Finding        `json:"findings"` // of the messages since the latest version
	More          int                       `json:"more"`     // of those, how many are counted only
	Question      string                    `json:"question"`
	Bead          *Bead                     `json:"bead"`
	Messages      int                       `json:"messages"`
	UpdatedAt     string                    `json:"updated_at"`
	Persistence   Persistence               `json:"persistence"`
	Liveness      []AgentState              `json:"liveness"` // of those who take part
	Predictions   science.PredictionCounts  `json:"predictions"`

	Members []fold.Member `json:"-"` // in the order of the roster, for their marks
}

// Status is the detail of one session with what a person would do before any test.
type Status struct {
	Detail
	Coverage evidence.Counts `json:"coverage"` // of what the artifact quotes
	First    []ToDo          `json:"first"`
}

// AckStatus counts acknowledgements of the thread's messages.
type AckStatus struct {
	Required     int          `json:"required"`
	Acknowledged int          `json:"acknowledged"`
	Pending      []PendingAck `json:"pending"`
}

// PendingAck is an acknowledgement that is owed.
type PendingAck struct {
	MessageID int64   `json:"message_id"`
	Agent     string  `json:"agent"`
	Deadline  *string `json:"deadline"` // null: a reminder or imported mail has none
	Overdue   bool    `json:"overdue"`
	SettledBy *int64  `json:"settled_by"` // the message that settled it; null: none did
}

// Status is what a list shows of the session, with its bead and what comes first.
func (s *Session) Status(ctx context.Context) (Status, error) {
	d, err := s.Detail(ctx, TimelineQuery{})
	if err != nil {
		return Status{}, err
	}
	d.Bead = s.of.bead(ctx, s.ID())
	coverage, err := s.Coverage()
	if err != nil {
		return Status{}, err
	}
	first, err := s.First()
	return Status{d, coverage, first}, err
}

// bead looks up the issue that an engineering thread is named after, nil if there is none.
func (s *Sessions) bead(ctx context.Context, threadID string) *Bead {
	if s.settings.Bead == nil || protocol.KindOf(threadID) != protocol.Engineering {
		return nil
	}
	if bead, ok := s.settings.Bead(ctx, threadID); ok {
		return &bead
	}
	return nil
}

// summaryFrom is what the messages alone say.
func summaryFrom(v *fold.View) Summary {
	window := v.Fold.Window()
	return Summary{
		ThreadID: v.Fold.ThreadID(), Phase: v.Phase(), Round: v.Round, LatestVersion: v.Latest(),
		PendingDeltas: window.Deltas.Applied, Roles: v.Roles(), OpenCritiques: v.OpenCritiques(),
		Findings: protocol.NonNil(window.Findings), More: window.More, Question: v.Question,
		Messages: v.Messages, UpdatedAt: formatTime(v.Fold.UpdatedAt()),
		Predictions: v.Science.PredictionCounts(), Members: v.Members(),
	}
}

// ackStatus counts the deliveries of messages that ask for an acknowledgement.
func ackStatus(deliveries []mail.Delivery, pending []*mail.PendingAck) AckStatus {
	status := AckStatus{Pending: []PendingAck{}}
	for _, d := range deliveries {
		if d.Kind == mail.Bcc { // owes nothing
			continue
		}
		status.Required++
		if !d.Owes() {
			status.Acknowledged++
		}
	}
	for _, p := range pending {
		entry := PendingAck{MessageID: p.Message.ID, Agent: p.Agent, Overdue: p.Overdue}
		if p.SettledBy != 0 {
			entry.SettledBy = &p.SettledBy
		}
		if !p.Deadline.IsZero() {
			deadline := formatTime(p.Deadline)
			entry.Deadline = &deadline
		}
		status.Pending = append(status.Pending, entry)
	}
	return status
}
