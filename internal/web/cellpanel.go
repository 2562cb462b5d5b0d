package web

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/study"
)

// cellPanel is what can be said of one cell: what was expected and found, how far they are apart, what that weighs, which passage says so,
// and who wrote what when.
type cellPanel struct {
	Key                  string
	Test, Name, TestHref string
	World                study.Column
	Expected, Found      string
	Apart, Weight        template.HTML
	Quotes               []panelQuote
	Notes                []panelNote
	Attack               string // where an attack on it is written
	Close                string
}

// panelQuote is a passage that the test quotes.
type panelQuote struct {
	Text, Where string
	Tone, Says  string // how it was checked
}

// panelNote says when something was written, with its mark.
type panelNote struct {
	Tone, Mark string
	Text       template.HTML
}

// panel finds a cell by its key: T3.H2.
func (w *Web) panel(ctx context.Context, of *session.Session, s *study.Study, key string) (*cellPanel, error) {
	test, hypothesis, _ := strings.Cut(key, ".")
	at := slices.IndexFunc(s.Matrix.Tests, func(r study.Row) bool { return r.ID == test })
	column := slices.IndexFunc(s.Matrix.Columns, func(c study.Column) bool { return c.ID == hypothesis })
	if at < 0 || column < 0 {
		return nil, protocol.Errorf(protocol.NotFound, "%.40q is no cell of what was expected", key)
	}
	row, thread := s.Matrix.Tests[at], of.View.Fold.ThreadID()
	cell := row.Cells[column]
	p := &cellPanel{
		Key: key, Test: row.ID, Name: short(140, row.Name), TestHref: row.Href, World: s.Matrix.Columns[column], Expected: "nothing",
		Close: threadURL(thread) + "#matrix",
	}
	p.Attack = "/compose?thread=" + url.QueryEscape(thread) +
		"&subject=" + url.QueryEscape("CRITIQUE: What "+hypothesis+" expects of "+test)
	if said := cell.Held(); said != "" {
		p.Expected = minus(short(400, said))
		if row.Numeric && row.Unit != "" {
			p.Expected += " " + row.Unit
		}
	}
	if row.Found != nil {
		p.Found = minus(short(400, row.Found.Outcome))
		if row.Numeric && !row.Found.Unforeseen && row.Unit != "" && !strings.HasSuffix(p.Found, row.Unit) {
			p.Found += " " + row.Unit
		}
		p.Apart = apartOf(&row, &cell)
		p.Weight = weighed(of, s, row, hypothesis)
	}
	if support, ok := of.SupportOf(artifact.ItemID(test)); ok {
		for _, q := range support.Quotes[:min(len(support.Quotes), maxPanelQuotes)] {
			p.Quotes = append(p.Quotes, panelQuoteOf(q))
		}
	}
	if cell.Stated != nil {
		p.written(cell, row.Found, func(id int64) string { return w.dayOfMessage(ctx, id) })
	}
	return p, nil
}

// maxPanelQuotes is how many passages a panel shows.
const maxPanelQuotes = 3

func panelQuoteOf(q session.CheckedQuote) panelQuote {
	quote := panelQuote{Text: short(280, q.Text), Where: q.Citation, Tone: "dim", Says: "not checked"}
	if q.Page != nil {
		quote.Where += fmt.Sprintf(", p. %d", *q.Page)
	}
	if q.Found != nil && *q.Found {
		quote.Tone, quote.Says = "ok", "found word for word"
	} else if q.Found != nil {
		quote.Tone, quote.Says = "no", "not in it"
	}
	return quote
}

// dayOfMessage is the day of a message; empty if it cannot be looked up.
func (w *Web) dayOfMessage(ctx context.Context, id int64) string {
	m, err := w.deps.Access(ctx).Message(ctx, id)
	if err != nil {
		return ""
	}
	if at, ok := timeOf(m.CreatedAt); ok {
		return " on " + dayOf(at, w.options.Now())
	}
	return ""
}

// apartOf says how the result stands to what was expected.
func apartOf(row *study.Row, cell *study.Cell) template.HTML {
	p := new(phrase)
	switch {
	case row.Found.Unforeseen:
		return p.say("nobody foresaw what was found").html()
	case cell.Verdict == figure.PostHoc:
		return p.say("written afterwards, not counted").html()
	case cell.Verdict != figure.AsExpected && cell.Verdict != figure.Contradicted:
		return p.say("not held against it").html()
	case cell.Z != nil && cell.Verdict == figure.AsExpected:
		return p.strong(fmt.Sprintf("%.1f σ", *cell.Z)).say(", within 2: as expected").html()
	case cell.Z != nil:
		return p.strong(fmt.Sprintf("%.1f σ", *cell.Z)).say(", more than 2: not as expected").html()
	case cell.Verdict == figure.AsExpected:
		return p.say("the same words: as expected").html()
	}
	return p.say("other words: not as expected").html()
}

// certain is from which ratio on more digits would say nothing.
const certain = 1000

// weighed compares how likely the result was under an explanation and under the one that leads, or that follows it.
func weighed(of *session.Session, s *study.Study, row study.Row, hypothesis string) template.HTML {
	reasons := of.Reasons()
	i := slices.IndexFunc(reasons.Results, func(r science.ReasonRow) bool {
		return string(r.Test) == row.ID && r.MessageID == row.Found.MessageID
	})
	p := new(phrase)
	if i < 0 || reasons.Results[i].Likelihoods == nil {
		return p.say("it does not count").html()
	}
	likely := reasons.Results[i].Likelihoods
	other := ""
	for _, h := range s.Alive() {
		if _, known := likely[h.ID]; known && h.ID != hypothesis && other == "" {
			other = h.ID
		}
	}
	own, known := likely[hypothesis]
	if !known || other == "" || own <= 0 && likely[other] <= 0 {
		return p.say("nothing to compare it with").html()
	}
	more, less, ratio := other, hypothesis, likely[other]/own
	if ratio < 1 {
		more, less, ratio = hypothesis, other, own/likely[other]
	}
	switch {
	case ratio < 1.05:
		return p.say("as likely under ").put(pill(more)).say(" as under ").put(pill(less)).html()
	case math.IsInf(ratio, 1) || ratio >= certain:
		p.say("more than %d", certain)
	default:
		p.say("%.1f", ratio)
	}
	return p.say(" times likelier under ").put(pill(more)).say(" than under ").put(pill(less)).html()
}

// written says who wrote a cell and when, and how that stands to the result.
func (p *cellPanel) written(cell study.Cell, found *study.Found, day func(id int64) string) {
	stated := cell.Stated
	note := func(tone, mark string, text *phrase) { p.Notes = append(p.Notes, panelNote{tone, mark, text.html()}) }
	by := new(phrase)
	locked := stated.State == science.Locked
	if locked {
		by.strong("Locked.").say(" ")
	}
	wrote := "wrote it"
	if cell.Rewritten() {
		wrote = "wrote the later words"
	}
	by.say("%s %s in #%d%s", stated.By, wrote, stated.MessageID, day(stated.MessageID))
	if found != nil && stated.Result != nil {
		by.say("; %s recorded the result in #%d%s", found.By.Name, found.MessageID, day(found.MessageID))
	}
	by.say(".")
	if stated.SameHand {
		by.say(" ").strong("Same hand.")
	}
	if stated.Older {
		by.say(" What was measured is older than the prediction.")
	}
	if stated.Imported {
		by.say(" Both were imported: their order is the importer's word.")
	}
	switch {
	case locked:
		note("ok", "lock", by)
	case stated.State == science.AfterLook:
		note("late", "eye", by)
	case stated.State == science.PostHoc:
		note("late", "pen", by)
	default:
		note("dim", "clk", by)
	}
	if cell.Rewritten() {
		late := new(phrase).strong("Rewritten when somebody had looked").say(
			": %s. Shown, not used: it is held against what was registered.", short(200, cell.Text))
		note("late", "pen", late)
	}
}
