package session

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/fold"
	"brenner/internal/mail"
)

// OverviewQuery selects sessions. Zero fields do not restrict.
type OverviewQuery struct {
	Phase   fold.Phase
	Threads mail.ThreadSet // only these; nil: all
	Text    string         // in the question, the thread id or the name of an agent, ignoring case
	Offset  int
	Limit   int // 0: all
}

// Overview is a page of the sessions of a project, most recently active first.
type Overview struct {
	Sessions []Summary
	Matching int                // how many there are on all pages
	Phases   map[fold.Phase]int // how many of those that the text selects are in each phase
	Total    int                // sessions of the project
}

// Overview sums up sessions. It leaves the beads out.
func (s *Sessions) Overview(ctx context.Context, q OverviewQuery) (Overview, error) {
	all, err := s.summaries(ctx, q.Threads)
	if err != nil {
		return Overview{}, err
	}
	o := Overview{Phases: map[fold.Phase]int{}, Total: len(all)}
	text := strings.ToLower(strings.TrimSpace(q.Text))
	var found []*summary
	for _, m := range all {
		if !strings.Contains(m.haystack, text) {
			continue
		}
		o.Phases[m.Phase]++
		if q.Phase == "" || m.Phase == q.Phase {
			found = append(found, m)
		}
	}
	o.Matching = len(found)
	found = found[min(max(0, q.Offset), len(found)):]
	if q.Limit > 0 {
		found = found[:min(q.Limit, len(found))]
	}
	pending, err := s.owed(ctx, mail.PendingQuery{})
	if err != nil {
		return o, err
	}
	o.Sessions, err = s.completeSummaries(ctx, found, pending)
	return o, err
}

// List sums up every session of the project, most recently active first.
func (s *Sessions) List(ctx context.Context) ([]Summary, error) {
	o, err := s.Overview(ctx, OverviewQuery{})
	for i := range o.Sessions {
		o.Sessions[i].Bead = s.bead(ctx, o.Sessions[i].ThreadID)
	}
	return o.Sessions, err
}

// oncePerAgent drops repeated names.
func oncePerAgent(names []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		key := mail.NameKey(name)
		defer func() { seen[key] = true }()
		return seen[key]
	})
}

// haystack is what the text of a query is looked for in.
func haystack(st *Summary) string {
	parts := []string{st.Question, st.ThreadID}
	for _, work := range st.Roles {
		parts = append(parts, work.Agents...)
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}
