package session

import (
	"fmt"
	"strings"

	"brenner/internal/fold"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// roundState is what a further round builds on.
type roundState struct {
	prompt.State // for all recipients
	worlds       []science.WorldReport
	means        []science.CalibrationRow
	scores       []science.Score
	signs        []science.Sign
	science      *science.State
}

func (s *Session) roundState(focus string) *roundState {
	beliefs := s.Beliefs()
	state := roundState{
		worlds: beliefs.Worlds, means: s.Calibration(ByAgent), scores: s.Account().Scores(), science: s.View.Science,
		State: prompt.State{
			BaseArtifact: s.View.Latest(), Focus: focus, Found: resultLines(s.Results()), Belief: beliefLine(beliefs.Worlds),
			Next: append(s.bestTests(), s.Gaps()...),
		},
	}
	if signs, err := s.Signs(); err == nil { // else somebody who needs the pack is told
		state.signs = signs.Rows
	}
	for _, c := range s.View.OpenCritiques() {
		state.OpenCritiques = append(state.OpenCritiques, critiqueLine(c))
	}
	return &state
}

// of is the state as one recipient is told it.
func (r *roundState) of(agent string) *prompt.State {
	if r == nil {
		return nil
	}
	state := r.State
	if len(r.worlds) > 1 && !r.stated(agent) {
		state.You = append(state.You, "You have stated no credences.")
	}
	state.You = append(state.You, r.science.Unanswered(agent)...)
	state.You = append(append(state.You, r.scored(agent)...), r.moves(agent)...)
	return &state
}

// maxScores is how many of its latest forecasts an agent is shown one by one.
const maxScores = 3

// scored shows an agent what its statements were scored: the latest one by one, then all together.
func (r *roundState) scored(agent string) []string {
	var lines []string
	for i := range r.scores {
		if s := &r.scores[i]; !s.Self && protocol.SameAgent(s.Agent, agent) {
			lines = append(lines, s.Words()+".")
		}
	}
	lines = lines[max(0, len(lines)-maxScores):]
	for i := range r.means {
		if line := scoreLine(&r.means[i]); line != "" && protocol.SameAgent(r.means[i].By, agent) {
			lines = append(lines, line)
		}
	}
	return lines
}

// moves tells an agent whether it moves with the evidence (SCIENCE 7, vital signs).
func (r *roundState) moves(agent string) []string {
	for i := range r.signs {
		if words := r.signs[i].Words(); words != "" && protocol.SameAgent(*r.signs[i].Agent, agent) {
			return []string{"How you move with the evidence: " + words + "."}
		}
	}
	return nil
}

// scoreLine says how well an agent foresaw what was found; empty if nothing was scored.
func scoreLine(row *science.CalibrationRow) string {
	var parts []string
	if row.Brier != nil {
		parts = append(parts, fmt.Sprintf("%s, Brier %.2f (even odds %.2f)", protocol.Plural(row.N, "outcome"), *row.Brier,
			*row.BaselineBrier))
	}
	if row.Inside90.Of > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s inside your 90 %%", row.Inside90.N, protocol.Plural(row.Inside90.Of, "value")))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Your forecasts: " + strings.Join(parts, "; ") + "."
}

// stated tells whether an agent has said how likely it holds the hypotheses.
func (r *roundState) stated(agent string) bool {
	for _, w := range r.worlds {
		for name := range w.Agents {
			if protocol.SameAgent(name, agent) {
				return true
			}
		}
	}
	return false
}

func critiqueLine(c fold.OpenCritique) string {
	line := "#" + formatID(c.MessageID)
	if c.Item != nil {
		line = *c.Item
	}
	if c.Target != nil {
		line += " on " + *c.Target
	}
	if c.Severity != nil {
		line += ", " + *c.Severity
	}
	if c.From != "" {
		line += ", by " + c.From
	}
	return line + ": " + c.Title
}

// resultLines say of each result what it says, who recorded it and from which source: those that stand first, then what was replaced or
// withdrawn.
func resultLines(rows []science.ResultRow) []string {
	var lines, gone []string
	for i := range rows {
		switch r := &rows[i]; r.Standing {
		case science.Main, science.Replication:
			lines = append(lines, resultLine(r))
		case science.Replaced, science.Withdrawn:
			gone = append(gone, resultLine(r))
		}
	}
	return append(lines, gone...)
}

// resultLine has its parts apart from each other by marks that bind no source to a quotation.
func resultLine(r *science.ResultRow) string {
	name := r.Name
	if r.Standing == science.Replication {
		name = "again"
	}
	found := r.Said()
	if found == "" && r.Status != nil {
		found = *r.Status
	}
	parts := []string{
		fmt.Sprintf("%s %s: %s", r.Test, protocol.Brief(name), protocol.Brief(found)),
		strings.Join(append([]string{fmt.Sprintf("%s #%d", r.By, r.MessageID)}, r.Evidence...), ", "),
	}
	switch {
	case r.Standing == science.Replaced && r.ReplacedBy != nil:
		parts = append(parts, fmt.Sprintf("replaced by #%d", *r.ReplacedBy))
	case r.Standing == science.Withdrawn:
		parts = append(parts, "withdrawn")
	}
	if r.Exploratory {
		parts = append(parts, "exploratory")
	}
	if r.Uncounted != "" {
		parts = append(parts, "not counted: "+r.Uncounted)
	}
	return strings.Join(parts, "; ")
}

// beliefLine says how likely the agents hold each world; empty without hypotheses.
func beliefLine(worlds []science.WorldReport) string {
	if len(worlds) < 2 {
		return ""
	}
	var parts []string
	stated := false
	for _, w := range worlds {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", w.ID, 100*w.Pooled))
		stated = stated || len(w.Agents) > 0
	}
	line := strings.Join(parts, ", ")
	if !stated {
		line += " (nobody has stated credences)"
	}
	return line
}

// maxTests is how many tests a round is pointed to.
const maxTests = 3

// bestTests names the tests that would teach most for their effort.
func (s *Session) bestTests() []string {
	var lines []string
	for _, t := range s.Ranking().Tests {
		if len(lines) < maxTests && t.Blocked == nil && !hasCode(t.Findings, protocol.CannotDiscriminate) {
			lines = append(lines, "run "+testLine(&t))
		}
	}
	return lines
}

func testLine(t *science.Advice) string {
	return fmt.Sprintf("%s %s (%.2g bits)", t.Test, protocol.Brief(t.Name), t.Bits)
}
