package evidence

import (
	"strings"

	"brenner/internal/arithmetic"
	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Sums checks the equations of a text at a path: NUM-001, for what stands in a calculation.
func Sums(path, text string) []protocol.Finding {
	name := path[strings.LastIndexByte(path, '.')+1:]
	if name, _, _ = strings.Cut(name, "["); name != artifact.Calculation {
		return nil
	}
	var findings []protocol.Finding
	for _, wrong := range arithmetic.Check(text) {
		findings = append(findings, protocol.NewFinding(protocol.NUM001, "%s does not hold: the left side is %s, the right side %s.",
			Show(wrong.Text), wrong.Left, wrong.Right))
	}
	return findings
}
