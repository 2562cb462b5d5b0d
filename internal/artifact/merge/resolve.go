package merge

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// block is one accepted delta on its way into the artifact.
type block struct {
	*State
	delta   *delta.Delta
	report  *MessageReport
	source  *artifact.Source
	agent   int
	human   bool     // the message is a DELTA[human]: it resolves disputes
	base    *Version // the version the message says it worked on; nil if it does not
	entry   *entry
	changed bool
}

func (b *block) note(f protocol.Finding) {
	if f.Line == 0 {
		f.Line = b.delta.Line
	}
	b.report.Receipt.Note(b.delta.Block, f)
}

// place is where in a unit's item and in the message a claim is made.
type place struct {
	path string // of the unit, such as predictions.H2
	kind unitKind
	in   *delta.Field // nil for a field that no table names
}

// resolve makes a claim on a unit and returns the value that the unit then has (PROTOCOL 7,
// conflict). The later message wins; messages of the same instant form a ballot.
func (b *block) resolve(p place, now, want artifact.Value) artifact.Value {
	key := unitKey(p.path, p.kind)
	u := b.unit(b.entry, key, p.path, now)
	c := claim{b.agent, b.human, b.report.place, want, b.source}
	if u.remember(c, b.since) {
		b.contested = append(b.contested, contest{b.entry.item.ID, key, p.path})
	}
	b.checkBase(p, u, now, want)
	fresh := u.last.source == nil || !u.at.Equal(b.source.At)
	resolves := b.human && slices.Contains(b.entry.item.Conflicts, p.path)
	if !fresh && !resolves {
		return b.tie(p, u, c, now)
	}
	u.at, u.before = b.source.At, standing{now, b.entry.item.Source(p.path)}
	u.last, u.tied, u.tally, u.disputed = c, nil, nil, false
	if resolves {
		b.unlist(p.path)
	}
	return b.stand(p, u, now, standing{want, b.source})
}

// tie makes a claim at the instant of the claim before it.
func (b *block) tie(p place, u *unit, c claim, now artifact.Value) artifact.Value {
	if u.tied == nil && u.last.voter() == c.voter() {
		u.last = c
		return b.stand(p, u, now, standing{c.value, c.source})
	}
	winner := b.vote(u, c)
	u.last = c
	if winner == nil {
		b.dispute(p, u)
		return b.stand(p, u, now, u.before)
	}
	if u.disputed {
		u.disputed = false
		b.unlist(p.path)
	}
	return b.stand(p, u, now, standing{winner.value, winner.source})
}

// vote puts a claim on the ballot of its instant and returns the claim that decides, nil if
// none does.
func (b *block) vote(u *unit, c claim) *claim {
	if u.tied == nil {
		u.tied = newBallot(u.last)
	}
	i, old := u.tied.set(c)
	if u.tally == nil || u.tally.age != b.seats.age {
		u.tally = b.count(u.tied)
	} else {
		b.recount(u.tally, i, &c, &old)
	}
	return u.tally.winner(u.tied)
}

// stand makes a value the one that holds, and records what that changed.
func (b *block) stand(p place, u *unit, now artifact.Value, next standing) artifact.Value {
	item, asked := b.entry.item, u.last.value
	if !artifact.Equal(asked, next.value) {
		b.record(Change{Field: p.path, Kind: KindOverruled, Old: now, New: asked, By: b.source, Against: next.source})
	}
	if artifact.Equal(now, next.value) {
		return now
	}
	b.record(Change{Field: p.path, Kind: KindEdited, Old: now, New: next.value, By: b.source})
	b.changed, u.changed = true, b.report.place
	if next.value == nil {
		next.source = nil
	}
	item.SetSource(p.path, next.source)
	return next.value
}

func (b *block) record(c Change) {
	c.Item = b.entry.item.ID
	b.report.Changes = append(b.report.Changes, c)
}

// dispute lists a unit that no one in the roster decides: it keeps its value from before the
// instant until a person edits it.
func (b *block) dispute(p place, u *unit) {
	item := b.entry.item
	if i, listed := slices.BinarySearch(item.Conflicts, p.path); !listed {
		item.Conflicts = slices.Insert(slices.Clip(item.Conflicts), i, p.path)
		b.changed = true
	}
	u.disputed = true
	f := protocol.NewFinding(protocol.FieldConflict,
		"%s set %s of %s to different values at %s; none of them is in the roster, so it stays %s.",
		claimants(u.tied), p.path, item.ID, artifact.FormatTime(u.at), short(u.before.value)).
		On(string(item.ID)).WithFix("Resolve it with a DELTA[human] that edits %s of %s.", p.path, item.ID)
	b.note(p.locate(f))
}

// unlist takes a unit off the item's list of disputes.
func (b *block) unlist(path string) {
	item := b.entry.item
	if i, listed := slices.BinarySearch(item.Conflicts, path); listed {
		item.Conflicts = slices.Delete(slices.Clone(item.Conflicts), i, i+1)
		b.changed = true
	}
}

// locate gives a finding the place of the field in the message.
func (p place) locate(f protocol.Finding) protocol.Finding {
	if p.in == nil {
		return f.In("payload." + p.path)
	}
	return f.At(p.in.Line, p.in.Column).In(p.in.Path)
}

// claimants names the agents of a ballot, the first few of many.
func claimants(b *ballot) string {
	const maxNamed = 4
	text := ""
	for i, c := range b.claims {
		switch {
		case i == maxNamed:
			return text + " and " + protocol.Plural(len(b.claims)-maxNamed, "other")
		case i > 0 && i == len(b.claims)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += c.source.Agent
	}
	return text
}
