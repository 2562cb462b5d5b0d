package lint

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// checkCritiques checks WC-001.
func checkCritiques(l *linter) {
	offers := func(it *artifact.Item) bool { return it.Flag(artifact.RealThirdAlternative) }
	if !l.any(artifact.AdversarialCritique, offers) {
		l.addSection(artifact.AdversarialCritique,
			protocol.NewFinding(protocol.WC001, "No active critique offers a real third alternative."))
	}
}
