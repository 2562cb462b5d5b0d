package session

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/mail"
)

// Reliance is something that rests on a source of the evidence pack (SCIENCE 1, where a source stands).
type Reliance struct {
	ThreadID  string       `json:"thread_id"`
	Item      *string      `json:"item"` // null: the words of a message
	MessageID *int64       `json:"message_id"`
	How       RelianceKind `json:"how"`
}

// RelianceKind says what rests on a source.
type RelianceKind string

// The kinds.
const (
	ByItem    RelianceKind = "item"    // an active item cites it
	ByQuote   RelianceKind = "quote"   // an active item quotes it
	ByResult  RelianceKind = "result"  // a result was recorded with it
	ByMessage RelianceKind = "message" // a message cites it
)

// RestsOn lists everything that rests on a source: items, quotes and results of all sessions, and other messages that cite it. Only the
// threads of a set are told of; nil: all.
func (s *Sessions) RestsOn(ctx context.Context, id string, only mail.ThreadSet) ([]Reliance, error) {
	list := []Reliance{}
	citing := map[string][]int64{} // messages by thread
	var threads []string
	err := s.each(ctx, mail.MessageQuery{}, func(m mail.Message) {
		if !only.Has(m.ThreadID) || !strings.Contains(m.Body, id) || !cites(said(m.Subject, m.Body), id) {
			return
		}
		if citing[m.ThreadID] == nil {
			threads = append(threads, m.ThreadID)
		}
		citing[m.ThreadID] = append(citing[m.ThreadID], m.ID)
	})
	if err != nil {
		return list, err
	}
	for _, thread := range threads {
		found, err := s.reliances(ctx, thread, id)
		if err != nil {
			return list, err
		}
		for _, message := range citing[thread] {
			told := slices.ContainsFunc(found, func(r Reliance) bool { return r.MessageID != nil && *r.MessageID == message })
			if !told {
				found = append(found, Reliance{ThreadID: thread, MessageID: &message, How: ByMessage})
			}
		}
		list = append(list, found...)
	}
	return list, nil
}

// reliances lists the results of a thread that were recorded with a source, and its items that cite it.
func (s *Sessions) reliances(ctx context.Context, thread, id string) ([]Reliance, error) {
	of, err := s.Session(ctx, thread)
	if err != nil {
		return nil, err
	}
	var found []Reliance
	add := func(r Reliance) {
		r.ThreadID = thread
		same := func(o Reliance) bool {
			return *o.Item == *r.Item && (o.MessageID == nil) == (r.MessageID == nil) &&
				(o.MessageID == nil || *o.MessageID == *r.MessageID)
		}
		if !slices.ContainsFunc(found, same) {
			found = append(found, r)
		}
	}
	for _, result := range of.Results() {
		if slices.Contains(result.Sources(), id) {
			test, message := string(result.Test), result.MessageID
			add(Reliance{Item: &test, MessageID: &message, How: ByResult})
		}
	}
	for _, section := range artifact.Sections() {
		for _, it := range of.View.Fold.Artifact().Active(section) {
			it.EachText(func(path, text string) {
				if cites(text, id) {
					item := string(it.ID)
					add(Reliance{Item: &item, MessageID: writtenBy(it, path), How: howCited(text, id)})
				}
			})
		}
	}
	return found, nil
}

// howCited tells whether a text quotes a source, or only cites it.
func howCited(text, id string) RelianceKind {
	for _, q := range evidence.Read(text).Quotes {
		if slices.ContainsFunc(q.Citations, func(c artifact.Citation) bool { return c.Evidence == id }) {
			return ByQuote
		}
	}
	return ByItem
}

// CitedSources returns the ids of the sources that the messages of a thread cite, by number. NOT_FOUND: there is no such thread.
func (s *Sessions) CitedSources(ctx context.Context, threadID string) ([]string, error) {
	if _, err := s.Session(ctx, threadID); err != nil {
		return nil, err
	}
	ids := []string{}
	err := s.each(ctx, mail.MessageQuery{Thread: threadID}, func(m mail.Message) {
		for _, c := range artifact.Citations(said(m.Subject, m.Body)) {
			if c.Evidence != "" && !slices.Contains(ids, c.Evidence) {
				ids = append(ids, c.Evidence)
			}
		}
	})
	slices.SortFunc(ids, evidence.CompareIDs)
	return ids, err
}
