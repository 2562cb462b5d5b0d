package merge

import (
	"bytes"
	"maps"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/kept"
	"brenner/internal/protocol"
)

// magic begins a saved state; its last byte is the version of the form. A state of another
// form is not read but made again from the log.
var magic = []byte("brenner state \x04")

// Save writes the state, the open window included. Equal states give equal bytes, and the
// state that Load makes of them folds on as this one does.
func (s *State) Save() []byte {
	s.level()
	c := &codec{Form: kept.Writer(slices.Clone(magic)), sources: map[*artifact.Source]uint64{}}
	c.state(s)
	return c.Bytes()
}

// Load reads what Save wrote. It fails with INVALID_INPUT on anything else, without panic:
// the caller folds the thread again.
func Load(data []byte) (*State, error) {
	rest, ok := bytes.CutPrefix(data, magic)
	if !ok {
		return nil, protocol.Errorf(protocol.InvalidInput, "merge: not a saved state of this version")
	}
	c := &codec{Form: kept.Reader(string(rest))}
	s := New("")
	c.state(s)
	if c.End() == nil {
		s.index(c)
	}
	if err := c.Err(); err != nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "merge: saved state: %w", err)
	}
	return s, nil
}

func (c *codec) state(s *State) {
	c.Text(&s.thread)
	c.Int(&s.folded)
	c.Time(&s.created)
	c.Time(&s.updated)
	c.Bool(&s.closed)
	c.Bool(&s.opening.seen)
	c.Text(&s.opening.title)
	c.Text(&s.opening.question)
	c.Text(&s.opening.context)
	c.seats(&s.seats)
	c.nameSet(&s.openers)
	c.nameSet(&s.rostered)
	c.agents(&s.agents)
	kept.List(c.Form, &s.contributors, func(v *contributor) {
		c.Text(&v.agent)
		c.Int(&v.number)
		c.Text(&v.shorthand)
		c.Int(&v.deltas)
	})
	kept.List(c.Form, &s.shorthands, c.Text)
	kept.List(c.Form, &s.versions, c.version)
	c.Int(&s.since)
	c.entries(s)
	kept.List(c.Form, &s.window, func(r **MessageReport) {
		if c.Reading() {
			*r = &MessageReport{}
		}
		c.report(*r)
	})
	kept.List(c.Form, &s.contested, func(v *contest) { kept.Named(c.Form, &v.item); c.Text(&v.key); c.Text(&v.path) })
	c.buried(s)
}

func (c *codec) seats(v *seating) {
	c.Bool(&v.given)
	kept.Named(c.Form, &v.roster.Mode)
	c.Text(&v.roster.Name)
	c.Text(&v.roster.CreatedAt)
	kept.List(c.Form, &v.roster.Entries, func(e *protocol.RosterEntry) {
		c.Text(&e.AgentName)
		kept.Named(c.Form, &e.Role)
		c.Text(&e.Program)
		c.Text(&e.Model)
		c.Text(&e.Notes)
	})
	if c.Reading() && v.given {
		v.seat(v.roster)
	}
}

func (c *codec) agents(v *directory) {
	kept.List(c.Form, &v.names, c.Text)
	if c.Reading() {
		v.places = make(map[string]int, len(v.names))
		for i, name := range v.names {
			v.places[name] = i
		}
	}
}

func (c *codec) version(v *Version) {
	c.Int(&v.Number)
	c.Int64(&v.MessageID)
	c.Int64(&v.OriginID)
	c.Time(&v.At)
	c.Text(&v.By)
	c.Text(&v.Subject)
	c.Int64(&v.Through)
	for _, ids := range []*[]artifact.ItemID{&v.Changes.Added, &v.Changes.Edited, &v.Changes.Killed} {
		kept.List(c.Form, ids, func(id *artifact.ItemID) { kept.Named(c.Form, id) })
		if c.Reading() && *ids == nil {
			*ids = []artifact.ItemID{}
		}
	}
	c.Int(&v.place)
	for i := range v.counts {
		c.Int(&v.counts[i])
	}
}

// entries writes the items of all sections with what the merge keeps of each.
func (c *codec) entries(s *State) {
	for section := range s.entries {
		n := uint64(len(s.entries[section]))
		c.Uint(&n)
		if c.Reading() && (n > uint64(c.Left()) || section == 0 && n != 1) {
			c.Fail("a section is cut off")
			return
		}
		for i := range int(n) {
			if c.Err() != nil {
				return
			}
			c.entry(s, artifact.Section(section), i)
		}
	}
}

func (c *codec) entry(s *State, section artifact.Section, i int) {
	if c.Reading() && section != artifact.ResearchThread {
		e := &entry{owner: s.mark, item: artifact.NewItem(artifact.NewItemID(section, i+1), section)}
		s.artifact.Add(e.item)
		s.entries[section] = append(s.entries[section], e)
	}
	e := s.entries[section][i]
	c.item(e.item)
	c.source(&e.source)
	c.Int(&e.added)
	c.Bool(&e.human)
	if c.Reading() {
		c.readUnits(s, e)
		return
	}
	keys := slices.Sorted(maps.Keys(e.units))
	kept.List(c.Form, &keys, func(key *string) {
		c.Text(key)
		c.unit(e.units[*key], s.since)
	})
}

// readUnits makes the room for all units of an entry at once.
func (c *codec) readUnits(s *State, e *entry) {
	var units []unit
	var keys []string
	kept.List(c.Form, &keys, func(key *string) {
		if units == nil {
			units, e.units = make([]unit, 0, len(keys)), make(map[string]*unit, len(keys))
		}
		c.Text(key)
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
		if c.Reading() {
			item.Set(f.Name, v)
		}
	}
	extra := item.Extra()
	kept.List(c.Form, &extra, func(x *artifact.Extra) {
		c.Text(&x.Name)
		kept.Named(c.Form, &x.Value)
		if c.Reading() {
			item.SetExtra(x.Name, x.Value)
		}
	})
	kept.List(c.Form, &item.Conflicts, c.Text)
	c.kill(item)
	paths := item.SourcePaths()
	kept.List(c.Form, &paths, func(path *string) {
		c.Text(path)
		src := item.Source(*path)
		c.source(&src)
		if c.Reading() {
			item.SetSource(*path, src)
		}
	})
}

func (c *codec) kill(item *artifact.Item) {
	killed := item.Killed != nil
	c.Bool(&killed)
	if !killed {
		return
	}
	if c.Reading() {
		item.Killed = &artifact.Kill{}
	}
	c.Text(&item.Killed.By)
	c.Time(&item.Killed.At)
	c.Text(&item.Killed.Reason)
	c.source(&item.Killed.Source)
}

func (c *codec) unit(u *unit, since int) {
	c.Time(&u.at)
	c.value(&u.before.value)
	c.source(&u.before.source)
	c.claim(&u.last)
	c.ballot(&u.tied, 0)
	c.Bool(&u.disputed)
	c.ballot(&u.recent, since)
	c.Int(&u.changed)
}

// ballot writes the claims after a place: older ones no longer count, whenever they are
// dropped.
func (c *codec) ballot(b **ballot, since int) {
	var claims []claim
	if *b != nil {
		claims = slices.DeleteFunc(slices.Clone((*b).claims), func(v claim) bool { return v.place <= since })
	}
	kept.List(c.Form, &claims, c.claim)
	if c.Reading() && len(claims) > 0 {
		*b = &ballot{claims: claims, since: since}
	}
}

func (c *codec) claim(v *claim) {
	c.Int(&v.agent)
	c.Bool(&v.human)
	c.Int(&v.place)
	c.value(&v.value)
	c.source(&v.source)
}

func (c *codec) report(r *MessageReport) {
	c.Int64(&r.MessageID)
	c.Int64(&r.OriginID)
	c.Text(&r.From)
	c.Text(&r.Shorthand)
	kept.Named(c.Form, &r.Type)
	delta.Keep(c.Form, &r.Receipt)
	kept.List(c.Form, &r.Notes, c.Finding)
	c.Int(&r.MoreNotes)
	c.Int(&r.Applied)
	c.Int(&r.Skipped)
	kept.List(c.Form, &r.Items, func(t *Touch) {
		kept.Named(c.Form, &t.Item)
		kind := uint64(t.Kind)
		c.Uint(&kind)
		if c.Reading() {
			t.Kind = ChangeKind(kind)
		}
	})
	c.Int(&r.place)
}

// buried writes the killed hypotheses in the order of their kills.
func (c *codec) buried(s *State) {
	ids := make([]artifact.ItemID, len(s.graveyard.buried))
	for i, item := range s.graveyard.buried {
		ids[i] = item.ID
	}
	kept.List(c.Form, &ids, func(id *artifact.ItemID) {
		kept.Named(c.Form, id)
		if !c.Reading() {
			return
		}
		e := s.lookup(string(*id))
		if e == nil || e.item.Active() {
			c.Fail("a killed hypothesis is not there")
			return
		}
		s.graveyard.buried = append(s.graveyard.buried, e.item)
	})
}
