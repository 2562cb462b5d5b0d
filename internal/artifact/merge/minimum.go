package merge

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// traits are the properties of an item that a section must not lose.
type traits struct{ third, scale bool }

func traitsOf(item *artifact.Item) traits {
	switch item.Section {
	case artifact.HypothesisSlate:
		return traits{third: item.IsThirdAlternative()}
	case artifact.AssumptionLedger:
		return traits{scale: item.IsScaleCheck()}
	}
	return traits{}
}

// mayShift tells whether an EDIT sets a field that decides about traits.
func mayShift(edit *delta.Delta) bool {
	return slices.ContainsFunc(edit.Fields, func(f delta.Field) bool {
		return f.Name == artifact.Name || f.Name == artifact.ThirdAlternative || f.Name == artifact.ScaleCheck
	})
}

// thirds and scales are what the item adds to the counts of a section.
func (t traits) thirds() int {
	if t.third {
		return 1
	}
	return 0
}

func (t traits) scales() int {
	if t.scale {
		return 1
	}
	return 0
}

// roll counts the active items: by section, and those with a trait.
type roll struct {
	active       [sections]int
	third, scale int
}

// enlist counts an active item of a loaded state.
func (r *roll) enlist(section artifact.Section, t traits) {
	r.active[section]++
	r.third += t.thirds()
	r.scale += t.scales()
}

// enroll counts an item that came (+1) or was killed (-1), and warns about what the kill
// leaves (PROTOCOL 7).
func (b *block) enroll(item *artifact.Item, by int) {
	b.active[item.Section] += by
	t := traitsOf(item)
	if by > 0 {
		b.shift(item, traits{}, t)
		return
	}
	b.shift(item, t, traits{})
	if n, least := b.active[item.Section], item.Section.Minimum(); n < least {
		b.note(protocol.NewFinding(protocol.BelowMinimum, "%s leaves the %s below their minimum: %d active, at least %d wanted.",
			b.doing(item), item.Section.Plural(), n, least).On(string(item.ID)))
	}
}

// shift counts an item whose traits changed, and warns if it was the last with one.
func (b *block) shift(item *artifact.Item, before, after traits) {
	if before.third != after.third {
		b.third += after.thirds() - before.thirds()
		if b.third == 0 {
			b.note(protocol.NewFinding(protocol.NoThirdAlternative, "%s leaves no active third alternative.", b.doing(item)).
				On(string(item.ID)))
		}
	}
	if before.scale != after.scale {
		b.scale += after.scales() - before.scales()
		if b.scale == 0 {
			b.note(protocol.NewFinding(protocol.NoScaleCheck, "%s leaves no active scale check.", b.doing(item)).On(string(item.ID)))
		}
	}
}

func (b *block) doing(item *artifact.Item) string {
	if item.Active() {
		return "This change of " + string(item.ID)
	}
	return "Killing " + string(item.ID)
}
