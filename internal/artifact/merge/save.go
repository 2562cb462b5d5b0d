package merge

import (
	"bytes"
	"maps"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// magic begins a saved state; its last byte is the version of the form. A state of another
// form is not read but made again from the log.
var magic = []byte("brenner state \x04")

// Save writes the state, the open window included. Equal states give equal bytes, and the
// state that Load makes of them folds on as this one does.
func (s *State) Save() []byte {
	s.level()
	c := &codec{
		out:     slices.Clone(magic),
		texts:   map[string]uint64{},
		sources: map[*artifact.Source]uint64{},
	}
	c.state(s)
	return c.out
}

// Load reads what Save wrote. It fails with INVALID_INPUT on anything else, without panic:
// the caller folds the thread again.
func Load(data []byte) (*State, error) {
	rest, ok := bytes.CutPrefix(data, magic)
	if !ok {
		return nil, protocol.Errorf(protocol.InvalidInput, "merge: not a saved state of this version")
	}
	c := &codec{reading: true, in: string(rest)}
	s := New("")
	c.state(s)
	if c.err == nil && len(c.in) > 0 {
		c.fail("bytes are left over")
	}
	if c.err == nil {
		s.index(c)
	}
	if c.err != nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "merge: saved state: %w", c.err)
	}
	return s, nil
}

func (c *codec) state(s *State) {
	c.text(&s.thread)
	c.int(&s.folded)
	c.time(&s.created)
	c.time(&s.updated)
	c.bool(&s.closed)
	c.bool(&s.opening.seen)
	c.text(&s.opening.title)
	c.text(&s.opening.question)
	c.text(&s.opening.context)
	c.seats(&s.seats)
	c.nameSet(&s.openers)
	c.nameSet(&s.rostered)
	c.agents(&s.agents)
	list(c, &s.contributors, func(v *contributor) {
		c.text(&v.agent)
		c.int(&v.number)
		c.text(&v.shorthand)
		c.int(&v.deltas)
	})
	list(c, &s.shorthands, c.text)
	list(c, &s.versions, c.version)
	c.int(&s.since)
	c.entries(s)
	list(c, &s.window, func(r **MessageReport) {
		if c.reading {
			*r = &MessageReport{}
		}
		c.report(*r)
	})
	list(c, &s.contested, func(v *contest) { named(c, &v.item); c.text(&v.key); c.text(&v.path) })
	c.buried(s)
}

func (c *codec) seats(v *seating) {
	c.bool(&v.given)
	named(c, &v.roster.Mode)
	c.text(&v.roster.Name)
	c.text(&v.roster.CreatedAt)
	list(c, &v.roster.Entries, func(e *protocol.RosterEntry) {
		c.text(&e.AgentName)
		named(c, &e.Role)
		c.text(&e.Program)
		c.text(&e.Model)
		c.text(&e.Notes)
	})
	if c.reading && v.given {
		v.seat(v.roster)
	}
}

func (c *codec) agents(v *directory) {
	list(c, &v.names, c.text)
	if c.reading {
		v.places = make(map[string]int, len(v.names))
		for i, name := range v.names {
			v.places[name] = i
		}
	}
}

func (c *codec) version(v *Version) {
	c.int(&v.Number)
	c.int64(&v.MessageID)
	c.int64(&v.OriginID)
	c.time(&v.At)
	c.text(&v.By)
	c.text(&v.Subject)
	c.int64(&v.Through)
	for _, ids := range []*[]artifact.ItemID{&v.Changes.Added, &v.Changes.Edited, &v.Changes.Killed} {
		list(c, ids, func(id *artifact.ItemID) { named(c, id) })
		if c.reading && *ids == nil {
			*ids = []artifact.ItemID{}
		}
	}
	c.int(&v.place)
	for i := range v.counts {
		c.int(&v.counts[i])
	}
}

// entries writes the items of all sections with what the merge keeps of each.
func (c *codec) entries(s *State) {
	for section := range s.entries {
		n := uint64(len(s.entries[section]))
		c.uint(&n)
		if c.reading && (n > uint64(len(c.in)) || section == 0 && n != 1) {
			c.fail("a section is cut off")
			return
		}
		for i := range int(n) {
			if c.err != nil {
				return
			}
			c.entry(s, artifact.Section(section), i)
		}
	}
}

func (c *codec) entry(s *State, section artifact.Section, i int) {
	if c.reading && section != artifact.ResearchThread {
		e := &entry{owner: s.mark, item: artifact.NewItem(artifact.NewItemID(section, i+1), section)}
		s.artifact.Add(e.item)
		s.entries[section] = append(s.entries[section], e)
	}
	e := s.entries[section][i]
	c.item(e.item)
	c.source(&e.source)
	c.int(&e.added)
	c.bool(&e.human)
	if c.reading {
		c.readUnits(s, e)
		return
	}
	keys := slices.Sorted(maps.Keys(e.units))
	list(c, &keys, func(key *string) {
		c.text(key)
		c.unit(e.units[*key], s.since)
	})
}

// readUnits makes the room for all units of an entry at once.
func (c *codec) readUnits(s *State, e *entry) {
	var units []unit
	var keys []string
	list(c, &keys, func(key *string) {
		if units == nil {
			units, e.units = make([]unit, 0, len(keys)), make(map[string]*unit, len(keys))
		}
		c.text(key)
		units = append(units, unit{owner: s.mark})
		u := &units[len(units)-1]
		e.units[*key] = u
		c.unit(u, s.since)
	})
}

func (c *codec) item(item *artifact.Item) {
	for _, f := range item.Section.Fields() {
		v := item.Get(f.Name)
		c.value(&v)
		if c.reading {
			item.Set(f.Name, v)
		}
	}
	extra := item.Extra()
	list(c, &extra, func(x *artifact.Extra) {
		c.text(&x.Name)
		named(c, &x.Value)
		if c.reading {
			item.SetExtra(x.Name, x.Value)
		}
	})
	list(c, &item.Conflicts, c.text)
	c.kill(item)
	paths := item.SourcePaths()
	list(c, &paths, func(path *string) {
		c.text(path)
		src := item.Source(*path)
		c.source(&src)
		if c.reading {
			item.SetSource(*path, src)
		}
	})
}

func (c *codec) kill(item *artifact.Item) {
	killed := item.Killed != nil
	c.bool(&killed)
	if !killed {
		return
	}
	if c.reading {
		item.Killed = &artifact.Kill{}
	}
	c.text(&item.Killed.By)
	c.time(&item.Killed.At)
	c.text(&item.Killed.Reason)
	c.source(&item.Killed.Source)
}

func (c *codec) unit(u *unit, since int) {
	c.time(&u.at)
	c.value(&u.before.value)
	c.source(&u.before.source)
	c.claim(&u.last)
	c.ballot(&u.tied, 0)
	c.bool(&u.disputed)
	c.ballot(&u.recent, since)
	c.int(&u.changed)
}

// ballot writes the claims after a place: older ones no longer count, whenever they are
// dropped.
func (c *codec) ballot(b **ballot, since int) {
	var claims []claim
	if *b != nil {
		claims = slices.DeleteFunc(slices.Clone((*b).claims), func(v claim) bool { return v.place <= since })
	}
	list(c, &claims, c.claim)
	if c.reading && len(claims) > 0 {
		*b = &ballot{claims: claims, since: since}
	}
}

func (c *codec) claim(v *claim) {
	c.int(&v.agent)
	c.bool(&v.human)
	c.int(&v.place)
	c.value(&v.value)
	c.source(&v.source)
}

func (c *codec) report(r *MessageReport) {
	c.int64(&r.MessageID)
	c.int64(&r.OriginID)
	c.text(&r.From)
	c.text(&r.Shorthand)
	named(c, &r.Type)
	c.receipt(&r.Receipt)
	list(c, &r.Notes, c.finding)
	c.int(&r.MoreNotes)
	c.int(&r.Applied)
	c.int(&r.Skipped)
	list(c, &r.Items, func(t *Touch) {
		named(c, &t.Item)
		kind := uint64(t.Kind)
		c.uint(&kind)
		if c.reading {
			t.Kind = ChangeKind(kind)
		}
	})
	c.int(&r.place)
}

func (c *codec) receipt(r **delta.Receipt) {
	given := *r != nil
	c.bool(&given)
	if !given {
		return
	}
	if c.reading {
		*r = &delta.Receipt{}
	}
	v := *r
	c.int(&v.Found)
	c.int(&v.Accepted)
	c.int(&v.Rejected)
	c.int(&v.MoreFindings)
	list(c, &v.Blocks, func(b *delta.Block) {
		c.int(&b.Index)
		c.int(&b.Line)
		named(c, &b.Status)
		c.text(&b.Operation)
		c.text(&b.Section)
		c.text(&b.TargetID)
		c.text(&b.ItemID)
		list(c, &b.Findings, c.finding)
	})
}

func (c *codec) finding(f *protocol.Finding) {
	named(c, &f.Code)
	named(c, &f.Severity)
	c.text(&f.Message)
	c.text(&f.Item)
	c.text(&f.Path)
	c.int(&f.Line)
	c.int(&f.Column)
	c.text(&f.Fix)
}

// buried writes the killed hypotheses in the order of their kills.
func (c *codec) buried(s *State) {
	ids := make([]artifact.ItemID, len(s.graveyard.buried))
	for i, item := range s.graveyard.buried {
		ids[i] = item.ID
	}
	list(c, &ids, func(id *artifact.ItemID) {
		named(c, id)
		if !c.reading {
			return
		}
		e := s.lookup(string(*id))
		if e == nil || e.item.Active() {
			c.fail("a killed hypothesis is not there")
			return
		}
		s.graveyard.buried = append(s.graveyard.buried, e.item)
	})
}
