package session

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/science"
)

// QuestionGroup says who has to do something about a question.
type QuestionGroup string

// The groups, in their order.
const (
	QuestionsWaiting QuestionGroup = "waiting" // for a person
	QuestionsMoving  QuestionGroup = "moving"  // without one
	QuestionsClosed  QuestionGroup = "closed"
)

// QuestionGroups are all groups, in their order.
var QuestionGroups = []QuestionGroup{QuestionsWaiting, QuestionsMoving, QuestionsClosed}

// QuestionOrder is what a list of questions is sorted by.
type QuestionOrder string

// The orders.
const (
	ByWaits        QuestionOrder = "waits"   // group by group; what waits by its urgency, the others by what moved most
	ByLeastSettled QuestionOrder = "settled" // by verdict, then by the bits that are left
	ByNewest       QuestionOrder = "newest"  // by when they were asked
)

// QuestionQuery selects questions. Zero fields do not restrict.
type QuestionQuery struct {
	Group   QuestionGroup
	Order   QuestionOrder
	Threads mail.ThreadSet // only these; nil: all
	Text    string         // in the question, the thread id or the name of an agent, ignoring case
	Offset  int
	Limit   int // 0: all
}

// Questions is a page of the questions of a project.
type Questions struct {
	List     []Question
	Matching int                   // on all pages
	Groups   map[QuestionGroup]int // of those that the text selects
	Total    int
}

// Question is what a list tells of a session.
type Question struct {
	ThreadID string
	Text     string
	Group    QuestionGroup
	Archived bool // nothing is known of its belief here
	Version  int
	Asked    time.Time // zero: not known
	Updated  time.Time
	Members  []fold.Member
	Families int            // of those who take part
	Attacks  int            // that are open
	Pending  int            // changes that no version has yet
	Unjoined bool           // no agent has joined yet
	Waits    []ToDo         // as First has it, without what lint asks
	Belief   science.Glance // zero for an archived one
	Next     artifact.ItemID
	Blocked  bool // tests are open, and each is blocked or tells nothing
}

// unsettled is what a list of questions is sorted by beside what waits. It is worked out from the messages alone when a thread is
// summed up, so that a list of any number of sessions looks into those only that it shows.
type unsettled struct {
	rank  int // of the verdict, the least settled first
	bits  float64
	moved float64
}

func (s *Sessions) unsettledOf(v *fold.View) unsettled {
	g := v.Science.Account(v.Science.People(nil, s.familyOf)).Glance()
	u := unsettled{slices.Index([]science.Verdict{science.Unsaid, science.Undecided, science.Leaning, science.Settled}, g.Verdict), g.Bits,
		0}
	if g.Moved != nil {
		u.moved = g.Moved.Points
	}
	return u
}

// listed is a summary with what waits in its session, as far as a list is sorted by it.
type listed struct {
	*summary
	asks     []ask    // questions that nobody has heard
	first    ToDoKind // of what waits; empty: nothing does
	unjoined bool
}

// Questions lists the questions of a project. It looks into the sessions of one page only.
func (s *Sessions) Questions(ctx context.Context, q QuestionQuery) (Questions, error) {
	all, err := s.summaries(ctx, q.Threads)
	if err != nil {
		return Questions{}, err
	}
	page := Questions{Groups: map[QuestionGroup]int{}, Total: len(all)}
	text := strings.ToLower(strings.TrimSpace(q.Text))
	all = slices.DeleteFunc(all, func(m *summary) bool { return !strings.Contains(m.haystack, text) })
	rows, err := s.listed(ctx, all)
	if err != nil {
		return page, err
	}
	for _, m := range rows {
		page.Groups[m.group()]++
	}
	rows = slices.DeleteFunc(rows, func(m listed) bool { return q.Group != "" && m.group() != q.Group })
	page.Matching = len(rows)
	slices.SortStableFunc(rows, q.Order.compare)
	rows = rows[min(max(0, q.Offset), len(rows)):]
	if q.Limit > 0 {
		rows = rows[:min(q.Limit, len(rows))]
	}
	taken := s.gather()
	for i := range rows {
		one, err := taken.question(ctx, &rows[i])
		if err != nil {
			return page, err
		}
		page.List = append(page.List, one)
	}
	return page, nil
}

// listed adds what waits, as far as the messages and what was acknowledged say it.
func (s *Sessions) listed(ctx context.Context, all []*summary) ([]listed, error) {
	var open []ask
	for _, m := range all {
		if !m.Phase.Over() {
			open = append(open, m.open...)
		}
	}
	heard, err := s.acknowledged(ctx, open)
	if err != nil {
		return nil, err
	}
	rows := make([]listed, len(all))
	for i, m := range all {
		rows[i] = listed{summary: m}
		if m.Phase.Over() {
			continue
		}
		if len(m.open) > 0 {
			rows[i].asks = unheard(m.open, heard)
		}
		rows[i].unjoined = unjoined(m.LatestVersion, m.Phase, m.Members, m.calls)
		switch {
		case slices.ContainsFunc(m.waits, isAnswer):
			rows[i].first = ToDoAnswer
		case len(rows[i].asks) > 0:
			rows[i].first = ToDoReply
		case m.PendingDeltas > 0:
			rows[i].first = ToDoCompile
		}
	}
	return rows, nil
}

func isAnswer(t ToDo) bool { return t.Kind == ToDoAnswer }

// waits is what waits in the session of a row, most urgent first.
func (s *Sessions) waits(m *listed) []ToDo {
	if m.first == "" {
		return nil
	}
	var list []ToDo
	for _, t := range m.waits {
		if isAnswer(t) {
			list = append(list, t)
		}
	}
	for _, a := range m.asks {
		list = append(list, s.replyTo(m.ThreadID, a))
	}
	return append(list, compiles(m.ThreadID, m.PendingDeltas)...)
}

func unjoined(version int, phase fold.Phase, members []fold.Member, calls []fold.Call) bool {
	if version > 0 || phase.Over() || slices.ContainsFunc(members, func(a fold.Member) bool { return a.Deltas > 0 }) {
		return false
	}
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c fold.Call) bool { return !c.Answered.IsZero() })
}

// Unjoined reports whether agents were called and none of them has contributed anything yet: the first thing to do is to start them.
func (s *Session) Unjoined() bool {
	return unjoined(s.View.Latest(), s.View.Phase(), s.View.Members(), s.View.Called())
}

func (m *listed) group() QuestionGroup {
	switch {
	case m.Phase.Over():
		return QuestionsClosed
	case m.first != "" || m.unjoined:
		return QuestionsWaiting
	}
	return QuestionsMoving
}

// asked is when the agents were first called; for a thread that was imported, when its last message came.
func (m *listed) asked() time.Time {
	if len(m.calls) > 0 {
		return m.calls[0].At
	}
	return m.updated
}

// urgency orders what waits: by its kind, and agents that have not joined last.
func (m *listed) urgency() int {
	if m.first == "" {
		return len(toDoOrder)
	}
	return slices.Index(toDoOrder, m.first)
}

// compare puts questions into an order; what is left equal stays in the order of the last message.
func (o QuestionOrder) compare(a, b listed) int {
	group := cmp.Compare(slices.Index(QuestionGroups, a.group()), slices.Index(QuestionGroups, b.group()))
	switch o {
	case ByNewest:
		return b.asked().Compare(a.asked())
	case ByLeastSettled:
		return cmp.Or(cmp.Compare(a.closed(), b.closed()), cmp.Compare(a.unsettled.rank, b.unsettled.rank),
			cmp.Compare(b.unsettled.bits, a.unsettled.bits))
	}
	if group == 0 && a.group() == QuestionsClosed {
		return 0
	}
	return cmp.Or(group, cmp.Compare(a.urgency(), b.urgency()), cmp.Compare(b.unsettled.moved, a.unsettled.moved))
}

// closed is 1 for a session that is over, which comes behind those that are not.
func (m *listed) closed() int {
	if m.Phase.Over() {
		return 1
	}
	return 0
}

// question looks into one session.
func (g *gathering) question(ctx context.Context, m *listed) (Question, error) {
	q := Question{
		ThreadID: m.ThreadID, Text: m.Question, Group: m.group(), Version: m.LatestVersion, Asked: m.asked(), Updated: m.updated,
		Members: m.Members, Attacks: len(m.OpenCritiques), Pending: m.PendingDeltas, Unjoined: m.unjoined, Waits: g.of.waits(m),
		Archived: m.Phase == fold.PhaseArchived,
	}
	if q.Archived {
		return q, nil
	}
	of, err := g.session(ctx, m.ThreadID)
	if err != nil {
		return q, err
	}
	q.Belief, q.Families = of.Account().Glance(), families(of.People(), m.Members)
	if q.Belief.Run < q.Belief.Tests {
		ranking := of.Ranking()
		best := ranking.Best()
		if q.Blocked = best == nil || best.Bits == 0; !q.Blocked {
			q.Next = best.Test
		}
	}
	return q, nil
}

// families counts the families of those who take part, without the ones that nobody knows.
func families(people science.People, members []fold.Member) int {
	known := map[string]bool{}
	for _, m := range members {
		if f := people.Family(m.Agent); f != science.UnknownFamily && m.Rostered {
			known[f] = true
		}
	}
	return len(known)
}
