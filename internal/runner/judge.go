package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// judge tells whether the run ends after a round, and why. Empty: it goes on.
func (r *run) judge(ctx context.Context, round int) (Status, string, error) {
	report, err := r.report(ctx)
	if err != nil {
		return "", "", err
	}
	r.tell(Event{Kind: RoundEnded, Round: round})
	if m := r.stopAsked(); m != nil {
		return Stopped, stoppedBy(m), nil
	}
	spent, over, err := r.overspent("")
	if err != nil {
		return "", "", err
	}
	last := report.round(round)
	critical := report.critical()
	switch clean := report.LintErrors == 0 && len(critical) == 0; {
	case last == nil: // a round beyond the limit, played by others
		return Limit, fmt.Sprintf("round %d is beyond the limit of %d", round, r.kept().Rounds), nil
	case report.Version > 0 && !last.New && clean && len(last.troubled()) == 0:
		return Converged, fmt.Sprintf("round %d brought nothing new, lint is clean and no Critical critique is open%s", round,
			last.quiet()), nil
	case over:
		return Spent, spent + "; started with a higher budget, the run goes on", nil
	case !last.contributed() && (round >= r.kept().Rounds || !last.mendable()):
		return Stalled, fmt.Sprintf("nobody contributed in round %d: %s%s", round, report.obstacles(last), last.quiet()), nil
	case round >= r.kept().Rounds:
		return Limit, fmt.Sprintf("round %d was the last; %s%s", round, report.obstacles(last), last.quiet()), nil
	}
	return "", "", nil
}

func stoppedBy(m *mail.Message) string {
	return fmt.Sprintf("%s said so in message %d; started again, the session is played on", m.From, m.ID)
}

// obstacles names what keeps a round from convergence.
func (r *Report) obstacles(last *Round) string {
	var parts []string
	if r.Version == 0 {
		parts = append(parts, "there is no artifact yet")
	}
	if r.LintErrors > 0 {
		parts = append(parts, fmt.Sprintf("lint errors: %d", r.LintErrors))
	}
	for _, name := range r.critical() {
		parts = append(parts, "Critical critique "+name+" is open")
	}
	for _, a := range last.troubled() {
		parts = append(parts, a.Agent+": "+a.Reason)
	}
	if len(parts) == 0 && last.New {
		return "it brought something new, lint is clean and no Critical critique is open"
	}
	if len(parts) == 0 {
		return "nothing is in the way"
	}
	return strings.Join(parts, "; ")
}

// critical lists the open critiques that are Critical.
func (r *Report) critical() []string {
	var list []string
	for _, c := range r.OpenCritiques {
		if c.Critical() {
			list = append(list, fmt.Sprintf("#%d", c.MessageID))
		}
	}
	return list
}

func (r *Report) round(n int) *Round {
	for i := range r.Rounds {
		if r.Rounds[i].Number == n {
			return &r.Rounds[i]
		}
	}
	return nil
}

func (r *Round) troubled() []Agent {
	var list []Agent
	for _, a := range r.Agents {
		if a.Verdict.trouble() {
			list = append(list, a)
		}
	}
	return list
}

// quiet names the agents that said nothing, and why as far as that is known: those that could not speak are
// among the obstacles.
func (r *Round) quiet() string {
	var reasons []string
	names := map[string][]string{}
	for _, a := range r.Agents {
		if a.Verdict != Silent && a.Verdict != Spoke {
			continue
		}
		if names[a.Reason] == nil {
			reasons = append(reasons, a.Reason)
		}
		names[a.Reason] = append(names[a.Reason], a.Agent)
	}
	var b strings.Builder
	for _, reason := range reasons {
		fmt.Fprintf(&b, "; %s: %s", strings.Join(names[reason], ", "), reason)
	}
	return b.String()
}

// mendable tells whether the merge rejected something: its author learns of it with the next round.
func (r *Round) mendable() bool {
	for _, a := range r.Agents {
		for _, refusal := range a.Refusals {
			if refusal.Source == "delta" {
				return true
			}
		}
	}
	return false
}

func (r *Round) contributed() bool {
	for _, a := range r.Agents {
		if a.How != nil {
			return true
		}
	}
	return false
}

// failed gives an error that ends a run its status. A run that was interrupted goes on later.
func (r *run) failed(ctx context.Context, err error) (Status, string, error) {
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	switch mail.CodeOf(err) {
	case protocol.TimedOut:
		return TimedOut, "the time allowed for the run is over", err
	case protocol.Interrupted:
		return Interrupted, "it was told to end; started again, it goes on where it stood", err
	}
	return Interrupted, err.Error(), err
}

// finish writes down how the run ended and gives the error that the surface reports.
func (r *run) finish(ctx context.Context, status Status, reason string, err error) (Report, error) {
	report, reportErr := r.report(ctx)
	report.Status, report.Reason = status, reason
	if err == nil {
		err = reportErr
	}
	r.record.Status, r.record.Reason, r.record.Round, r.record.Through = status, reason, r.latestRound(), r.through()
	if saveErr := save(filepath.Join(r.folder.path, "run.json"), r.record); err == nil {
		err = saveErr
	}
	r.tell(Event{Kind: Ended, Round: r.record.Round, Text: string(status)})
	if err != nil {
		return report, err
	}
	switch status {
	case Waiting:
		return report, protocol.Errorf(protocol.Waiting, "%s", reason)
	case Stalled:
		return report, report.stalled(reason)
	}
	return report, nil
}

// stalled: a round in which all agents ran out of time timed out.
func (r *Report) stalled(reason string) error {
	last := &r.Rounds[len(r.Rounds)-1]
	late := 0
	for _, a := range last.Agents {
		if a.Verdict == Late {
			late++
		}
	}
	if late > 0 && late == len(last.Agents) {
		return protocol.Errorf(protocol.TimedOut, "%s", reason)
	}
	return protocol.Errorf(protocol.RunStalled, "%s", reason)
}

// report sums up the rounds of the run from the thread and the folder.
func (r *run) report(ctx context.Context) (Report, error) {
	report := Report{ThreadID: r.o.ThreadID, Rounds: []Round{}, Folder: r.folder.path}
	of, err := r.o.Sessions.Session(ctx, r.o.ThreadID)
	if err != nil {
		return report, err
	}
	out, err := of.Preview(ctx)
	if err != nil {
		return report, err
	}
	report.Version, report.ArtifactHash, report.OpenCritiques = out.Version, out.ArtifactHash, of.View.OpenCritiques()
	report.LintErrors, report.LintWarnings = out.Lint.Summary.Errors, out.Lint.Summary.Warnings
	if err := r.catchUp(ctx); err != nil {
		return report, err
	}
	if report.Usage, err = r.usage(""); err != nil {
		return report, err
	}
	for n := min(r.record.FirstRound, r.latestRound()); n <= min(r.latestRound(), r.kept().Rounds); n++ {
		round, err := r.reportRound(ctx, n)
		if err != nil {
			return report, err
		}
		report.Rounds = append(report.Rounds, round)
	}
	return report, nil
}

func (r *run) reportRound(ctx context.Context, n int) (Round, error) {
	round := Round{Number: n, Agents: []Agent{}}
	participants, err := r.participants(ctx, n)
	if err != nil {
		return round, err
	}
	r.mu.Lock()
	log := r.history.round(n)
	// Deltas that were all left out, or changed nothing, are nothing new (PROTOCOL 10).
	round.New = log.fresh && (log.compiled != nil || log.criticised)
	if log.compiled != nil {
		round.Version, round.MessageID = &log.compiled.Version, &log.compiled.ID
	}
	r.mu.Unlock()
	ids := make([]int64, len(participants))
	for i, p := range participants {
		ids[i] = p.kickoff.ID
	}
	acks := map[string]bool{}
	deliveries, err := r.mail.Store().Deliveries(ctx, mail.DeliveryQuery{Project: r.mail.Project().ID, Messages: ids})
	if err != nil {
		return round, err
	}
	for _, d := range deliveries {
		acks[mail.NameKey(d.Agent)] = d.State() == mail.Acknowledged
	}
	for _, p := range participants {
		a, err := r.reportAgent(ctx, n, p)
		if err != nil {
			return round, err
		}
		a.Acked = acks[mail.NameKey(p.name)]
		round.Agents = append(round.Agents, a)
	}
	return round, nil
}
