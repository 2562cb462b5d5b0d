package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/commandline"
	"brenner/internal/fold"
	"brenner/internal/liveness"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

func newSessionStatus(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "status T",
		Short: "Show the state of a session and what to do next",
		Long: `Show a session: its phase and round, what each role has contributed, who owes an acknowledgement,
deltas that no version covers yet, open critiques, and where the latest version is written.`,
		Example:           "  brenner session status RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Status, func(st session.Status) report {
		st.First = asCommands(st.First)
		return statusReport{st}
	})
}

type statusReport struct{ session.Status }

func (r statusReport) show(p *printer) {
	head := p.folded("", "  ", fmt.Sprintf("%s: %s, round %d, %s", visible(r.ThreadID), r.Phase, r.Round, r.published()))
	head[0] = p.style(styleBold, visible(r.ThreadID)) + strings.TrimPrefix(head[0], visible(r.ThreadID))
	p.print("%s\n", strings.Join(head, "\n"))
	p.toDo(r.First)
	if r.Question != "" {
		p.field("question", r.Question)
	}
	if r.Bead != nil {
		p.field("bead", r.Bead.Title+" ("+r.Bead.Status+")")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Roles)) {
		p.field(name, strings.Join(r.Roles[name].Agents, ", ")+": "+count(r.Roles[name].Deltas, "accepted delta"))
	}
	r.showAgents(p)
	r.showAcks(p)
	p.field("pending", count(r.PendingDeltas, "delta")+" that no version covers")
	r.showCritiques(p)
	if r.Predictions.Stated > 0 {
		p.field("predictions", r.Predictions.String())
		p.field("quotations", r.Coverage.Line())
	}
	if r.LatestVersion > 0 {
		p.field("artifact", string(r.Persistence.State)+", "+r.Persistence.Path)
	}
	p.findingsOnErr(r.Findings)
	p.hint("%s", r.nextStep())
}

// field prints a line of a status under its name.
func (p *printer) field(name, value string) { p.line("  ", name+": "+value) }

// line prints a text of one line behind a margin, on as many as the terminal needs.
func (p *printer) line(margin, text string) {
	p.print("%s\n", strings.Join(p.folded(margin, margin+"  ", visible(text)), "\n"))
}

func (r statusReport) published() string {
	if r.LatestVersion == 0 {
		return "nothing published yet"
	}
	return "latest " + versionText(r.LatestVersion)
}

func (r statusReport) showAcks(p *printer) {
	if r.Acks.Required == 0 {
		return
	}
	p.print("  acknowledged: %d of %d\n", r.Acks.Acknowledged, r.Acks.Required)
	for _, a := range r.Acks.Pending {
		state := "waiting"
		if a.Overdue {
			state = "overdue"
		}
		p.print("    #%d %s: %s\n", a.MessageID, visible(a.Agent), state)
	}
}

func (r statusReport) showAgents(p *printer) {
	if len(r.Liveness) == 0 {
		return
	}
	p.print("  agents:\n")
	for _, a := range r.Liveness {
		p.line("    ", fmt.Sprintf("%s: %s, %s", a.Name, a.State, a.Reason))
	}
}

func (r statusReport) showCritiques(p *printer) {
	if len(r.OpenCritiques) == 0 {
		return
	}
	p.print("  open critiques:\n")
	for _, c := range r.OpenCritiques {
		p.line("    ", critiqueLine(c))
	}
}

func critiqueLine(c fold.OpenCritique) string {
	name := "#" + formatInt(c.MessageID)
	if c.Item != nil {
		name = *c.Item
	}
	parts := []string{name}
	if c.Severity != nil {
		parts = append(parts, *c.Severity)
	}
	line := strings.Join(append(parts, c.Title), " ")
	if c.Target != nil {
		line += " (on " + *c.Target + ")"
	}
	return line + ", from " + c.From
}

// nextStep is what one would do in this phase.
func (r statusReport) nextStep() string {
	id := visible(r.ThreadID)
	if first := r.First; len(first) > 0 && first[0].Kind != session.ToDoCompile { // in the way of anything else
		return visible(commandline.Of(first[0].Command))
	}
	switch r.Phase {
	case fold.PhaseKickoff:
		if step, ok := r.chat(); ok {
			return step
		}
		return "wait for contributions: brenner session watch " + id
	case fold.PhaseCollecting:
		if len(r.Findings) > 0 {
			return "brenner diagnose " + id + " --fix, then brenner compile " + id
		}
		return "brenner compile " + id
	case fold.PhaseCritique:
		return "brenner critique list " + id
	case fold.PhaseComplete:
		return "brenner artifact show " + id
	}
	if len(r.OpenCritiques) > 0 {
		return "brenner critique list " + id
	}
	return "brenner session complete " + id + ", or a further round: brenner session start --thread " + id + " --round N"
}

// seen tells whether an agent has ever shown itself.
func seen(a session.AgentState) bool {
	return a.State != liveness.Silent && a.State != liveness.Unknown
}

// chat is the next step of a session whose agents have no programs and have never been seen: a person brings them what they read.
func (r statusReport) chat() (string, bool) {
	owed := r.Acks.Pending
	if len(owed) == 0 || slices.ContainsFunc(r.Members, func(m fold.Member) bool { return m.Program != "" }) ||
		slices.ContainsFunc(r.Liveness, seen) {
		return "", false
	}
	return chatStep(owed[0].Agent, r.ThreadID), true
}
