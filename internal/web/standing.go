package web

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/study"
)

// checks are what is shown beside each hypothesis: who has attacked it, and what it rests on.
type checks struct {
	*session.Session
	first  []session.ToDo
	titles map[int64]string // of attacks, by message
}

func checksOf(of *session.Session) (checks, error) {
	first, err := of.First()
	c := checks{Session: of, first: first, titles: map[int64]string{}}
	for _, critique := range of.View.Critiques {
		c.titles[critique.MessageID] = critique.Title
	}
	return c, err
}

// attacks are what hits each hypothesis, oldest first.
func (c *checks) attacks() map[artifact.ItemID][]study.Attack {
	attacks := map[artifact.ItemID][]study.Attack{}
	for _, h := range c.Review().Hypotheses {
		for _, e := range h.Attacks {
			a := study.Attack{MessageID: e.MessageID, From: e.From, Title: c.titles[e.MessageID], Open: e.State == "open"}
			if e.Item != nil && a.Title == "" {
				a.Title = *e.Item
			}
			if e.Severity != nil {
				a.Severity = *e.Severity
			}
			attacks[h.ID] = append(attacks[h.ID], a)
		}
	}
	return attacks
}

// mark is a state with its glyph and the reason for it.
type mark struct {
	State, Glyph string
	Why          template.HTML
}

var glyphs = map[string]string{
	"contested": "◆", "reviewed": "✓", "outdated": "↻", "provisional": "◐", "unreviewed": "○",
	"quoted": "❝", "cited": "§", "inference": "∴", "bare": "!",
}

func markOf(state, why string, links *linker) mark {
	return mark{state, glyphs[state], linked(why, links.links(why))}
}

// reviewMark says how far a hypothesis was checked, and by whom.
func (c *checks) reviewMark(id artifact.ItemID, links *linker) mark {
	i := slices.IndexFunc(c.Review().Hypotheses, func(h science.ReviewedHypothesis) bool { return h.ID == id })
	if i < 0 {
		return mark{}
	}
	h := c.Review().Hypotheses[i]
	why := ""
	switch h.State {
	case science.Contested:
		why = "in " + openPlaces(h.Attacks)
	case science.Reviewed:
		why = "by " + h.Attacks[len(h.Attacks)-1].From
	case science.Provisional:
		why = "only by its own family"
	case science.Unreviewed:
		why = "never attacked"
	}
	return markOf(string(h.State), why, links)
}

func openPlaces(attacks []science.ReviewedAttack) string {
	var places []string
	for _, e := range attacks {
		switch {
		case e.State != "open" || len(places) == mostReasons:
		case e.Item != nil:
			places = append(places, *e.Item)
		default:
			places = append(places, "#"+strconv.FormatInt(e.MessageID, 10))
		}
	}
	return strings.Join(places, ", ")
}

// mostReasons is how many places a mark names.
const mostReasons = 2

// supportMark says what a hypothesis rests on.
func (c *checks) supportMark(id artifact.ItemID, links *linker) mark {
	s, ok := c.SupportOf(id)
	if !ok {
		return mark{}
	}
	why := strings.Join(s.Citations[:min(len(s.Citations), mostReasons)], ", ")
	if slices.ContainsFunc(s.Quotes, func(q session.CheckedQuote) bool { return q.Found != nil && !*q.Found }) {
		why = "a quote is not in its source"
	} else if why == "" {
		why = map[string]string{"inference": "its own step", "bare": "no source"}[string(s.Support)]
	}
	return markOf(string(s.Support), why, links)
}
