package lint

import (
	"strings"
	"unicode"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// checkAssumptions checks what EA and WA ask beyond presence and number.
func checkAssumptions(l *linter) {
	if !l.any(artifact.AssumptionLedger, (*artifact.Item).IsScaleCheck) {
		l.addSection(artifact.AssumptionLedger, protocol.NewFinding(protocol.EA002, "No active assumption is a scale or physics check."))
	}
	for _, it := range l.active[artifact.AssumptionLedger] {
		if !it.IsScaleCheck() {
			continue
		}
		switch calculation := it.Text(artifact.Calculation); {
		case blankText(calculation):
			l.addItem(it, artifact.Calculation, protocol.NewFinding(protocol.WA003, "%s is a scale check without a calculation.", it.ID))
		case !strings.ContainsFunc(calculation, unicode.IsDigit):
			l.addItem(it, artifact.Calculation, protocol.NewFinding(protocol.WA101, "The calculation of %s has no numbers in it.", it.ID))
		}
	}
}
