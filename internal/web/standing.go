package web

import (
	"html/template"
	"slices"
	"strings"

	"brenner/internal/artifact"
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
			a := study.Attack{MessageID: e.MessageID, From: e.From, Title: c.titles[e.MessageID], State: e.State}
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
	h := c.Review().Of(id)
	if h == nil {
		return mark{}
	}
	return markOf(string(h.State), h.Why(), links)
}

// maxReasons is how many places a mark names.
const maxReasons = 2

// supportMark says what a hypothesis rests on.
func (c *checks) supportMark(id artifact.ItemID, links *linker) mark {
	s, ok := c.SupportOf(id)
	if !ok {
		return mark{}
	}
	why := strings.Join(s.Citations[:min(len(s.Citations), maxReasons)], ", ")
	if slices.ContainsFunc(s.Quotes, func(q session.CheckedQuote) bool { return q.Found != nil && !*q.Found }) {
		why = "a quote is not in its source"
	} else if why == "" {
		why = map[string]string{"inference": "its own step", "bare": "no source"}[string(s.Support)]
	}
	return markOf(string(s.Support), why, links)
}
