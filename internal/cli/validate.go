package cli

import (
	"github.com/spf13/cobra"

	"brenner/internal/protocol"
)

func newValidate(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "validate",
		Short: "Judge a thread id, subject, message, delta or roster, without touching a store",
		Long: `Judge text by the rules of the protocol. Nothing is stored or looked up; names are
checked for their form only. Exit code 3 means that an error finding stands.`,
		Example: "  brenner validate thread-id RS-20251230-cell-fate-dichotomy\n  brenner validate delta message.md",
	}, newValidateThreadID(a), newValidateSubject(a), newValidateMessage(a), newValidateDelta(a), newValidateRoster(a))
}

// verdict is nil if nothing is wrong, and otherwise the error of a validation.
func verdict(what string, findings []protocol.Finding) error { return verdictBeside(what, findings, 0) }

// verdictBeside is verdict where further findings are counted only.
func verdictBeside(what string, findings []protocol.Finding, more int) error {
	if !protocol.HasErrors(findings) {
		return nil
	}
	said := tally(findings)
	if more > 0 {
		said += " and " + count(more, "further finding")
	}
	return protocol.Errorf(protocol.ValidationFailed, "%s is not valid: %s", what, said).WithFindings(findings).Beside(more)
}
