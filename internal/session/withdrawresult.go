package session

import (
	"context"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// WithdrawRequest takes a result away (SCIENCE 2).
type WithdrawRequest struct {
	ThreadID string
	Test     string
	As       string
	Message  int64 // that gave the result, by the store's number
	Reason   string
	Evidence []string // ids of the pack
}

// WithdrawnResult is what withdrawing came to.
type WithdrawnResult struct {
	MessageID *int64             `json:"message_id"` // null: nothing was posted
	ThreadID  string             `json:"thread_id"`
	Test      string             `json:"test"`
	Withdraws int64              `json:"withdraws"`
	Findings  []protocol.Finding `json:"findings"`
}

// WithdrawResult posts a DELTA that takes a result away, of a killed test too. NOT_FOUND: there is no such test,
// or it has no such result; CONFLICT: it was withdrawn before.
func (s *Sessions) WithdrawResult(ctx context.Context, r WithdrawRequest) (WithdrawnResult, error) {
	done := WithdrawnResult{ThreadID: r.ThreadID, Test: r.Test, Withdraws: r.Message, Findings: []protocol.Finding{}}
	if strings.TrimSpace(r.Reason) == "" {
		return done, protocol.Errorf(protocol.Usage, "a withdrawal says its reason")
	}
	of, err := s.Session(ctx, r.ThreadID)
	if err != nil {
		return done, err
	}
	if _, err := of.test(r.Test); err != nil {
		return done, err
	}
	for _, id := range r.Evidence {
		if err := s.shown(id); err != nil {
			return done, err
		}
	}
	test := artifact.ItemID(r.Test)
	results := &of.View.Science.Results
	old := results.Named(test, r.Message)
	switch {
	case old == nil:
		return done, protocol.Errorf(protocol.NotFound, "%s has no result in message %d", r.Test, r.Message)
	case old.Standing == science.Withdrawn:
		return done, protocol.Errorf(protocol.Conflict, "the result of %s in message %d was withdrawn before", r.Test, r.Message)
	}
	edit := testEdit{LastRun: &lastRun{At: formatTime(s.now()), By: r.As, Withdraws: &old.Origin, Reason: &r.Reason, Evidence: r.Evidence}}
	if results.AloneStands(old) {
		edit.Status = "untested"
	}
	body, err := testBody(r.Test, "A result of "+r.Test+" is withdrawn.", edit)
	if err != nil {
		return done, err
	}
	sent, err := s.postResult(ctx, of, r.As, "Withdraw a result of "+r.Test, body)
	done.Findings = append(done.Findings, sent.Findings...)
	if sent.Message.ID != 0 {
		done.MessageID = &sent.Message.ID
	}
	return done, err
}
