package science

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// worldOf finds an active world by its name.
func worldOf(a *artifact.Artifact, name string) (World, bool) {
	if name == message.NoneOfThese {
		return None, true
	}
	n, ok := activeItem(a, artifact.HypothesisSlate, name)
	return World(n), ok
}

// activeItem returns the number of an item of a section that exists and is not killed.
func activeItem(a *artifact.Artifact, section artifact.Section, name string) (int, bool) {
	id, s, n, ok := artifact.ParseItemID(name)
	if !ok || s != section {
		return 0, false
	}
	it := a.Item(id)
	return n, it != nil && it.Active()
}

// Unusable warns about what of a belief block cannot be used, by the artifact after its message: entries whose item does not exist or
// is killed, which are left out, tables of the other kind than their test, and cells that its quantity does not read (SCIENCE 4).
func Unusable(a *artifact.Artifact, b message.Belief) []protocol.Finding {
	var list []protocol.Finding
	check := func(known bool, name, path string) {
		if !known {
			list = append(list, unknownTarget(name).In(path).At(b.Line, 1))
		}
	}
	for _, c := range b.Credences {
		_, known := worldOf(a, c.World)
		check(known, c.World, "credences."+c.World)
	}
	for _, l := range b.Likelihoods {
		number, known := activeItem(a, artifact.DiscriminativeTests, l.Test)
		check(known, l.Test, statedPath(l.Test))
		for _, row := range l.Rows {
			_, known := worldOf(a, row.World)
			check(known, row.World, statedPath(l.Test, row.World))
		}
		if known {
			for _, f := range unusableRows(a.Item(artifact.NewItemID(artifact.DiscriminativeTests, number)), l) {
				list = append(list, f.At(b.Line, 1))
			}
		}
	}
	return list
}

// unusableRows tells of a table of the other kind than its test, or of its cells that are no numbers with a spread.
func unusableRows(test *artifact.Item, l message.Likelihoods) []protocol.Finding {
	q := quantityOf(test)
	if measures := q != nil; measures != (l.Labels == nil) {
		return []protocol.Finding{otherKind(test.ID, "The block", q).In(statedPath(l.Test))}
	}
	var list []protocol.Finding
	for _, row := range l.Rows {
		if q == nil {
			break
		}
		if _, err := q.Spread(row.Cell); err != nil {
			list = append(list, protocol.NewFinding(protocol.CellNotNumeric, "What is stated for %s in %s, %s, is not read: %s.",
				clip(row.World), test.ID, quoted(row.Cell), err).On(string(test.ID)).In(statedPath(l.Test, row.World)))
		}
	}
	return list
}

// statedPath is the place of a table, or of a row of it, in a belief block.
func statedPath(names ...string) string { return "likelihoods." + strings.Join(names, ".") }

func unknownTarget(item string) protocol.Finding {
	return protocol.NewFinding(protocol.UnknownBeliefTarget,
		"%s does not exist or is killed, so that what is said about it is left out.", clip(item)).On(clip(item))
}
