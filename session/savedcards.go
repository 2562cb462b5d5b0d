package session

import (
	"context"
	"encoding/json"
	"maps"

	"brenner/mail"
)

// overviewCards keeps the cards of all sessions for the next process that shows them: folding what each
// thread has saved takes far longer than reading this. Another number: a card says something else.
const overviewCards mail.ProjectionKind = "session.overview.2"

// savedCard is a card as it is kept. It is good as long as the thread ends where it ended.
type savedCard struct {
	Thread      mail.Thread
	Status      Status // without acknowledgements
	Asks        []int64
	Agents      []AgentState
	Published   int64
	Stamp       string
	Persistence Persistence
}

// savedCards reads the cards of an earlier process. What is missing is made again.
func (s *Sessions) savedCards(ctx context.Context) map[string]*card {
	cards := map[string]*card{}
	p, err := s.mail.Kept(ctx, overviewCards, "all")
	if err != nil {
		return cards
	}
	var list []savedCard
	if json.Unmarshal(p.Data, &list) != nil {
		return cards
	}
	for i := range list {
		k := &list[i]
		cards[k.Thread.ID] = &card{
			thread: k.Thread, status: k.Status, haystack: haystack(&k.Status), asks: k.Asks, agents: k.Agents,
			published: k.Published, stamp: k.Stamp, persistence: k.Persistence,
		}
	}
	return cards
}

// saveCards keeps the cards if many of them had to be folded. It only saves work, so that failing to is
// no failure.
func (s *Sessions) saveCards(ctx context.Context) {
	s.deck.mu.Lock()
	cards, unsaved := s.deck.cards, s.deck.unsaved
	s.deck.unsaved = false
	s.deck.mu.Unlock()
	if !unsaved {
		return
	}
	list, head := make([]savedCard, 0, len(cards)), int64(0)
	for c := range maps.Values(cards) {
		k := savedCard{Thread: c.thread, Status: c.status, Asks: c.asks, Agents: c.agents, Published: c.published}
		k.Status.Acks = AckStatus{}
		c.mu.Lock()
		k.Stamp, k.Persistence = c.stamp, c.persistence
		c.mu.Unlock()
		list, head = append(list, k), max(head, c.thread.HeadID)
	}
	if data, err := json.Marshal(list); err == nil {
		_ = s.mail.Keep(ctx, mail.Projection{Kind: overviewCards, Key: "all", Through: head, Data: data})
	}
}
