package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

type runReport struct {
	runner.Report
	limit   int             // the last round to play
	refusal *protocol.Error // programs are missing; nil: none is
}

// refusalOf finds the error that says which programs are missing.
func refusalOf(err error) *protocol.Error {
	if refusal, ok := errors.AsType[*protocol.Error](err); ok && refusal.Code == protocol.ProgramMissing {
		return refusal
	}
	return nil
}

// begun tells whether any agent was started or waited for.
func (r runReport) begun() bool {
	return slices.ContainsFunc(r.Rounds, func(round runner.Round) bool {
		return slices.ContainsFunc(round.Agents, func(a runner.Agent) bool { return a.Attempts > 0 || a.How != nil })
	})
}

func (r runReport) show(p *printer) {
	if r.refusal != nil {
		p.findingsOnErr(r.refusal.Findings)
		if !r.begun() {
			return // a table of what did not happen is no help
		}
	}
	for _, round := range r.Rounds {
		p.print("round %d: %s\n", round.Number, roundText(round))
		var rows [][]string
		for _, a := range round.Agents {
			rows = append(rows, []string{"  " + a.Agent, string(a.Verdict), agentText(a)})
		}
		p.table(columns("  agent", "verdict", "why…"), rows)
		for _, a := range round.Agents {
			r.showRefusals(p, a)
			if a.LastWords != "" {
				p.note("    %s last printed: %s", visible(a.Agent), visible(a.LastWords))
			}
		}
	}
	p.print("%s: %s\n", p.style(styleBold, visible(r.ThreadID)+" "+string(r.Status)), visible(r.Reason))
	if r.Version > 0 {
		p.print("v%d: %s, %s, %s; artifact %s\n", r.Version, count(r.LintErrors, "lint error"), count(r.LintWarnings, "warning"),
			count(len(r.OpenCritiques), "open critique"), shortHash(r.ArtifactHash))
	}
	p.note("output of the agents: %s", visible(r.Folder))
	r.showNext(p)
}

func (r runReport) showNext(p *printer) {
	switch r.Status {
	case runner.Converged:
		p.next("brenner", "session", "complete", r.ThreadID)
	case runner.Waiting:
		p.next("brenner", "run", r.ThreadID, "--rounds", strconv.Itoa(r.limit), "--gate", "--go")
	case runner.Interrupted, runner.TimedOut:
		p.next("brenner", "run", r.ThreadID, "--rounds", strconv.Itoa(r.limit))
	case runner.Stalled:
		p.hint("brenner diagnose %s, mend what the agents ran into, and run again", visible(r.ThreadID))
	default:
		p.next("brenner", "session", "status", r.ThreadID)
	}
}

func roundText(r runner.Round) string {
	var parts []string
	if r.Version != nil {
		parts = append(parts, versionText(*r.Version))
	}
	if r.New {
		return strings.Join(append(parts, "something new"), ", ")
	}
	return strings.Join(append(parts, "nothing new"), ", ")
}

// agentText says what led to the verdict, and what else is worth knowing.
func agentText(a runner.Agent) string {
	parts := []string{a.Reason}
	if text := program.ModelText(a.Model, a.Passed); text != "" {
		parts = append(parts, text)
	}
	if asked := a.Attempts > 0 && a.Verdict != runner.NotStarted || a.End == runner.ByHand; asked && !a.Acked && a.How == nil {
		parts = append(parts, "never acknowledged its kickoff")
	}
	if a.Verdict == runner.Contributed || a.Verdict == runner.Repeated {
		if a.End == runner.AtDeadline {
			parts = append(parts, "its program was ended at the deadline")
		}
		if a.ExitCode != nil && *a.ExitCode != 0 {
			parts = append(parts, fmt.Sprintf("its program ended with exit code %d", *a.ExitCode))
		}
	}
	return strings.Join(parts, "; ")
}

func (r runReport) showRefusals(p *printer, a runner.Agent) {
	const maxShown = 3
	for i, refusal := range a.Refusals {
		if i == maxShown {
			p.note("    … and %d more of %s", len(a.Refusals)-maxShown, visible(a.Agent))
			return
		}
		for _, f := range refusal.Findings[:min(1, len(refusal.Findings))] {
			p.note("    %s: %s: %s %s", visible(a.Agent), visible(refusal.Subject), p.style(severityStyle[f.Severity], string(f.Code)),
				visible(f.Message))
		}
	}
}
