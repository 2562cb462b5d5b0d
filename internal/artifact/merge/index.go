package merge

import "brenner/internal/artifact"

// index makes what a loaded state derives from what was saved, and checks what the fold
// relies on without looking: bytes that were tampered with must not make it panic.
func (s *State) index(c *codec) {
	for section, entries := range s.entries {
		if section == int(artifact.ResearchThread) {
			continue
		}
		for _, e := range entries {
			if e.item.Active() {
				s.enlist(artifact.Section(section), traitsOf(e.item))
			}
		}
	}
	s.credits = make(map[int]int, len(s.contributors))
	for i, v := range s.contributors {
		s.credits[v.number] = i
	}
	s.spoken = make(map[string]string, len(s.shorthands))
	for _, word := range s.shorthands {
		s.spoken[word] = word
	}
	versions := s.versions
	s.versions = make([]Version, 0, len(versions))
	for _, v := range versions {
		s.publish(v)
	}
	for _, v := range s.contested {
		e := s.lookup(string(v.item))
		if e == nil || e.units[v.key] == nil {
			c.Fail("a contested unit is not there")
			return
		}
		e.units[v.key].listed = true
	}
	for _, entries := range s.entries {
		for _, e := range entries {
			for _, u := range e.units {
				s.checkUnit(c, u)
			}
		}
	}
	s.pending = countsOf(s.window)
	s.detail = detailOf(s.window)
	for i := range s.window {
		for _, t := range s.window[i].Items {
			if t.Kind > KindKilled {
				c.Fail("a message did something unknown")
			}
		}
	}
}

// checkUnit checks that every claim has an agent and a source.
func (s *State) checkUnit(c *codec, u *unit) {
	check := func(v *claim) {
		if v.source == nil || v.agent < 0 || v.agent >= len(s.agents.names) {
			c.Fail("a claim has no agent")
		}
	}
	if u.last.source != nil {
		check(&u.last)
	}
	for _, b := range []*ballot{u.tied, u.recent} {
		if b == nil {
			continue
		}
		for i := range b.claims {
			check(&b.claims[i])
		}
	}
}
