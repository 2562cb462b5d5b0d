package merge

import (
	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// apply carries out one delta whose handles have been put in place. A rejection leaves the
// artifact as it was.
func (b *block) apply() {
	if b.delta.Operation == delta.Add {
		b.add()
		return
	}
	if !b.find() {
		return
	}
	b.entry = b.writable(b.entry)
	if b.delta.Operation == delta.Kill {
		b.kill()
		return
	}
	b.editItem()
}

// reject refuses the block.
func (b *block) reject(f protocol.Finding) {
	if f.Line == 0 {
		f.Line = b.delta.Line
	}
	b.report.Receipt.Reject(b.delta.Block, f)
}

// skip counts an accepted block that changes nothing.
func (b *block) skip(f protocol.Finding) {
	b.note(f.On(string(b.entry.item.ID)))
	b.report.Skipped++
}

// find looks the target up and tells whether it can be changed.
func (b *block) find() bool {
	b.entry = b.lookup(b.delta.Target)
	if b.entry == nil || b.entry.item.Section != b.delta.Section {
		b.reject(b.unknownTarget(b.delta.Target, b.delta.Section))
		return false
	}
	item := b.entry.item
	b.report.Receipt.SetItem(b.delta.Block, item.ID)
	if item.Active() {
		return true
	}
	k := item.Killed
	if b.delta.Operation == delta.Kill {
		b.skip(protocol.NewFinding(protocol.AlreadyKilled, "%s was killed before by %s.", item.ID, k.By))
	} else {
		b.skip(protocol.NewFinding(protocol.TargetKilled, "%s was killed by %s (%s); the EDIT was skipped.", item.ID, k.By,
			short(artifact.Text(k.Reason))))
	}
	return false
}

// lookup finds an item by its id, nil if it does not exist.
func (s *State) lookup(target string) *entry {
	_, section, n, ok := artifact.ParseItemID(target)
	switch {
	case !ok:
		return nil
	case section == artifact.ResearchThread:
		return s.entries[section][0]
	case n > len(s.entries[section]):
		return nil
	}
	return s.entries[section][n-1]
}

// unknownTarget says which ids there are instead.
func (s *State) unknownTarget(target string, section artifact.Section) protocol.Finding {
	f := protocol.NewFinding(protocol.InvalidTarget, "%s has no item %s.", section, quote(target)).In("target_id")
	if n := len(s.entries[section]); n > 0 {
		return f.WithFix("Name an item of %s, %s to %s.", section, artifact.NewItemID(section, 1), artifact.NewItemID(section, n))
	}
	return f.WithFix("ADD the item first: %s is empty.", section)
}

// sectionFull says how many items the section has now. Of blocks that need each other all are
// rejected if there is no room for all of them, so that the section need not be full.
func (s *State) sectionFull(section artifact.Section) protocol.Finding {
	n, most, what, fix := len(s.entries[section]), artifact.MaxItems, "items", "EDIT an item that is there."
	if section == artifact.HypothesisSlate {
		n, most, what = s.active[section], artifact.MaxActiveHypotheses, "active hypotheses"
		fix = "KILL a hypothesis first, or EDIT one that is there."
	}
	if n >= most {
		return protocol.NewFinding(protocol.SectionLimitExceeded, "%s has %d %s already.", section, n, what).WithFix("%s", fix)
	}
	return protocol.NewFinding(protocol.SectionLimitExceeded,
		"%s has %d %s; this block and those that belong to it would make more than %d.",
		section, n, what, most).WithFix("%s", fix)
}

// add appends an item with the next id of its section (PROTOCOL 7).
func (b *block) add() {
	section := b.delta.Section
	if section.Full(b.active[section], len(b.entries[section])) {
		b.reject(b.sectionFull(section))
		return
	}
	id := artifact.NewItemID(section, len(b.entries[section])+1)
	item := artifact.NewItem(id, section)
	b.entry = &entry{owner: b.mark, item: item, source: b.source, added: b.report.place, human: b.human}
	item.SetSource("", b.source)
	for i := range b.delta.Fields {
		if f := &b.delta.Fields[i]; f.Value != nil {
			item.Set(f.Name, f.Value)
			b.addUnits(f.Name, f.Value)
		}
	}
	for _, e := range b.delta.Extra {
		if e.Value != "null" {
			item.SetExtra(e.Name, e.Value)
			b.addUnit(e.Name, e.Value)
		}
	}
	b.changing().Add(item)
	b.entries[section] = append(b.list(section), b.entry)
	b.enroll(item, +1)
	b.report.Receipt.SetItem(b.delta.Block, id)
	b.reproposal()
	b.applied(KindAdded)
}

// addUnits records the value of a field of a new item, key by key where it has keys.
func (b *block) addUnits(name string, v artifact.Value) {
	switch v := v.(type) {
	case artifact.Map:
		for _, p := range v {
			b.addUnit(name+"."+p.Key, artifact.Text(p.Text))
		}
	case artifact.Score:
		for _, p := range v {
			b.addUnit(name+"."+p.Name, artifact.JSON(p.Number))
		}
	case artifact.References:
		b.addUnit(name, v)
		b.sourceReferences(nil, v)
		return
	default:
		b.addUnit(name, v)
		return
	}
	b.entry.item.SetSource(name, b.source)
}

func (b *block) addUnit(path string, v artifact.Value) {
	b.entry.item.SetSource(path, b.source)
	b.record(Change{Field: path, Kind: KindAdded, New: v, By: b.source})
}

// editItem merges the payload field by field.
func (b *block) editItem() {
	item := b.entry.item
	for i := range b.delta.Fields {
		if f := &b.delta.Fields[i]; len(f.ClearKeys) > 0 {
			b.entry.level(f.Name)
		}
	}
	if f, emptied := Emptied(item, b.delta); emptied {
		b.reject(f)
		return
	}
	var before traits
	shifts := mayShift(b.delta)
	if shifts {
		before = traitsOf(item)
	}
	for i := range b.delta.Fields {
		b.edit(&b.delta.Fields[i])
	}
	for _, e := range b.delta.Extra {
		b.editExtra(e)
	}
	if !b.changed {
		b.skip(b.noChange())
		return
	}
	if shifts {
		b.shift(item, before, traitsOf(item))
	}
	b.applied(KindEdited)
}

// noChange says why an EDIT did nothing: all it sets is there, or weighs less than what
// another message of the same instant set.
func (b *block) noChange() protocol.Finding {
	for i := len(b.report.Changes) - 1; i >= 0; i-- {
		c := &b.report.Changes[i]
		if c.By != b.source {
			break
		}
		if c.Kind != KindOverruled {
			continue
		}
		if c.Against != nil && c.Against.At.Equal(b.source.At) {
			return protocol.NewFinding(protocol.NoChange,
				"%s set %s of %s at the same instant, and its value stands; nothing else was to change.",
				c.Against.Agent, c.Field, c.Item)
		}
		return protocol.NewFinding(protocol.NoChange, "%s of %s is in dispute and stays as it is; nothing else was to change.", c.Field,
			c.Item)
	}
	return protocol.NewFinding(protocol.NoChange, "%s has these values already.", b.entry.item.ID)
}

// kill marks the item and keeps it.
func (b *block) kill() {
	item := b.entry.item
	item.Killed = &artifact.Kill{By: b.source.Agent, At: b.source.At, Reason: b.delta.Reason, Source: b.source}
	b.record(Change{Kind: KindKilled, New: artifact.Text(b.delta.Reason), By: b.source})
	b.enroll(item, -1)
	if item.Section == artifact.HypothesisSlate {
		b.graveyard.bury(item)
	}
	b.applied(KindKilled)
}

func (b *block) applied(kind ChangeKind) {
	b.report.Applied++
	b.report.touch(b.entry.item.ID, kind)
}
