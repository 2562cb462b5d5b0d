package merge

import (
	"cmp"
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// conflicts reports the units that agents set to different values since the latest COMPILED
// message (PROTOCOL 7), by item and field.
func (s *State) conflicts() []Conflict {
	list := []Conflict{}
	for _, c := range s.contested {
		e := s.lookup(string(c.item))
		u := e.units[c.key]
		if u.recent == nil {
			continue
		}
		winner := s.standingClaim(e, c)
		losers := s.losers(u, winner.Value)
		if len(losers) > 0 {
			list = append(list, Conflict{c.item, c.path, winner, losers})
		}
	}
	slices.SortStableFunc(list, func(a, b Conflict) int {
		return cmp.Or(compareIDs(a.Item, b.Item), strings.Compare(a.Field, b.Field))
	})
	return list
}

// losers are the agents whose last claim in the window is not the value that holds, the
// most recent first.
func (s *State) losers(u *unit, stands artifact.Value) []Claim {
	var lost []claim
	for _, c := range u.recent.claims {
		if c.place > s.since && !artifact.Equal(c.value, stands) {
			lost = append(lost, c)
		}
	}
	slices.SortFunc(lost, func(a, b claim) int { return cmp.Compare(b.place, a.place) })
	claims := make([]Claim, len(lost))
	for i := range lost {
		claims[i] = lost[i].report()
	}
	return claims
}

// standingClaim is the value that holds in a unit and who set it. An absent value was
// cleared by the last agent that asked for that, if one did.
func (s *State) standingClaim(e *entry, c contest) Claim {
	value := valueAt(e.item, c)
	src := e.item.Source(c.path)
	if value == nil {
		src = nil
		for _, last := range e.units[c.key].recent.claims {
			if last.value == nil && (src == nil || last.source.MessageID > src.MessageID) {
				src = last.source
			}
		}
	}
	if src == nil {
		return Claim{Value: value}
	}
	return Claim{src.Agent, value, src.MessageID}
}

// valueAt is the value of a unit.
func valueAt(item *artifact.Item, c contest) artifact.Value {
	if strings.HasPrefix(c.key, unknownMark) {
		for _, x := range item.Extra() {
			if x.Name == c.path {
				return x.Value
			}
		}
		return nil
	}
	field, key, keyed := strings.Cut(c.path, ".")
	switch v := item.Get(field).(type) {
	case artifact.Map:
		if text, ok := v.Get(key); ok {
			return artifact.Text(text)
		}
		return nil
	case artifact.Score:
		if number, ok := v.Get(key); ok {
			return artifact.JSON(number)
		}
		return nil
	default:
		if keyed { // of a map or score that is gone
			return nil
		}
		return v
	}
}
