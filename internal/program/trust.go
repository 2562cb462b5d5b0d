package program

import (
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// Trusted refuses programs whose words a project file gives and no person has trusted (PROTOCOL 16). It is asked before anything is
// started; commands can be shown without. NOT_TRUSTED: one finding for each.
func (c *Catalog) Trusted(m Mode, programs ...string) error {
	programs = slices.Compact(slices.Sorted(slices.Values(programs)))
	var names []string
	var findings []protocol.Finding
	for _, program := range programs {
		if e := c.entries[program]; e.untrusted[m] {
			names = append(names, "agents."+program)
			findings = append(findings, protocol.NewFinding(protocol.NotTrusted, "nobody has trusted %s", strings.Join(e.words(m), " ")).
				In("agents."+program).WithFix("at a terminal, look at the commands and trust them"))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return protocol.Errorf(protocol.NotTrusted, "nothing was started: the project file names commands that you have not trusted (%s)",
		strings.Join(names, ", ")).WithFindings(findings)
}
