package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/commandline"
	"brenner/internal/protocol"
)

func newHelpFindings(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "findings [CODE…]",
		Short: "What each finding's code means, and how to mend it",
		Long: `Every finding and every error carries a stable code. Without arguments all codes are
listed; an argument selects the codes that begin with it.`,
		Example: "  brenner help findings\n  brenner help findings MB-1 INVALID_JSON",
	}
	return a.command(cmd, func(_ context.Context, args []string) (report, error) {
		rows, err := findingRows(args)
		return findingsReport{rows}, err
	})
}

type findingRow struct {
	Code     protocol.Code     `json:"code"`
	Severity protocol.Severity `json:"severity"`
	Meaning  string            `json:"meaning"`
	Fix      string            `json:"fix"`
	Exit     int               `json:"exit"` // of a command that fails with it
}

// findingRows selects codes by prefix. A prefix that selects none is NOT_FOUND.
func findingRows(prefixes []string) ([]findingRow, error) {
	rows := []findingRow{}
	unused := make(map[string]bool, len(prefixes))
	for _, prefix := range prefixes {
		unused[prefix] = true
	}
	for _, info := range protocol.Codes() {
		selected := len(prefixes) == 0
		for _, prefix := range prefixes {
			if strings.HasPrefix(string(info.Code), strings.ToUpper(prefix)) {
				selected = true
				delete(unused, prefix)
			}
		}
		if selected {
			rows = append(rows, findingRow{info.Code, info.Severity, info.Meaning, commandline.Fix(info.Fix, info.Code.Action()),
				exitCodes[info.Class].Code})
		}
	}
	for _, prefix := range prefixes {
		if unused[prefix] {
			return rows, protocol.Errorf(protocol.NotFound, "no code begins with %q", prefix)
		}
	}
	return rows, nil
}

type findingsReport struct {
	Findings []findingRow `json:"findings"`
}

func (r findingsReport) show(p *printer) {
	for _, row := range r.Findings {
		p.print("%s  %s\n", p.style(styleBold, string(row.Code)), p.style(severityStyle[row.Severity], string(row.Severity)))
		p.print("    %s\n", row.Meaning)
		if row.Fix != "" {
			p.print("    fix: %s\n", row.Fix)
		}
	}
	p.next("brenner", "help", "exit-codes")
}
