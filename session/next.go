package session

import (
	"context"
	"fmt"
	"slices"

	"brenner/belief"
	"brenner/mail"
	"brenner/protocol"
	"brenner/science"
)

// Next is what to do next in a session: what a person would do before any test, then the tests
// by what they would teach (SCIENCE 5).
type Next struct {
	Tests       []belief.Advice    `json:"tests"`
	Unseparated [][2]string        `json:"unseparated"`
	First       []ToDo             `json:"first"`
	Findings    []protocol.Finding `json:"findings"`
}

// ToDo is something that waits for a person, and the command that does it.
type ToDo struct {
	What      string   `json:"what"`
	Command   string   `json:"command"`
	Kind      ToDoKind `json:"kind"`
	MessageID int64    `json:"message_id,omitempty"` // what is to be answered
}

// ToDoKind says what has to be done.
type ToDoKind string

// The kinds, in the order in which they come first.
const (
	ToDoAnswer  ToDoKind = "answer"
	ToDoReply   ToDoKind = "reply"
	ToDoCompile ToDoKind = "compile"
	ToDoMend    ToDoKind = "mend"
)

// Next ranks the tests of a thread and lists what comes before them.
func (s *Sessions) Next(ctx context.Context, threadID string, order belief.Order) (Next, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return Next{}, err
	}
	first, err := s.first(ctx, v)
	if err != nil {
		return Next{}, err
	}
	ranking := v.Science.Beliefs.Next(order)
	return Next{ranking.Tests, ranking.Unseparated, first, v.Science.Beliefs.Report(&v.Science.Results).Findings}, nil
}

// first is what a person would do before any test: open Critical critiques, what the operator was
// asked and has neither acknowledged nor replied to, pending deltas, lint errors. A complete
// session asks for nothing.
func (s *Sessions) first(ctx context.Context, v *View) ([]ToDo, error) {
	list := []ToDo{}
	if v.Phase() == PhaseComplete {
		return list, nil
	}
	id := v.Fold.ThreadID()
	for _, c := range v.OpenCritiques() {
		if c.Critical() {
			list = append(list, ToDo{
				fmt.Sprintf("Answer the Critical critique #%d of %s: %s", c.MessageID, c.From, c.Title),
				fmt.Sprintf("brenner critique answer %d --body -", c.MessageID), ToDoAnswer, c.MessageID,
			})
		}
	}
	asks, err := s.unanswered(ctx, v)
	if err != nil {
		return list, err
	}
	for _, a := range asks {
		list = append(list, ToDo{
			fmt.Sprintf("Reply to #%d of %s: %s", a.MessageID, a.From, a.Subject),
			fmt.Sprintf("brenner mail reply %d --from %s --body -", a.MessageID, s.mail.Operator()), ToDoReply, a.MessageID,
		})
	}
	if n := v.Fold.Pending().Applied; n > 0 {
		list = append(list, ToDo{fmt.Sprintf("Compile %s", protocol.Plural(n, "pending delta")), "brenner compile " + id, ToDoCompile, 0})
	}
	report, err := s.lint(ctx, v, v.Document())
	if err != nil {
		return list, err
	}
	if n := report.Summary.Errors; n > 0 {
		list = append(list, ToDo{fmt.Sprintf("Mend %s", protocol.Plural(n, "lint error")), "brenner lint " + id, ToDoMend, 0})
	}
	return list, nil
}

// unanswered are the questions and blockers that were sent to a convener, and that no convener has
// replied to or acknowledged.
func (s *Sessions) unanswered(ctx context.Context, v *View) ([]science.Ask, error) {
	var open []science.Ask
	var ids []int64
	for _, a := range v.Science.Asks {
		if slices.ContainsFunc(a.To, v.Fold.Convener) && !slices.ContainsFunc(a.Replies, v.Fold.Convener) {
			open, ids = append(open, a), append(ids, a.MessageID)
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	deliveries, err := s.store().Deliveries(ctx, mail.DeliveryQuery{Project: s.project(), Messages: ids})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(open, func(a science.Ask) bool {
		return slices.ContainsFunc(deliveries, func(d mail.Delivery) bool {
			return d.Message == a.MessageID && !d.AckAt.IsZero() && v.Fold.Convener(d.Agent)
		})
	}), nil
}
