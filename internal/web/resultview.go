package web

import (
	"cmp"

	"brenner/internal/figure"
	"brenner/internal/study"
)

// resultView is a result or attempt of a test with everything that is its own.
type resultView struct {
	Said      string
	Fate      string // what became of it, in words
	Gone      bool   // it was replaced or withdrawn
	By        figure.Agent
	MessageID int64
	Href      string // to its message
	Day       string
	Evidence  []string
	Note      string
}

// maxResults is how many results of a test a page lists, the latest ones.
const maxResults = 50

func (b *binder) found(results []study.Result) (views []resultView, more int) {
	more = max(0, len(results)-maxResults)
	for _, r := range results[more:] {
		v := resultView{
			Said: short(400, cmp.Or(r.Said, "no outcome")), Fate: short(600, r.Fate()), Gone: r.Said != "" && !r.Stands(),
			By: r.Recorder, MessageID: r.MessageID, Href: messageURL(b.thread, r.MessageID), Day: r.Day, Evidence: r.Evidence,
		}
		if r.Note != nil {
			v.Note = short(600, *r.Note)
		}
		views = append(views, v)
	}
	return views, more
}
