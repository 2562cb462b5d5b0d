package planner

import (
	"slices"
	"time"

	"brenner/internal/journal"
	"brenner/internal/mail"
)

// Plan decides, for an engine, what appending entries means: ids, times, chain, deliveries,
// summaries, and which entries fail. It holds the facts that the decisions rest on and the rows
// they lead to, and does no I/O: the engine tells it facts (Wants, Know…), plans any number of
// calls, then writes Rows in the same transaction. A plan may outlive its transaction for as long as
// no other process changed the data; after a failed write it must be thrown away.
//
// A Plan belongs to one goroutine.
type Plan struct {
	lastID    int64
	lastTime  time.Time
	lastAgent mail.AgentID
	agents    map[factKey]*mail.Agent // nil: known to be absent
	threads   map[factKey]*mail.Thread
	keys      map[factKey]*mail.Message
	members   map[memberKey]bool // only who is one: others may become members with the next message
	heads     map[mail.ProjectID]*journal.Head
	stories   map[factKey]*journal.Story
	rows      Rows
}

type memberKey struct {
	project mail.ProjectID
	thread  string
	agent   string // by NameKey
}

type factKey struct {
	project mail.ProjectID
	key     string
}

// New begins from the last message id, the time of the last message the store accepted
// itself, and the last agent id.
func New(lastID int64, lastTime time.Time, lastAgent mail.AgentID) *Plan {
	return &Plan{
		lastID: lastID, lastTime: lastTime, lastAgent: lastAgent,
		agents: map[factKey]*mail.Agent{}, threads: map[factKey]*mail.Thread{}, keys: map[factKey]*mail.Message{},
		members: map[memberKey]bool{}, heads: map[mail.ProjectID]*journal.Head{}, stories: map[factKey]*journal.Story{},
	}
}

// Rows is what a plan wants written, in this order.
type Rows struct {
	Agents     []mail.Agent // new ones, with their ids
	Messages   []mail.Message
	Deliveries []mail.DeliveryRow
	Events     []mail.Event // in order, without their Seq
	Acks       []AckRow
	Threads    []*mail.Thread // summaries that changed, each once, as they are now
	Active     []Activity
	Leaves     []mail.LeafRow
}

// Activity is the last time an agent sent.
type Activity struct {
	Agent mail.AgentID
	At    time.Time
}

// AckRow acknowledges a delivery if it is there and not acknowledged. If that changes it, the
// engine adds a delivery event at At.
type AckRow struct {
	Project mail.ProjectID
	Message int64
	AgentID mail.AgentID
	At      time.Time
}

// Wants lists the facts that a call needs and the plan does not have.
type Wants struct {
	Agents  []string // by NameKey
	Threads []string
	Keys    []string
	Stories []string // threads
	Journal bool     // where the project's journal ends
}

// Empty tells whether nothing is wanted.
func (w *Wants) Empty() bool {
	return len(w.Agents)+len(w.Threads)+len(w.Keys)+len(w.Stories) == 0 && !w.Journal
}

// Add takes in what another call wants.
func (w *Wants) Add(other Wants) {
	w.Agents = append(w.Agents, other.Agents...)
	w.Threads = append(w.Threads, other.Threads...)
	w.Keys = append(w.Keys, other.Keys...)
	w.Stories = append(w.Stories, other.Stories...)
	w.Journal = w.Journal || other.Journal
}

// Compact names each fact once.
func (w *Wants) Compact() {
	for _, list := range []*[]string{&w.Agents, &w.Threads, &w.Keys, &w.Stories} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// Facts is how many facts the plan holds, so that an engine can bound its memory.
func (p *Plan) Facts() int {
	return len(p.agents) + len(p.threads) + len(p.keys) + len(p.members) + len(p.stories)
}

// LastID is the id of the last message planned.
func (p *Plan) LastID() int64 { return p.lastID }

// NextTime is the time of the next message that is sent at a given time.
func (p *Plan) NextTime(at time.Time) time.Time {
	at = mail.Truncate(at)
	if earliest := p.lastTime.Add(time.Microsecond); at.Before(earliest) {
		return earliest
	}
	return at
}

// Take returns the rows planned since the last Take. Keys are forgotten with it: the messages
// that used them are there to be asked.
func (p *Plan) Take() Rows {
	rows := p.rows
	rows.Threads = lastOf(rows.Threads, func(t *mail.Thread) *mail.Thread { return t })
	rows.Active = lastOf(rows.Active, func(a Activity) mail.AgentID { return a.Agent })
	p.rows = Rows{ // the next batch is likely to be as large, unless it was an import
		Messages:   make([]mail.Message, 0, min(len(rows.Messages), maxRowsAhead)),
		Deliveries: make([]mail.DeliveryRow, 0, min(len(rows.Deliveries), maxRowsAhead)),
		Events:     make([]mail.Event, 0, min(len(rows.Events), maxRowsAhead)),
	}
	clear(p.keys)
	return rows
}

const maxRowsAhead = 256

// lastOf keeps the last element of each key, in the order of their first.
func lastOf[T any, K comparable](list []T, key func(T) K) []T {
	if len(list) < 2 {
		return list
	}
	place := make(map[K]int, len(list))
	kept := list[:0]
	for _, v := range list {
		if i, ok := place[key(v)]; ok {
			kept[i] = v
			continue
		}
		place[key(v)] = len(kept)
		kept = append(kept, v)
	}
	return kept
}

// KnowAgent tells the plan an agent; nil says that there is none of that name.
func (p *Plan) KnowAgent(project mail.ProjectID, nameKey string, a *mail.Agent) {
	p.agents[factKey{project, nameKey}] = a
}

// KnowThread tells the plan the summary of a thread, nil if it has no messages yet.
func (p *Plan) KnowThread(project mail.ProjectID, id string, t *mail.Thread) {
	p.threads[factKey{project, id}] = t
}

// KnowKey tells the plan the message that used an idempotency key, nil if none did.
func (p *Plan) KnowKey(project mail.ProjectID, key string, m *mail.Message) {
	p.keys[factKey{project, key}] = m
}

// Wants returns the facts to tell before the call is planned.
func (p *Plan) Wants(project mail.ProjectID, entries []Prepared) Wants {
	var w Wants
	for i := range entries {
		e := &entries[i]
		for _, name := range e.names {
			w.Agents = want(w.Agents, p.agents, project, name)
		}
		if e.Message.ThreadID != "" {
			w.Threads = want(w.Threads, p.threads, project, e.Message.ThreadID)
		}
		if e.Key != "" {
			w.Keys = want(w.Keys, p.keys, project, e.Key)
		}
		p.wantJournal(&w, project, e)
	}
	return w
}

func want[T any](list []string, known map[factKey]*T, project mail.ProjectID, key string) []string {
	if _, ok := known[factKey{project, key}]; ok || slices.Contains(list, key) {
		return list
	}
	return append(list, key)
}

// Prepared is an entry with what can be worked out before its transaction.
type Prepared struct {
	mail.Entry
	line       mail.ChainLine // of what is sent; that of an import is made when its turn comes
	deliveries []mail.Delivery
	candidate  journal.Kind // of its leaf
	names      []string     // NameKey of the sender, then of each delivery, then of each ack
}

// Prepare works out what does not depend on the store. Senders do it on their own goroutine.
func Prepare(entries []mail.Entry) []Prepared {
	prepared := make([]Prepared, len(entries))
	for i, e := range entries {
		deliveries, keys := mail.Addressed(&e.Message)
		names := make([]string, 0, 1+len(keys)+len(e.Acks))
		names = append(append(names, mail.NameKey(e.Message.From)), keys...)
		for _, a := range e.Acks {
			names = append(names, mail.NameKey(a.Agent))
		}
		candidate := journal.Candidate(&e.Message, e.Type, e.Text)
		e.Text = nil // nobody reads it again, and a queue keeps entries
		prepared[i] = Prepared{Entry: e, deliveries: deliveries, names: names, candidate: candidate}
		if !e.Imported { // an import has the text of a whole file in hand already: its lines are made one at a time
			prepared[i].line = mail.NewChainLine(&e.Message, e.ReplyOrigin)
		}
	}
	return prepared
}

// timeOf is the time an entry gets.
func (p *Plan) timeOf(e *Prepared, at time.Time) time.Time {
	if e.Imported {
		return mail.Truncate(e.Message.CreatedAt)
	}
	return p.NextTime(at)
}
