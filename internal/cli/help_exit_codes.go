package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newHelpExitCodes(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "exit-codes",
		Short:   "What each exit code means",
		Example: "  brenner help exit-codes",
		Args:    exactly(),
	}, func(context.Context, []string) (report, error) { return exitCodesReport{exitTable()}, nil })
}

type exitCodesReport struct {
	ExitCodes []exitCode `json:"exit_codes"`
}

func (r exitCodesReport) show(p *printer) {
	var b strings.Builder
	for _, row := range r.ExitCodes {
		fmt.Fprintf(&b, "%3d  %-11s  %s\n", row.Code, row.Name, row.Meaning)
	}
	p.print("%s", p.wrapped(b.String()))
	p.next("brenner", "help", "findings")
}
