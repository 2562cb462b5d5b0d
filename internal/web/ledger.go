package web

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/figure"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/study"
)

// resultCard is one result as every page shows it: what was found, by whom, from where, who had expected it, and what it did to belief.
type resultCard struct {
	Test, Name string
	TestHref   string
	Value      string // a number with its error; empty: it was found in words
	Unit       string
	Words      string
	Control    control
	Sources    []sourceName
	By         figure.Agent
	MessageID  int64
	Href       string
	Day        string // on which it was recorded
	Measured   string // when it was measured, as far as it was said
	Note       string
	Expected   []string
	Unexpected []string
	Late       []string
	Silent     bool // nobody had said what they expected
	Chips      []chip
	Unforeseen bool
	Counted    bool
	NotCounted string // why it does not count
	Gone       string // what became of it: replaced, withdrawn
	Under      bool
	Struck     bool
	Attempt    bool // it gave nothing
	Before     template.HTML
	After      template.HTML
	Moved      *movedView
	Moves      []string
}

// control says whether the control of a test worked.
type control struct{ Tone, Words string }

// sourceName is a source with the name that people know it by.
type sourceName struct{ ID, Title, Href, Status string }

// chip is a short remark with its mark.
type chip struct{ Tone, Mark, Text string }

// cardMaker makes cards of results.
type cardMaker struct {
	thread string
	source func(id string) (title, status string)
}

// sourceNamed looks a source up in the pack.
func (w *Web) sourceNamed(id string) (title, status string) {
	s, err := w.deps.Sessions.Source(id)
	if err != nil {
		return "", ""
	}
	if s.Status != "" && s.Status != evidence.Current {
		status = string(s.Status)
	}
	return s.Title, status
}

func (m cardMaker) of(r study.LedgerRow) resultCard {
	c := resultCard{
		Test: string(r.Test), Name: short(140,
			r.TestName), TestHref: r.TestHref, By: r.Recorder, MessageID: r.MessageID, Href: messageURL(m.thread, r.MessageID),
		Day: dayWords(r.At), Counted: r.Counted, Under: r.Under,
		Silent: len(r.Expected)+len(r.Unexpected) == 0, Expected: r.Expected, Unexpected: r.Unexpected,
		Unforeseen: r.Unforeseen != nil,
	}
	c.found(&r)
	if r.Performed != nil {
		c.Measured = "measured " + dateWords(*r.Performed)
	}
	if r.Note != nil {
		c.Note = short(400, *r.Note)
	}
	for _, id := range r.Evidence {
		title, status := m.source(id)
		c.Sources = append(c.Sources, sourceName{id, short(80, title), sourceURL(id), status})
	}
	c.Control = controlOf(r.Potency)
	c.fate(&r)
	for _, late := range r.Late {
		c.Late = append(c.Late, lateWords(late))
	}
	c.moves(&r)
	return c
}

// found takes what the result says apart, so that a number can be read as one.
func (c *resultCard) found(r *study.LedgerRow) {
	switch {
	case r.Value != nil:
		v := *r.Value
		if v.Unit != nil {
			c.Unit, v.Unit = *v.Unit, nil
		}
		c.Value = minus(v.Text())
	case r.Unforeseen != nil:
		c.Words = short(400, *r.Unforeseen)
	default:
		c.Words = short(400, cmp.Or(r.Said, attemptWords(r)))
	}
}

// minus writes signs as signs.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// attemptWords say what became of a test that gave nothing.
func attemptWords(r *study.LedgerRow) string {
	if r.Status != nil && *r.Status != "" {
		return map[string]string{"blocked": "could not be done", "error": "broke off"}[*r.Status]
	}
	return "no outcome"
}

func controlOf(potency *string) control {
	switch {
	case potency == nil:
		return control{"dim", "control not stated"}
	case *potency == science.PotencyFailed:
		return control{"no", "control failed: not counted"}
	}
	return control{"ok", "control worked"}
}

// fate says what became of a result, each with its own mark.
func (c *resultCard) fate(r *study.LedgerRow) {
	add := func(tone, mark, format string, args ...any) {
		c.Chips = append(c.Chips, chip{tone, mark, fmt.Sprintf(format, args...)})
	}
	if c.Unforeseen {
		add("plum", "new", "not foreseen by anyone")
	}
	if r.Replicates != nil {
		add("calm", "two", "replicates #%d", *r.Replicates)
	}
	if len(r.Again) > 0 {
		add("calm", "two", "replicated %s, #%d", timesWord(len(r.Again)), r.Again[len(r.Again)-1])
	}
	if old := r.Replaces; old != nil {
		what := ""
		if old.Exploratory {
			what = "a first look, "
		}
		add("warn", "rep", "replaces %s#%d", what, old.MessageID)
	}
	if r.Exploratory {
		add("", "eye", "first look")
	}
	switch {
	case r.Standing == science.Replaced && r.ReplacedBy != nil:
		c.Gone, c.Struck = fmt.Sprintf("was, until #%d", *r.ReplacedBy), true
	case r.Standing == science.Withdrawn:
		c.Gone, c.Struck = "taken back", true
		if w := r.Withdrawal; w != nil {
			add("", "undo", "taken back by %s in #%d%s", w.By, w.MessageID, because(w.Reason))
		}
	case r.Standing == science.Attempt:
		c.Gone, c.Attempt = "an attempt", r.Said == ""
	case r.Uncounted != "":
		c.NotCounted = "not counted: " + r.Uncounted
	}
}

func because(reason string) string {
	if protocol.Blank(reason) {
		return ""
	}
	return ": " + short(200, reason)
}

func timesWord(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func lateWords(l study.LateCell) string {
	switch {
	case l.AfterLook && l.Rewritten:
		return l.ID + " rewrote it after a look"
	case l.AfterLook:
		return l.ID + " wrote it after a look"
	case l.Rewritten:
		return l.ID + " rewrote it afterwards"
	}
	return l.ID + " wrote it afterwards"
}

func (c *resultCard) moves(r *study.LedgerRow) {
	if r.Before == nil {
		return
	}
	c.Before, c.After = barOf(inLedger, shareList(r.Before)).Picture, barOf(inLedger, shareList(r.After)).Picture
	for _, m := range r.Moves {
		id := m.World
		if id == science.None.ID() {
			id = noneMark
		}
		from, to := strings.TrimSuffix(figure.Percent(m.From), " %"), figure.Percent(m.To)
		c.Moves = append(c.Moves, id+" "+from+" → "+to)
	}
}

func shareList(shares []figure.Share) []share {
	list := make([]share, len(shares))
	for i, s := range shares {
		list[i] = shareOf(s.Label, "", s.Value)
	}
	return list
}

// dayWords is the day of a time as messages write it.
func dayWords(at string) string {
	t, ok := timeOf(at)
	if !ok {
		return ""
	}
	return t.UTC().Format("2 Jan")
}

// dateWords is a day as people write it.
func dateWords(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return short(20, day)
	}
	return t.Format("2 Jan 2006")
}

// ledgerView is what was found, the newest first.
type ledgerView struct {
	Cards   []resultCard
	Folded  []resultCard // the older ones
	More    int          // that are not shown
	Tests   int
	Results int
	Legend  []shareLine
}

// How many results the ledger shows, unfolded and at all.
const (
	ledgerRows = 14
	maxLedger  = 80
)

func ledgerOf(s *study.Study, m cardMaker) ledgerView {
	v := ledgerView{}
	tests := map[artifact.ItemID]bool{}
	for _, row := range s.Ledger() {
		if row.Standing != science.Attempt {
			v.Results++
			tests[row.Test] = true
		}
		switch n := len(v.Cards) + len(v.Folded); {
		case n >= maxLedger:
			v.More++
		case n < ledgerRows || len(v.Folded) == 0 && row.Under:
			v.Cards = append(v.Cards, m.of(row))
		default:
			v.Folded = append(v.Folded, m.of(row))
		}
	}
	v.Tests = len(tests)
	alive := len(s.Alive())
	for _, h := range s.Hypotheses {
		v.Legend = append(v.Legend, shareLine{ID: h.ID, Name: h.Name, Href: h.Href})
	}
	v.Legend = slices.Insert(v.Legend, alive, shareLine{ID: noneMark}) // before what was given up
	return v
}
