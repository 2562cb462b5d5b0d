package web

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/study"
)

// resultAct records what a test gave.
type resultAct struct {
	Test, Name string
	Href       string
	Procedure  bodyText
	Control    string
	Unit       string
	Numeric    bool
	Labels     []labelView // what explanations expect of a test in words
	Picture    template.HTML
	Sources    []sourceName
	Earlier    []earlierResult
	Trial      trialView
}

// labelView is an outcome with who expects it.
type labelView struct {
	Text string
	By   []string
}

// earlierResult is a result that may be repeated.
type earlierResult struct {
	ID   int64
	Said string
}

// trialView is what a value that nobody has recorded would do.
type trialView struct {
	Given   string // empty: none is given
	Fault   string // why it cannot be read
	Now     shareBar
	Then    shareBar
	Says    []moveWords
	Bits    string
	Checked []checkedNumber // looked up in the source
}

// moveWords is how a share would move.
type moveWords struct{ ID, From, To string }

// checkedNumber is a number, and whether it stands in a source.
type checkedNumber struct {
	Source string
	Found  bool
}

// maxOffered is how many sources and earlier results a form offers.
const maxOffered = 100

func (b *actBuilder) result() error {
	it, err := b.of.ActiveTest(b.name)
	if err != nil {
		return err
	}
	s, err := b.web.studied(b.of)
	if err != nil {
		return err
	}
	known, err := checksOf(b.of)
	if err != nil {
		return err
	}
	src := sourceOfStudy(b.of, known, b.reader)
	a := &resultAct{Test: string(it.ID), Name: short(140, it.Title()), Href: b.reader.places.Item(it.ID),
		Procedure: bodyOf(it.Text(artifact.Procedure), inDrawer, b.reader.links), Control: short(200, it.Text(artifact.PotencyCheck))}
	given := strings.TrimSpace(b.request.URL.Query().Get("found"))
	a.Trial = b.trial(it.ID, given)
	if m, ok := study.Trial(s, src, it.ID, given); ok {
		a.Numeric, a.Unit = true, m.Unit
		if len(m.Picture.Bars) > 0 {
			a.Picture = picture(m.Picture.Draw())
		}
	} else {
		a.labels(s)
	}
	a.Trial.Checked = b.lookedUp(given, b.request.URL.Query()["source"])
	b.offer(a)
	p := &b.page
	p.Title, p.Ref, p.Result = "Record a result", refLink{Name: a.Test, Href: a.Href}, a
	return nil
}

// labels groups the explanations by what they expect.
func (a *resultAct) labels(s *study.Study) {
	for _, row := range s.Matrix.Tests {
		if row.ID != a.Test {
			continue
		}
		for i, c := range s.Matrix.Columns {
			text := row.Cells[i].Text
			if c.Killed || !science.Expects(text) {
				continue
			}
			k := slices.IndexFunc(a.Labels, func(l labelView) bool { return l.Text == short(200, text) })
			if k < 0 {
				k = len(a.Labels)
				a.Labels = append(a.Labels, labelView{Text: short(200, text)})
			}
			a.Labels[k].By = append(a.Labels[k].By, c.ID)
		}
	}
}

// trial says what a value or an outcome would do to belief.
func (b *actBuilder) trial(test artifact.ItemID, given string) trialView {
	g := b.of.Account().Glance()
	t := trialView{Given: given, Now: barOf(inRow, sharesOf(g.Worlds))}
	if given == "" {
		return t
	}
	out, err := b.of.WhatIf([]science.Supposition{{Test: test, Outcome: given}})
	if err != nil {
		if t.Fault = "It cannot be told beforehand: " + err.Error() + "."; protocol.CodeOf(err) == protocol.Conflict {
			t.Fault = "A test that has a result already is weighed anew with all its results, so that this cannot be told beforehand."
		}
		return t
	}
	then := slices.Clone(g.Worlds)
	for i := range then {
		then[i].P = out.Posterior[then[i].World.ID()]
	}
	t.Then, t.Bits = barOf(inRow, sharesOf(then)), fmt.Sprintf("%.2f", out.BitsGained)
	before, after := shareLines(g.Worlds), shareLines(then)
	for i := range before {
		if before[i].Percent != after[i].Percent {
			t.Says = append(t.Says, moveWords{before[i].ID, before[i].Percent, after[i].Percent})
		}
	}
	slices.SortStableFunc(t.Says, func(x, y moveWords) int { return moved(y) - moved(x) })
	t.Says, _ = cutRows(t.Says, 3)
	return t
}

// moved is by how many points a share moves.
func moved(m moveWords) int {
	var from, to int
	_, _ = fmt.Sscan(m.From, &from) // under 1 there is no number
	_, _ = fmt.Sscan(m.To, &to)
	return max(from-to, to-from)
}

// lookedUp looks the numbers of a value up in the sources that it is said to come from.
func (b *actBuilder) lookedUp(given string, sources []string) []checkedNumber {
	library, err := b.of.Library()
	if err != nil || library == nil || given == "" {
		return nil
	}
	var list []checkedNumber
	for _, id := range sources {
		source, err := b.web.deps.Sessions.Source(strings.TrimSpace(id))
		if err != nil {
			continue
		}
		ruling := library.Check(evidence.Read(given + " (" + source.ID + ")"))
		if len(ruling.Figures) == 0 {
			continue
		}
		found := !slices.ContainsFunc(ruling.Figures, func(f evidence.CheckedFigure) bool { return f.Verdict != evidence.Found })
		list = append(list, checkedNumber{source.ID, found})
	}
	return list
}

// offer lists the sources that a result may rest on, and the results that it may repeat.
func (b *actBuilder) offer(a *resultAct) {
	if pack, err := b.web.deps.Sessions.Pack(); err == nil {
		for _, s := range pack.Sources {
			if len(a.Sources) < maxOffered {
				a.Sources = append(a.Sources, sourceName{ID: s.ID, Title: short(80, s.Title)})
			}
		}
	}
	for _, r := range b.of.Results() {
		stands := r.Standing == science.Main || r.Standing == science.Replication
		if string(r.Test) == a.Test && stands && len(a.Earlier) < maxOffered {
			a.Earlier = append(a.Earlier, earlierResult{r.MessageID, short(80, r.Said())})
		}
	}
}
