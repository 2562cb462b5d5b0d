package session

import (
	"context"
	"slices"
	"strings"

	"brenner/mail"
	"brenner/message"
)

// OverviewQuery selects sessions. Zero fields do not restrict.
type OverviewQuery struct {
	Phase   Phase
	Threads mail.ThreadSet // only these; nil: all
	Text    string         // in the question, the thread id or the name of an agent, ignoring case
	Offset  int
	Limit   int // 0: all
}

// Overview is a page of the sessions of a project, most recently active first.
type Overview struct {
	Sessions []Status
	Matching int           // how many there are on all pages
	Phases   map[Phase]int // how many of those that the text selects stand in each phase
	Total    int           // sessions of the project
}

// Overview sums up sessions for somebody who looks again and again: what was worked out stands until
// something happens to the session. It leaves the beads out.
func (s *Sessions) Overview(ctx context.Context, q OverviewQuery) (Overview, error) {
	cards, err := s.cards(ctx)
	if err != nil {
		return Overview{}, err
	}
	if q.Threads != nil {
		cards = slices.DeleteFunc(slices.Clone(cards), func(c *card) bool { return !q.Threads.Has(c.status.ThreadID) })
	}
	o := Overview{Sessions: []Status{}, Phases: map[Phase]int{}, Total: len(cards)}
	text := strings.ToLower(strings.TrimSpace(q.Text))
	var found []*card
	for _, c := range cards {
		if !strings.Contains(c.haystack, text) {
			continue
		}
		o.Phases[c.status.Phase]++
		if q.Phase == "" || c.status.Phase == q.Phase {
			found = append(found, c)
		}
	}
	o.Matching = len(found)
	from := min(max(0, q.Offset), len(found))
	found = found[from:]
	if q.Limit > 0 {
		found = found[:min(q.Limit, len(found))]
	}
	for _, c := range found {
		st, err := s.shown(ctx, c)
		if err != nil {
			return Overview{}, err
		}
		o.Sessions = append(o.Sessions, st)
	}
	s.saveCards(ctx)
	verdicts, err := s.attendance(ctx, cards)
	for i, c := range found {
		o.Sessions[i].Liveness = judged(c.agents, verdicts)
	}
	return o, err
}

// shown is the status on a card as of now: deadlines pass and files change without any event.
func (s *Sessions) shown(ctx context.Context, c *card) (Status, error) {
	st, now := c.status, s.now()
	st.Acks.Pending = slices.Clone(st.Acks.Pending)
	for i, deadline := range c.deadlines {
		st.Acks.Pending[i].Overdue = !deadline.IsZero() && now.After(deadline)
	}
	var err error
	st.Persistence, err = s.persistence(ctx, c)
	return st, err
}

// Stamper is a work tree that can tell, cheaply, whether the state of a file may be another one:
// then its stamp is. The second result is false where it cannot.
type Stamper interface {
	Stamp(path string) (string, bool)
}

// persistence measures the file of a card's version again if something about it changed.
func (s *Sessions) persistence(ctx context.Context, c *card) (Persistence, error) {
	out := Outcome{ThreadID: c.status.ThreadID, Version: c.status.LatestVersion}
	out.Persistence = Persistence{State: Draft, Path: message.ArtifactPath(c.status.ThreadID)}
	if out.Version == 0 || s.tree == nil {
		return out.Persistence, nil
	}
	stamp, ok := "", false
	if t, can := s.tree.(Stamper); can {
		stamp, ok = t.Stamp(out.Persistence.Path)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if ok && c.stamp == stamp {
		return c.persistence, nil
	}
	err := s.measure(ctx, &out)
	if err == nil && ok {
		c.stamp, c.persistence = stamp, out.Persistence
	}
	return out.Persistence, err
}

// List sums up every thread of the project, most recently active first.
func (s *Sessions) List(ctx context.Context) ([]Status, error) {
	threads, err := s.mail.Threads(ctx)
	if err != nil {
		return nil, err
	}
	list, views := []Status{}, []*View{}
	var names []string
	for _, t := range threads {
		if !t.Enforced() {
			continue
		}
		v, err := s.View(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		st, err := s.status(ctx, v)
		if err != nil {
			return nil, err
		}
		names = append(names, s.members(v)...)
		list, views = append(list, st), append(views, v)
	}
	verdicts, err := s.inquire().verdicts(ctx, oncePerAgent(names)...)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Liveness = s.agentStates(views[i], verdicts)
	}
	return list, nil
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
func haystack(st *Status) string {
	parts := []string{st.Question, st.ThreadID}
	for _, work := range st.Roles {
		parts = append(parts, work.Agents...)
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}
