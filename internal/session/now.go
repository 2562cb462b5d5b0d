package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// NowQuery selects a page of the questions that are not closed.
type NowQuery struct {
	Threads mail.ThreadSet // only these; nil: all
	Offset  int
	Limit   int // 0: all
}

// Now is what everyone does, question by question, and what waits for a person.
type Now struct {
	Questions []AtWork // of the page: those where something waits first, then the most recently active
	Open      int      // questions that are not closed, on all pages
	Waiting   int      // how much waits
	// Waits is what waits, most urgent first and not more than fits: what messages leave open in all questions, and what agents
	// and runs need in those of the page.
	Waits []ToDo
}

// maxWaits bounds what is listed of what waits.
const maxWaits = 60

// AtWork is a question with what its agents do.
type AtWork struct {
	Question
	Round  int
	Agents []Activity
}

// Now tells what goes on. It looks at the programs of one page only, so that it costs the same in a project of any size.
func (s *Sessions) Now(ctx context.Context, q NowQuery) (Now, error) {
	now := Now{Questions: []AtWork{}, Waits: []ToDo{}}
	open, err := s.openSummaries(ctx, q.Threads)
	if err != nil {
		return now, err
	}
	rows, err := s.listed(ctx, open)
	if err != nil {
		return now, err
	}
	now.Open = len(rows)
	slices.SortStableFunc(rows, func(a, b listed) int { return cmp.Compare(a.urgency(), b.urgency()) })
	from := min(max(0, q.Offset), len(rows))
	to := len(rows)
	if q.Limit > 0 {
		to = min(from+q.Limit, len(rows))
	}
	for i := range rows {
		m := &rows[i]
		now.Waiting += len(m.waits) + len(m.asks) + min(m.PendingDeltas, 1)
		if shown := from <= i && i < to; !shown && len(now.Waits) >= maxWaits {
			continue
		}
		now.Waits = append(now.Waits, s.waits(m)...)
		for _, t := range m.waits {
			if t.Kind == ToDoRepair {
				now.Waits = append(now.Waits, t)
			}
		}
	}
	if err := s.lookAt(ctx, rows[from:to], &now); err != nil {
		return now, err
	}
	sortToDos(now.Waits)
	return now, nil
}

// lookAt adds the questions of a page: what their agents and runs do, and need.
func (s *Sessions) lookAt(ctx context.Context, rows []listed, now *Now) error {
	list := make([]*summary, len(rows))
	for i := range rows {
		list[i] = rows[i].summary
	}
	if len(list) == 0 {
		return nil
	}
	inquiry, err := s.inquireInto(ctx, participations(list)...)
	if err != nil {
		return err
	}
	taken := s.gather()
	for i := range rows {
		m := &rows[i]
		runs, err := s.runToDos(ctx, m.ThreadID)
		if err != nil {
			return err
		}
		errors, err := taken.errorsIn(ctx, m.summary)
		if err != nil {
			return err
		}
		needs := append(append(runs, inquiry.agentToDos(m.summary)...), mends(m.ThreadID, errors)...)
		now.Waiting += len(needs)
		now.Waits = append(now.Waits, needs...)
		works, err := s.works(ctx, m.ThreadID)
		if err != nil {
			return err
		}
		one, err := taken.question(ctx, m)
		if err != nil {
			return err
		}
		now.Questions = append(now.Questions, AtWork{one, m.Round, inquiry.activities(m.summary, works)})
	}
	return nil
}

// sortToDos puts what is most urgent first, then what waits longest.
func sortToDos(list []ToDo) {
	slices.SortStableFunc(list, func(a, b ToDo) int {
		return cmp.Or(cmp.Compare(slices.Index(toDoOrder, a.Kind), slices.Index(toDoOrder, b.Kind)), a.Since.Compare(b.Since.Time),
			strings.Compare(a.ThreadID, b.ThreadID))
	})
}

// Of tells whether something waits because of an agent.
func (t *ToDo) Of(threadID, agent string) bool {
	return t.ThreadID == threadID && protocol.SameAgent(t.Agent, agent)
}
