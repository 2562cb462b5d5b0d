package science

import (
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

// UnknownTargets warns about entries of a belief block whose item does not exist or is killed in the artifact after its
// message: they are left out (SCIENCE 4).
func UnknownTargets(a *artifact.Artifact, b message.Belief) []protocol.Finding {
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
		_, known := activeItem(a, artifact.DiscriminativeTests, l.Test)
		check(known, l.Test, "likelihoods."+l.Test)
		for _, row := range l.Rows {
			_, known := worldOf(a, row.World)
			check(known, row.World, "likelihoods."+l.Test+"."+row.World)
		}
	}
	return list
}

func unknownTarget(item string) protocol.Finding {
	return protocol.NewFinding(protocol.UnknownBeliefTarget,
		"%s does not exist or is killed, so that what is said about it is left out.", clip(item)).On(clip(item))
}
