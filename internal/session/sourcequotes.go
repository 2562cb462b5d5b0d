package session

import (
	"context"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
)

// SourceQuote is a quotation from a source, in an item of a session.
type SourceQuote struct {
	ThreadID  string
	Item      artifact.ItemID
	Path      string
	MessageID int64  // that wrote it; 0: not known
	By        string // who did
	Stands    bool   // the item was not given up
	Text      string
	Verdict   evidence.Verdict
	Start     int // of what was found, in bytes of the source's text
	End       int
	Page      int    // 0: the text has none
	Fix       string // what is wrong with one that was not found
}

// QuotesFrom lists what the items of some threads quote from a source, those that were given up as well.
func (s *Sessions) QuotesFrom(ctx context.Context, source *evidence.Source, threads []string) ([]SourceQuote, error) {
	var list []SourceQuote
	var quotes []evidence.Quote
	for _, thread := range threads {
		of, err := s.Session(ctx, thread)
		if err != nil {
			return nil, err
		}
		for _, section := range artifact.Sections() {
			for _, it := range of.View.Fold.Artifact().Items(section) {
				it.EachText(func(path, text string) {
					for _, q := range evidence.Read(text).Quotes {
						if !slices.ContainsFunc(q.Citations, func(c artifact.Citation) bool { return c.Evidence == source.ID }) {
							continue
						}
						one := SourceQuote{ThreadID: thread, Item: it.ID, Path: path, Stands: it.Killed == nil, Text: q.Text}
						if from := sourceOf(it, path); from != nil {
							one.MessageID, one.By = from.MessageID, from.Agent
						}
						list, quotes = append(list, one), append(quotes, q)
					}
				})
			}
		}
	}
	return list, s.locate(source, list, quotes)
}

// locate looks up where quotations stand in a source.
func (s *Sessions) locate(source *evidence.Source, list []SourceQuote, quotes []evidence.Quote) error {
	library, err := s.Library()
	content := source.Open()
	if err != nil || library == nil || content.Text == nil || len(quotes) == 0 {
		return err
	}
	queries := make([]evidence.Query, len(quotes))
	for i := range quotes {
		queries[i] = evidence.Query{Pattern: quotes[i].Pattern}
	}
	places := content.Text.Find(queries)
	for i, checked := range library.CheckQuotes(quotes) {
		list[i].Verdict, list[i].Fix = checked.Verdict, checked.Fix
		if places[i].Found {
			list[i].Verdict = evidence.Found
			list[i].Start, list[i].End = places[i].Span()
			list[i].Page = places[i].FromPage
		}
	}
	return nil
}
