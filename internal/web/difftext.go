package web

import (
	"net/url"
	"strconv"

	"brenner/internal/protocol"
	"brenner/internal/textdiff"
)

// How much of two texts a page shows.
const (
	rowsPerPart  = 500
	maxFolded    = 60 // rows that a fold holds; a longer one only says how many
	contextLines = 3
	longLine     = 2000
)

// regionView is a run of rows, or a fold over rows that did not change.
type regionView struct {
	Folded bool
	Lines  int
	Rows   []rowView // none in a fold that is too long to hold them
}

// rowView is a line of both texts beside each other.
type rowView struct {
	Kind     string // same, changed, added, gone
	Old, New lineView
}

type lineView struct {
	Number int // 0: there is no line
	Spans  []spanView
}

// text lays the Markdown of both versions side by side, a part at a time.
func (p *diffPage) text(at *url.URL, regions []textdiff.Region) {
	part, _ := strconv.Atoi(at.Query().Get("part"))
	part = max(part, 1)
	p.TextPart = part
	skip, room := (part-1)*rowsPerPart, rowsPerPart
	for _, region := range regions {
		cost := len(region.Rows)
		if region.Folded {
			cost = min(cost, maxFolded)
		}
		if skip >= cost {
			skip -= cost
			continue
		}
		if room <= 0 {
			p.TextMore = partURL(at, part+1)
			return
		}
		if region.Folded {
			p.Text = append(p.Text, foldView(region.Rows))
			skip, room = 0, room-cost
			continue
		}
		rows := region.Rows[skip:]
		cut := min(room, len(rows))
		p.Text = append(p.Text, regionView{Rows: rowViews(rows[:cut])})
		skip, room = 0, room-cut
		if cut < len(rows) {
			p.TextMore = partURL(at, part+1)
			return
		}
	}
}

func partURL(at *url.URL, part int) string {
	q := at.Query()
	q.Set("part", strconv.Itoa(part))
	return at.Path + "?" + q.Encode() + "#text"
}

func foldView(rows []textdiff.Row) regionView {
	v := regionView{Folded: true, Lines: len(rows)}
	if len(rows) <= maxFolded {
		v.Rows = rowViews(rows)
	}
	return v
}

func rowViews(rows []textdiff.Row) []rowView {
	views := make([]rowView, len(rows))
	for i, r := range rows {
		views[i] = rowView{Kind: "same", Old: lineOf(r.Old), New: lineOf(r.New)}
		switch {
		case r.Old == nil:
			views[i].Kind = "added"
		case r.New == nil:
			views[i].Kind = "gone"
		case r.Changed:
			views[i].Kind = "changed"
		}
	}
	return views
}

// lineOf shows a line, the end of a very long one left out.
func lineOf(l *textdiff.Line) lineView {
	if l == nil {
		return lineView{}
	}
	v := lineView{Number: l.Number}
	room := longLine
	for _, s := range l.Spans {
		v.Spans = append(v.Spans, spanView{spanKinds[s.Change], protocol.ShortenBytes(s.Text, room)})
		if room -= len(s.Text); room <= 0 {
			break
		}
	}
	return v
}
