package study

import (
	"strings"
	"unicode"

	"brenner/internal/figure"
	"brenner/internal/protocol"
)

// hues is how many colours agents have; a seventh begins again, with its own initials.
const hues = 6

// Cast gives all members of a session a colour and initials, the same on every page.
type Cast struct {
	members []figure.Agent
}

// NewCast takes the agents in the order of the roster, then all other senders; people are told apart from
// programs.
func NewCast(names []string, human func(name string) bool) Cast {
	var c Cast
	programs := 0
	for _, name := range names {
		if _, known := c.find(name); known {
			continue
		}
		a := figure.Agent{Name: name}
		if !human(name) {
			a.Hue = programs%hues + 1
			programs++
		}
		a.Initials = c.initials(name)
		c.members = append(c.members, a)
	}
	return c
}

// Of returns an agent's mark. One that is not a member is drawn like a person.
func (c Cast) Of(name string) figure.Agent {
	if a, known := c.find(name); known {
		return a
	}
	return figure.Agent{Name: name, Initials: capitals(name)}
}

// Members returns all members, in order.
func (c Cast) Members() []figure.Agent { return c.members }

func (c Cast) find(name string) (figure.Agent, bool) {
	for _, a := range c.members {
		if protocol.SameAgent(a.Name, name) {
			return a, true
		}
	}
	return figure.Agent{}, false
}

// initials are two letters that no other member has, if possible.
func (c Cast) initials(name string) string {
	want := capitals(name)
	letters := []rune(strings.ToUpper(strings.Join(strings.Fields(name), "")))
	for i := 1; c.taken(want) && i < len(letters); i++ {
		want = string(letters[0]) + string(letters[i])
	}
	return want
}

func (c Cast) taken(initials string) bool {
	for _, a := range c.members {
		if a.Initials == initials {
			return true
		}
	}
	return false
}

// capitals are the first two capitals of a name such as BlueLake, else its first two letters.
func capitals(name string) string {
	var upper, all []rune
	for _, r := range name {
		if unicode.IsUpper(r) {
			upper = append(upper, r)
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			all = append(all, unicode.ToUpper(r))
		}
	}
	if len(upper) >= 2 {
		return string(upper[:2])
	}
	return string(all[:min(2, len(all))])
}
