package session

import (
	"context"
	"fmt"

	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Next is what to do next in a session: what a person would do before any test, then the tests
// by what they would teach (SCIENCE 5).
type Next struct {
	Tests       []science.Advice   `json:"tests"`
	Unseparated [][2]string        `json:"unseparated"`
	First       []ToDo             `json:"first"`
	Findings    []protocol.Finding `json:"findings"`
}

// Next ranks the tests of a thread and lists what comes before them.
func (s *Sessions) Next(ctx context.Context, threadID string, order science.Order) (Next, error) {
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
func (s *Sessions) first(ctx context.Context, v *fold.View) ([]ToDo, error) {
	list := []ToDo{}
	if v.Phase() == fold.PhaseComplete {
		return list, nil
	}
	id := v.Fold.ThreadID()
	list = append(list, criticals(v)...)
	asks, err := s.unanswered(ctx, openAsks(v))
	if err != nil {
		return list, err
	}
	for _, a := range asks {
		list = append(list, s.replyTo(id, a))
	}
	if n := v.Fold.Pending().Applied; n > 0 {
		list = append(list, ToDo{Kind: ToDoCompile, ThreadID: id, What: fmt.Sprintf("Compile %s", protocol.Plural(n, "pending delta")), Command: "brenner compile " + id})
	}
	judged, err := s.lint(ctx, v, v.Unhashed())
	if err != nil {
		return list, err
	}
	if n := judged.errors().errors; n > 0 {
		list = append(list, ToDo{Kind: ToDoMend, ThreadID: id, What: fmt.Sprintf("Mend %s", protocol.Plural(n, "lint error")), Command: "brenner lint " + id})
	}
	return list, nil
}
