package science

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// Sign says whether an agent, or all of a session together, move with the evidence (SCIENCE 7, vital signs). A share of nothing is null.
type Sign struct {
	Agent       *string  `json:"agent"`   // null for the session
	Results     int      `json:"results"` // that it could have answered
	Answered    int      `json:"answered"`
	Uptake      *float64 `json:"uptake"`
	Statements  int      `json:"statements"` // of credences, after such results
	Revision    *float64 `json:"revision"`
	Drift       *float64 `json:"drift"`
	Refuted     int      `json:"refuted"`
	Revised     int      `json:"revised"`
	FalseQuotes int      `json:"false_quotes"`
	Rewritten   int      `json:"rewritten"` // cells that it wrote after the result
}

// Signs are the vital signs of a session: a row for each who wrote on the thread, and all of them together.
type Signs struct {
	Rows    []Sign `json:"rows"`
	Session Sign   `json:"session"`
}

// Signs counts the vital signs. falseQuotes are the false quotations of each agent, which the log alone does not tell.
func (a *Account) Signs(falseQuotes map[string]int) Signs {
	signs := Signs{Rows: []Sign{}}
	var all moves
	refuted := map[cellKey]bool{}
	counted := a.answerable()
	rewritten := a.rewritten()
	for _, spoke := range a.Deeds.Spoke {
		row := Sign{Agent: &spoke.Agent, FalseQuotes: falseQuotes[spoke.Agent], Rewritten: rewritten[spoke.Agent]}
		such := slices.DeleteFunc(slices.Clone(counted), func(g *Result) bool { return g.Place >= spoke.Place })
		row.Results = len(such)
		for _, g := range such {
			if a.answered(g, spoke.Agent) {
				row.Answered++
			}
		}
		moved := a.moves(spoke.Agent, such)
		all.add(moved)
		for _, cell := range a.refuted(spoke.Agent, such) {
			row.Refuted++
			revised := a.revised(spoke.Agent, cell)
			if revised {
				row.Revised++
			}
			refuted[cell.cellKey] = refuted[cell.cellKey] || revised
		}
		row.conclude(moved)
		signs.Rows = append(signs.Rows, row)
		signs.Session.sum(&row)
	}
	signs.Session.Refuted = len(refuted)
	for _, revised := range refuted {
		if revised {
			signs.Session.Revised++
		}
	}
	signs.Session.conclude(all)
	return signs
}

// conclude works out what is a share or a mean.
func (s *Sign) conclude(m moves) {
	if s.Results > 0 {
		uptake := float64(s.Answered) / float64(s.Results)
		s.Uptake = &uptake
	}
	s.Statements, s.Revision, s.Drift = m.n, m.revision(), m.drift()
}

// sum adds the counts of an agent. A cell that two agents answer for is refuted once.
func (s *Sign) sum(row *Sign) {
	s.Results += row.Results
	s.Answered += row.Answered
	s.FalseQuotes += row.FalseQuotes
	s.Rewritten += row.Rewritten
}

// answerable are the results that stand, count and are not exploratory, oldest first.
func (s *State) answerable() []*Result {
	var list []*Result
	cites := s.citations()
	for _, g := range s.Results.Given.All() {
		if !g.Exploratory && s.counted(g, cites) {
			list = append(list, g)
		}
	}
	return list
}

// answered reports whether a later message of an agent answers a result: it states credences, or edits or kills a hypothesis that the
// test discriminates.
func (s *State) answered(g *Result, agent string) bool { return s.answeredFrom(g, agent, g.Place+1) }

// answeredFrom reports whether a message of an agent at a place or behind it answers a result.
func (s *State) answeredFrom(g *Result, agent string, place int) bool {
	if slices.ContainsFunc(s.said(agent), func(c *Credences) bool { return c.Place >= place && !c.Withdrawn }) {
		return true
	}
	apart := s.Predictions.cells(g.Test).discriminated(s.Results.FirstLook(g.Test), s.Results.R(g.Test))
	return slices.ContainsFunc(apart, func(h string) bool { return s.Deeds.of(World(hypothesisNumber(h)), agent).Edited >= place })
}

// rewritten counts the cells that each agent wrote after the result.
func (s *State) rewritten() map[string]int {
	count := map[string]int{}
	for c := range s.registered() {
		if c.state(c.look, c.r) == PostHoc && !c.r.Exploratory {
			count[s.Deeds.name(c.last().By)]++
		}
	}
	return count
}

// cellKey names a cell.
type cellKey struct {
	test       artifact.ItemID
	hypothesis World
}

// refutedCell is a locked cell with the first result that contradicts it.
type refutedCell struct {
	cellKey
	by *Result
}

// refuted lists the locked cells that an agent wrote, or of hypotheses whose claim it wrote, that one of some results contradicts.
func (s *State) refuted(agent string, results []*Result) []refutedCell {
	var list []refutedCell
	for _, g := range results {
		look, r := s.Results.FirstLook(g.Test), s.Results.R(g.Test)
		for _, c := range s.Predictions.cells(g.Test).Cells {
			key := cellKey{g.Test, World(hypothesisNumber(c.Hypothesis))}
			known := slices.ContainsFunc(list, func(old refutedCell) bool { return old.cellKey == key })
			if known || c.last().Text == nil || c.state(look, r) != Locked ||
				!sameAgent(c.last().By, agent) && !sameAgent(s.Deeds.claimant(key.hypothesis, g.Place), agent) {
				continue
			}
			if verdict, _ := s.Judge(g, *c.last().Text); verdict == Contradicted {
				list = append(list, refutedCell{key, g})
			}
		}
	}
	return list
}

// revised reports whether an agent took a refutation up: it stated less for the hypothesis than before, edited its claim or mechanism,
// or killed it. What the result's own message does besides comes after the result.
func (s *State) revised(agent string, cell refutedCell) bool {
	if s.Deeds.of(cell.hypothesis, agent).Changed >= cell.by.Place {
		return true
	}
	var before *Credences
	for _, c := range s.said(agent) {
		switch {
		case c.Place < cell.by.Place:
			before = c
		case before != nil && !before.Withdrawn && !c.Withdrawn && c.has(cell.hypothesis) && c.stated().
			p(cell.hypothesis) < before.stated().p(cell.hypothesis):
			return true
		}
	}
	return false
}

// said lists the statements of an agent; of several in one message the last, which replaces the others.
func (s *State) said(agent string) []*Credences {
	var list []*Credences
	for _, c := range s.Beliefs.Said.All() {
		if !sameAgent(c.Agent, agent) {
			continue
		}
		if last := len(list) - 1; last >= 0 && list[last].Place == c.Place {
			list = list[:last]
		}
		list = append(list, c)
	}
	return list
}

// has reports whether a hypothesis was a world of the statement.
func (c *Credences) has(w World) bool { return slices.Contains(c.stated().worlds, w) }

// Unanswered names what an agent has not answered, for its next round: refutations it has not taken up, and other results that it has
// said nothing to, not even in the message that recorded them. Whether it wrote since makes no difference here.
func (s *State) Unanswered(agent string) []string {
	var lines []string
	counted := s.answerable()
	told := map[artifact.ItemID]bool{}
	for _, cell := range s.refuted(agent, counted) {
		if !s.revised(agent, cell) {
			told[cell.test] = true
			what := "you have not restated"
			if s.answeredFrom(cell.by, agent, cell.by.Place) {
				what = "you state no less for it, and have not changed it"
			}
			lines = append(lines, fmt.Sprintf("%s contradicts your %s; %s.", cell.test, cell.hypothesis.ID(), what))
		}
	}
	var silent []string
	for _, g := range counted {
		if !told[g.Test] && !s.answeredFrom(g, agent, g.Place) {
			told[g.Test] = true
			silent = append(silent, string(g.Test))
		}
	}
	if len(silent) > 0 {
		lines = append(lines, "You have not answered what was found in "+strings.Join(silent, ", ")+".")
	}
	return lines
}
