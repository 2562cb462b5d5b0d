package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"brenner/liveness"
	"brenner/mail"
)

// card is what the overview remembers of one session. Its status is never changed: a session to which
// something happened gets a new card.
type card struct {
	thread    mail.Thread
	status    Status
	haystack  string
	deadlines []time.Time  // of the pending acknowledgements, in their order; zero: never overdue
	asks      []int64      // messages that ask for one
	agents    []AgentState // who takes part, without a verdict
	published int64        // the message of the latest version; 0: there is none

	mu          sync.Mutex // the file of the latest version, as it was last measured
	stamp       string
	persistence Persistence
}

// deck holds the cards of all sessions as of one place in the events.
type deck struct {
	mu    sync.Mutex
	at    News
	cards map[string]*card
	order []*card // most recently active first

	unsaved bool // many cards are not known to the next process

	verdicts map[string]liveness.Verdict // by mail.NameKey
	judged   time.Time                   // when
	judgedAt News                        // as of which event
}

// cards brings the deck up to date: only the threads with events since the last time are looked at.
func (s *Sessions) cards(ctx context.Context) ([]*card, error) {
	d := &s.deck
	d.mu.Lock()
	defer d.mu.Unlock()
	news, err := s.News(ctx, "")
	if err != nil {
		return nil, err
	}
	news.Thread = 0 // of no thread in particular
	if d.cards != nil && news == d.at {
		return d.order, nil
	}
	// An error, such as a visitor who is gone, leaves the deck as it was.
	q, earlier := mail.ThreadQuery{Project: s.project()}, d.cards
	switch {
	case d.cards == nil:
		earlier = s.savedCards(ctx)
	case news.Era == d.at.Era:
		q.IDs, _ = s.touched(d.at.Cursor)
	}
	next, err := s.drawAll(ctx, q, earlier)
	if err != nil {
		return nil, err
	}
	d.at, d.cards, d.order = news, next, ordered(next)
	return d.order, nil
}

// drawAll makes the cards of threads anew, and keeps the other earlier ones unless all were asked for.
func (s *Sessions) drawAll(ctx context.Context, q mail.ThreadQuery, earlier map[string]*card) (map[string]*card, error) {
	threads, err := s.store().Threads(ctx, q)
	if err != nil {
		return nil, err
	}
	cards := map[string]*card{}
	if q.IDs != nil {
		cards = maps.Clone(earlier)
	}
	read, folded := s.look, 0
	if len(threads) > aFew { // more than are worth remembering
		read = func(ctx context.Context, t mail.Thread) (*View, error) { folded++; return s.View(ctx, t.ID) }
	}
	drawn := []*card{}
	for _, t := range threads {
		if !t.Enforced() {
			continue
		}
		c, err := s.draw(ctx, t, earlier[t.ID], read)
		if err != nil {
			return nil, err
		}
		cards[t.ID], drawn = c, append(drawn, c)
	}
	s.deck.unsaved = s.deck.unsaved || folded > aFew
	return cards, s.tally(ctx, drawn)
}

// tally counts the acknowledgements of sessions, with few questions for any number of them.
func (s *Sessions) tally(ctx context.Context, cards []*card) error {
	pending, err := s.Unacknowledged(ctx)
	if err != nil {
		return err
	}
	owed := map[string][]mail.PendingAck{}
	for _, p := range pending {
		owed[p.Message.ThreadID] = append(owed[p.Message.ThreadID], p)
	}
	var asks []int64
	for _, c := range cards {
		asks = append(asks, c.asks...)
	}
	received := map[int64][]mail.Delivery{}
	for some := range slices.Chunk(asks, page) {
		deliveries, err := s.store().Deliveries(ctx, mail.DeliveryQuery{Project: s.project(), Messages: some})
		if err != nil {
			return err
		}
		for _, d := range deliveries {
			received[d.Message] = append(received[d.Message], d)
		}
	}
	for _, c := range cards {
		var own []mail.Delivery
		for _, id := range c.asks {
			own = append(own, received[id]...)
		}
		c.owes(ackStatus(own, owed[c.thread.ID]))
	}
	return nil
}

// owes puts the acknowledgements on a new card.
func (c *card) owes(acks AckStatus) {
	c.status.Acks = acks
	for _, p := range acks.Pending {
		var deadline time.Time
		if p.Deadline != nil && p.SettledBy == nil {
			deadline, _ = time.Parse(time.RFC3339, *p.Deadline) // our own text; zero means none
		}
		c.deadlines = append(c.deadlines, deadline)
	}
}

// touched lists the threads with events after a place, and tells whether there are others outside any
// thread.
func (s *Sessions) touched(after mail.Cursor) (ids []string, loose bool) {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	ids = []string{}
	for id, at := range s.feed.threads {
		switch {
		case at <= after:
		case id == "":
			loose = true
		default:
			ids = append(ids, id)
		}
	}
	return ids, loose
}

func ordered(cards map[string]*card) []*card {
	list := make([]*card, 0, len(cards))
	for _, c := range cards {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *card) int { return cmp.Compare(b.thread.HeadID, a.thread.HeadID) })
	return list
}

// aFew is how many threads are asked one by one; of more everything is asked at once.
const aFew = 8

// reader finds the view of a thread.
type reader func(context.Context, mail.Thread) (*View, error)

// draw makes the card of a thread, without acknowledgements. Where nothing was written since the earlier
// one, the thread is not read.
func (s *Sessions) draw(ctx context.Context, t mail.Thread, earlier *card, read reader) (*card, error) {
	c := &card{thread: t}
	if earlier != nil && earlier.thread.HeadID == t.HeadID && earlier.thread.ChainHash == t.ChainHash {
		c.status, c.haystack, c.asks, c.agents, c.published = earlier.status, earlier.haystack, earlier.asks, earlier.agents, earlier.published
	} else {
		v, err := read(ctx, t)
		if err != nil {
			return nil, err
		}
		c.status, c.asks, c.agents = v.status(), v.AckRequired, s.parts(v)
		c.haystack, c.published = haystack(&c.status), v.publication()
	}
	if earlier != nil && earlier.published == c.published { // its file need not be measured again
		earlier.mu.Lock()
		c.stamp, c.persistence = earlier.stamp, earlier.persistence
		earlier.mu.Unlock()
	}
	return c, nil
}

// looked is how long verdicts about agents stand while nothing happens: time passes, and processes end
// without any event.
const looked = 5 * time.Second

// attendance judges the agents of all sessions, by mail.NameKey.
func (s *Sessions) attendance(ctx context.Context, cards []*card) (map[string]liveness.Verdict, error) {
	d := &s.deck
	d.mu.Lock()
	at, verdicts := d.at, d.verdicts
	age := s.now().Sub(d.judged)
	fresh := verdicts != nil && age >= 0 && age < looked && d.judgedAt == at
	d.mu.Unlock()
	if fresh {
		return verdicts, nil
	}
	var names []string
	for _, c := range cards {
		for _, a := range c.agents {
			names = append(names, a.Name)
		}
	}
	q := s.inquire()
	list, err := q.verdicts(ctx, oncePerAgent(names)...)
	if err != nil {
		return nil, err
	}
	verdicts = make(map[string]liveness.Verdict, len(list))
	for _, v := range list {
		verdicts[mail.NameKey(v.Agent)] = v
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.verdicts, d.judged, d.judgedAt = verdicts, q.now, at
	return verdicts, nil
}
