package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/commandline"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

func newNext(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "next T",
		Short: "Say what to do next: what waits for a person, then the tests by bits per effort",
		Long: `Say what to do next in a session. First what a person would do before any test: Critical critiques,
questions to the operator, pending deltas, lint errors. Then the active tests without a result: how
many bits each would teach about which hypothesis is right, and what it costs. No test is left out.`,
		Example:           "  brenner next RS-20260110-cells-turn\n  brenner next RS-20260110-cells-turn --by bits",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Next, func(answer usecase.NextAnswer) report {
		answer.First = asCommands(answer.First)
		return nextReport{answer}
	})
}

type nextReport struct{ usecase.NextAnswer }

func (r nextReport) show(p *printer) {
	p.toDo(r.First)
	if len(r.Tests) == 0 {
		p.note("no active test waits for a result")
	} else {
		p.advice(r.Tests)
	}
	for _, pair := range r.Unseparated {
		p.print("no test tells %s from %s\n", pair[0], pair[1])
	}
	p.findingsOnErr(r.Findings)
	if len(r.Tests) > 0 && r.Tests[0].Blocked == nil && len(r.Tests[0].Labels) > 0 {
		p.next("brenner", "whatif", r.ThreadID, fmt.Sprintf("%s=%s", r.Tests[0].Test, r.Tests[0].Labels[0]))
		return
	}
	p.next("brenner", "session", "status", r.ThreadID)
}

// asCommands words what waits as commands to type.
func asCommands(list []session.ToDo) []session.ToDo {
	list = slices.Clone(list)
	for i := range list {
		list[i].Command = list[i].Command.Worded(commandline.Of(list[i].Command))
	}
	return list
}

// toDo lists what waits for a person, each with the command that does it.
func (p *printer) toDo(list []session.ToDo) {
	for _, t := range list {
		p.print("%s %s\n       %s\n", p.style(styleBold, "first:"), visible(t.What), visible(commandline.Of(t.Command)))
	}
}

// advice is the table of tests: bits, effort, range and what was assumed; then what to know of single ones.
func (p *printer) advice(tests []science.Advice) {
	var rows [][]string
	for _, t := range tests {
		rows = append(rows, []string{
			string(t.Test), fmt.Sprintf("%.3f", t.BitsPerEffort), fmt.Sprintf("%.3f", t.Bits), fmt.Sprintf("%.1f", t.Effort),
			fmt.Sprintf("%.2f–%.2f", t.Range[0], t.Range[1]), assumed(t.Assumed), t.Name,
		})
	}
	p.table(columns("Test", "Bits/effort", "Bits?", "Effort?", "Range?", "Assumed…", "Name…"), rows)
	for _, t := range tests {
		p.caveats(&t)
	}
	for _, t := range tests {
		p.findingsOnErr(t.Findings)
	}
}

// caveats say why a test stands last, that somebody has looked already, and what is the word of one agent.
func (p *printer) caveats(t *science.Advice) {
	if t.Blocked != nil {
		p.print("%s cannot be done: %s\n", t.Test, visible(*t.Blocked))
	}
	if t.Confirm {
		p.print("%s was only looked at: a result would confirm what was seen\n", t.Test)
	}
	by := map[string][]string{}
	for _, world := range science.Ordered(t.RestsOn) {
		by[t.RestsOn[world]] = append(by[t.RestsOn[world]], world)
	}
	for _, agent := range slices.Sorted(maps.Keys(by)) {
		p.print("%s: %s alone says what to expect under %s\n", t.Test, visible(agent), strings.Join(by[agent], ", "))
	}
}

// assumed shortens the parts of a score that were missing.
func assumed(parts []string) string {
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}
