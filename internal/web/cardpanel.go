package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/session"
)

// What a panel shows of what may be endless.
const (
	maxParts    = 6
	maxPassages = 6
	around      = 160 // bytes of text on either side of a passage
)

// itemPanel adds to an item its texts, what was found, what is believed of it and what attacks it.
func (w *Web) itemPanel(of *session.Session, rd *reader, p *cardPage) error {
	id := artifact.ItemID(p.Ref)
	it := of.View.Fold.Artifact().Item(id)
	p.Href = rd.places.Item(id)
	for _, f := range it.Section.Fields() {
		text := it.Text(f.Name)
		if f.Kind != artifact.KindText || text == "" || f.Name == artifact.Name || text == it.Lead() || len(p.Parts) == maxParts {
			continue
		}
		p.Parts = append(p.Parts, cardPart{f.Label, rd.text(short(600, text))})
	}
	if !of.Thread.Enforced() {
		return nil
	}
	for _, s := range sharesIn(of) {
		if s.ID == p.Ref {
			p.Percent = s.Percent
		}
	}
	for i := range of.View.Critiques {
		c := &of.View.Critiques[i]
		if slices.Contains(c.Targets, p.Ref) && len(p.Attacks) < maxEarlier {
			state := "answered"
			if of.View.Open(c) {
				state = "open"
			}
			p.Attacks = append(p.Attacks, earlierAttack{fmt.Sprintf("#%d", c.MessageID), messageURL(of.ID(), c.MessageID), state})
		}
	}
	if it.Section != artifact.DiscriminativeTests {
		return nil
	}
	s, err := w.studied(of)
	if err != nil {
		return err
	}
	for _, row := range s.Ledger() {
		if string(row.Test) == p.Ref {
			p.Results = append(p.Results, cardMaker{of.ID(), w.sourceNamed}.of(row))
		}
	}
	if w.options.Lab && it.Active() && !of.View.Phase().Over() {
		p.Do = append(p.Do, cardAct{"Record a result", actURL(of.ID(), actResult, p.Ref)})
	}
	return nil
}

// messagePanel adds to a message the results that it gave.
func (w *Web) messagePanel(of *session.Session, p *cardPage) error {
	id, err := idOf(p.Ref[1:])
	if err != nil || !of.Thread.Enforced() {
		return err
	}
	p.Href = messageURL(of.ID(), id)
	s, err := w.studied(of)
	if err != nil {
		return err
	}
	for _, row := range s.OfMessage(id) {
		p.Results = append(p.Results, cardMaker{of.ID(), w.sourceNamed}.of(row))
	}
	c, err := of.Critique(id)
	if err != nil || !w.options.Lab || of.View.Phase().Over() || !of.View.Open(c) {
		return nil //nolint:nilerr // it is no attack
	}
	p.Do = append(p.Do, cardAct{"Answer it", actURL(of.ID(), actAnswer, p.Ref[1:])})
	return nil
}

// sourcePanel adds to a source the passages that this thread quotes, with the words around them.
func (w *Web) sourcePanel(r *http.Request, of *session.Session, p *cardPage) error {
	id, excerpt, _ := strings.Cut(p.Ref, "#")
	s, err := w.deps.Sessions.Source(id)
	if err != nil {
		return err
	}
	p.Href = sourceURL(p.Ref)
	if standing := s.Standing(); standing != evidence.Current {
		p.State = strings.TrimSpace(string(standing) + ". " + p.State)
	}
	quotes, err := w.deps.Sessions.QuotesFrom(r.Context(), s, []string{of.ID()})
	if err != nil {
		return err
	}
	raw := s.Open().Raw
	for _, q := range quotes {
		if q.Verdict != evidence.Found || q.End <= q.Start || q.End > len(raw) || len(p.Passages) == maxPassages {
			continue
		}
		m := passageAt(raw, q.Start, q.End)
		m.Page, m.By = q.Page, refLink{Name: string(q.Item), Href: latestItemURL(q.ThreadID, string(q.Item))}
		p.Passages = append(p.Passages, m)
	}
	if e, ok := s.Excerpt(excerpt); ok {
		if at := strings.Index(raw, e.Text); at >= 0 && e.Text != "" {
			p.Text, p.Passages = "", append([]markedPassage{passageAt(raw, at, at+len(e.Text))}, p.Passages...)
		}
	}
	if w.options.Lab {
		p.Do = append(p.Do, cardAct{"Say where it stands", sourceURL(id) + "/mark"})
	}
	return nil
}

// passageAt cuts a passage out of a text, with whole characters around it.
func passageAt(raw string, start, end int) markedPassage {
	from, to := max(0, start-around), min(len(raw), end+around)
	for from > 0 && !utf8.RuneStart(raw[from]) {
		from--
	}
	for to < len(raw) && !utf8.RuneStart(raw[to]) {
		to++
	}
	m := markedPassage{Before: raw[from:start], Quote: short(maxEvidence, raw[start:end]), After: raw[end:to]}
	if from > 0 {
		m.Before = "… " + m.Before
	}
	if to < len(raw) {
		m.After += " …"
	}
	return m
}
