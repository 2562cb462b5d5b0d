package session

import (
	"context"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// TimelineQuery asks for a page of a thread. Of At, Before and After at most one is set; with none
// of them the page holds the newest messages.
type TimelineQuery struct {
	At     int64                // the page around this message
	Before int64                // the messages before this one
	After  int64                // the messages after this one
	Type   protocol.MessageType // empty: all
	Show   Show                 // what is looked for; empty: everything
	Limit  int                  // messages on a page
}

// Show is what a reader looks for on a thread.
type Show string

// What can be looked for.
const (
	ShowResults   Show = "results"
	ShowChanges   Show = "changes"
	ShowAttacks   Show = "attacks"
	ShowBeliefs   Show = "beliefs"
	ShowQuestions Show = "questions"
)

// Shows lists what can be looked for.
func Shows() []Show { return []Show{ShowResults, ShowChanges, ShowAttacks, ShowBeliefs, ShowQuestions} }

// maxShown is how many messages are looked through for results or beliefs: the latest ones.
const maxShown = 2000

// Timeline is a page of a thread, newest first.
type Timeline struct {
	Entries []Entry
	Older   bool // there are messages before the last entry
	Newer   bool // and after the first
}

// Entry is a message with what became of it.
type Entry struct {
	mail.Message
	// Receipt is the merge's own for a DELTA, else what its text alone says; nil: no blocks.
	Receipt    *delta.Receipt
	Results    []artifact.ItemID  // the tests that it gave a result
	Changes    []fold.Change      // what it did to the artifact
	Findings   []protocol.Finding // of the message, without those of its blocks
	Deliveries []mail.Delivery
}

// Timeline returns a page of the thread. Its cost is that of the page, however long the thread is:
// only the messages shown are judged, by receipts that the fold has kept.
func (s *Session) Timeline(ctx context.Context, q TimelineQuery) (Timeline, error) {
	t, err := s.turn(ctx, q)
	if err != nil {
		return t, err
	}
	return t, s.of.judge(ctx, s.View, t.Entries)
}

// Entry returns a message with what became of it in the fold of its thread; nil: it has none, or that cannot be folded.
func (s *Sessions) Entry(ctx context.Context, v *fold.View, m mail.Message) (Entry, error) {
	list := []Entry{{Message: m}}
	err := s.judge(ctx, v, list)
	return list[0], err
}

// turn finds the messages of a page.
func (s *Session) turn(ctx context.Context, q TimelineQuery) (Timeline, error) {
	var t Timeline
	var err error
	switch {
	case q.At > 0:
		before := max(q.Limit/2, 1)
		var newer, older []Entry
		if newer, t.Newer, err = s.newer(ctx, q, q.At, q.Limit-before); err != nil {
			return t, err
		}
		older, t.Older, err = s.older(ctx, q, q.At+1, q.Limit-len(newer))
		t.Entries = slices.Concat(newer, older)
	case q.After > 0:
		t.Older = true
		t.Entries, t.Newer, err = s.newer(ctx, q, q.After, q.Limit)
	default:
		t.Newer = q.Before > 0
		t.Entries, t.Older, err = s.older(ctx, q, q.Before, q.Limit)
	}
	return t, err
}

// older returns up to n entries before an id, newest first, and whether there are more.
func (s *Session) older(ctx context.Context, q TimelineQuery, before int64, n int) ([]Entry, bool, error) {
	m := s.page(q, n)
	m.Before, m.Order = before, mail.NewestFirst
	return s.of.entries(ctx, m, n)
}

// newer returns up to n entries after an id, newest first, and whether there are more.
func (s *Session) newer(ctx context.Context, q TimelineQuery, after int64, n int) ([]Entry, bool, error) {
	m := s.page(q, n)
	m.After = after
	list, more, err := s.of.entries(ctx, m, n)
	slices.Reverse(list)
	return list, more, err
}

func (s *Session) page(q TimelineQuery, n int) mail.MessageQuery {
	m := mail.MessageQuery{Thread: s.ID(), Limit: n + 1}
	if q.Type != "" {
		m.Types = []protocol.MessageType{q.Type}
	}
	switch q.Show {
	case ShowChanges:
		m.Types = []protocol.MessageType{protocol.TypeDelta}
	case ShowAttacks:
		m.Types = []protocol.MessageType{protocol.TypeCritique}
	case ShowQuestions:
		m.Types = []protocol.MessageType{protocol.TypeQuestion, protocol.TypeBlocked}
	case ShowResults:
		m.IDs = []int64{0} // no message has it: where there is no result, none is shown
		for _, g := range s.View.Science.Results.Given.All() {
			m.IDs = append(m.IDs, g.MessageID)
		}
	case ShowBeliefs:
		m.IDs = []int64{0}
		for _, c := range s.View.Science.Beliefs.Said.All() {
			m.IDs = append(m.IDs, c.MessageID)
		}
	}
	m.IDs = m.IDs[max(0, len(m.IDs)-maxShown):]
	return m
}

func (s *Sessions) entries(ctx context.Context, q mail.MessageQuery, n int) ([]Entry, bool, error) {
	q.Project = s.project()
	found, err := s.store().Messages(ctx, q)
	more := len(found) > n
	list := make([]Entry, 0, n)
	for _, m := range found[:min(n, len(found))] {
		list = append(list, Entry{Message: m})
	}
	return list, more, err
}

// judge adds receipts, findings and deliveries to messages of one thread. v is the thread's view;
// nil: none of the messages is merged.
func (s *Sessions) judge(ctx context.Context, v *fold.View, list []Entry) error {
	if len(list) == 0 {
		return nil
	}
	merged, err := s.mergeRecords(ctx, v, list)
	if err != nil {
		return err
	}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	deliveries, err := s.store().Deliveries(ctx, mail.DeliveryQuery{Project: s.project(), Messages: ids})
	if err != nil {
		return err
	}
	of := map[int64][]mail.Delivery{}
	for _, d := range deliveries {
		of[d.Message] = append(of[d.Message], d)
	}
	for i := range list {
		list[i].Deliveries = of[list[i].ID]
		list[i].settle(merged[list[i].ID])
		if v != nil {
			list[i].Results = v.Science.Results.GivenBy(list[i].ID)
		}
	}
	return nil
}

// settle adds what there is to say about a message. Of a DELTA the fold has kept that; the text of any
// other is judged as it was taken in.
func (e *Entry) settle(record fold.Record) {
	facts := message.Facts{Intake: e.Intake, Existing: true}
	e.Receipt, e.Changes = record.Receipt, record.Changes
	if record.Judged {
		said := slices.Concat(message.Envelope(e.Draft(), e.Type, facts), record.Text, record.Notes)
		e.Findings = unlisted([]*delta.Receipt{record.Receipt}, said)
		return
	}
	report := message.Check(e.Draft(), facts)
	if e.Receipt == nil {
		e.Receipt = report.Receipt
	}
	e.Findings = unlisted([]*delta.Receipt{report.Receipt, record.Receipt}, slices.Concat(report.Findings, record.Notes))
}

// findingKey is what makes two findings the same to a reader, however grave each intake takes them.
type findingKey struct {
	code         protocol.Code
	message      string
	line, column int
}

// bodyRules are the rules of the body that say again, under their own code, what a block's finding says.
var bodyRules = map[protocol.Code]protocol.Code{protocol.InvalidJSON: protocol.MB005, protocol.InvalidOperation: protocol.MB102}

// unlisted leaves out findings that are listed with a block already, and repeated ones; the
// graver one stays.
func unlisted(receipts []*delta.Receipt, findings []protocol.Finding) []protocol.Finding {
	said, places := map[findingKey]int{}, map[findingKey]bool{}
	for _, receipt := range receipts {
		if receipt != nil {
			for _, f := range receipt.Findings() {
				said[findingKey{f.Code, f.Message, f.Line, f.Column}] = -1
				if rule, ok := bodyRules[f.Code]; ok {
					places[findingKey{code: rule, line: f.Line, column: f.Column}] = true
				}
			}
		}
	}
	list := []protocol.Finding{}
	for _, f := range findings {
		if places[findingKey{code: f.Code, line: f.Line, column: f.Column}] {
			continue
		}
		key := findingKey{f.Code, f.Message, f.Line, f.Column}
		at, known := said[key]
		switch {
		case !known:
			said[key] = len(list)
			list = append(list, f)
		case at >= 0 && f.Severity == protocol.SeverityError:
			list[at] = f
		}
	}
	return list
}
