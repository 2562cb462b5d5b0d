package science

import (
	"fmt"
	"math"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// findings are what was not heard, tables that differ, and what the numbers themselves give cause for (SCIENCE 4).
func (a *Account) findings() []protocol.Finding {
	list := []protocol.Finding{}
	for _, n := range a.Beliefs.Notes.All() {
		list = append(list, n.Finding)
	}
	for i, t := range a.Beliefs.Tests.All() {
		id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
		if t != nil && (!t.Killed || a.Results.FirstLook(id).Place > 0) {
			table := a.Table(id)
			list = append(append(list, table.differing()...), table.unreadable()...)
		}
	}
	if a.allContradicted() {
		list = append(list, protocol.NewFinding(protocol.AllContradicted,
			"Every active hypothesis is contradicted by a result: none of these may be right."))
	}
	for _, r := range a.restated {
		list = append(list, r.finding())
	}
	list = append(list, a.stale()...)
	return append(list, findingsOf(a.ResultNotes())...)
}

// differing tells of statements whose labels are not the derived ones, or that are of the other kind than their test.
func (t *Table) differing() []protocol.Finding {
	var list []protocol.Finding
	for _, agent := range t.differ {
		list = append(list, protocol.NewFinding(protocol.LabelsDiffer,
			"%s states likelihoods of %s for other labels than the expected outcomes.", agent, t.Test).
			On(string(t.Test)).WithFix("State them for %s.", quoteAll(t.Labels[:t.derived])))
	}
	for _, agent := range t.otherKind {
		list = append(list, otherKind(t.Test, agent, t.Quantity))
	}
	return list
}

// otherKind tells of a statement that has labels where its test measures a quantity, or numbers where its outcomes are labels.
func otherKind(test artifact.ItemID, agent string, q *quantity.Quantity) protocol.Finding {
	what := "%s states numbers for %s, whose outcomes are labels; they are not used."
	fix := "State labels, and a row of numbers from 0 to 1 for each world."
	if q != nil {
		what = "%s states labels for %s, which measures a quantity; they are not used."
		fix = "State a number with a spread for each world, such as 73 ± 1."
	}
	return protocol.NewFinding(protocol.LabelsDiffer, what, agent, test).On(string(test)).WithFix("%s", fix)
}

// unreadable tells of cells that are no numbers with a spread in the quantity's unit (CELL_NOT_NUMERIC).
func (t *Table) unreadable() []protocol.Finding {
	var list []protocol.Finding
	for _, u := range t.unread {
		path := artifact.ExpectedOutcomes + "." + u.world.ID()
		if u.by != "" {
			path = statedPath(string(t.Test), u.world.ID())
		}
		list = append(list, u.finding(t.Test).In(path))
	}
	return list
}

func (u *unread) finding(test artifact.ItemID) protocol.Finding {
	who := fmt.Sprintf("What %s expects of %s", u.world.ID(), test)
	if u.by != "" {
		who = fmt.Sprintf("What %s states for %s in %s", u.by, u.world.ID(), test)
	}
	return protocol.NewFinding(protocol.CellNotNumeric, "%s, %s, is not read: %s.", who, quoted(u.text), u.err).On(string(test))
}

// restatement is a statement that differs from what its sender's earlier numbers implied.
type restatement struct {
	agent   string
	said    *Credences
	implied holding
	apart   float64
}

// maxRestated is how far a new statement may lie from what the earlier one implies.
const maxRestated = 0.1

// compare holds a new statement against what the sender's earlier numbers imply just before its message.
func (r *replay) compare(t *turn, v *voice, c *Credences, before ledger) {
	implied := r.carry(v.name, v.said.stated(), v.said.Place, t.Place, before, everything)
	if apart := implied.apart(c.stated()); apart > maxRestated {
		r.restated = append(r.restated, restatement{v.name, c, implied, apart})
	}
}

// apart is half the sum of the differences.
func (h holding) apart(other holding) float64 {
	h = h.over(other.worlds)
	other = other.over(h.worlds)
	sum := 0.0
	for i := range h.masses {
		sum += math.Abs(h.masses[i] - other.masses[i])
	}
	return sum / 2
}

func (r *restatement) finding() protocol.Finding {
	return protocol.NewFinding(protocol.Restated, "%s states %s in message %d; its earlier numbers and the results since imply %s.",
		r.agent, r.said.stated().text(), r.said.MessageID, r.implied.text())
}

func (h holding) text() string {
	var parts []string
	for i, w := range h.worlds {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", w.ID(), 100*h.masses[i]))
	}
	return strings.Join(parts, ", ")
}

// stale tells of credences that were stated when a result stood that does not any more: they may still hold it.
func (a *Account) stale() []protocol.Finding {
	var list []protocol.Finding
	for _, c := range a.latest(a.Messages) {
		for _, g := range a.Results.Given.All() {
			if g.Place <= c.Place && g.stood(c.Place) && g.Gone > c.Place {
				list = append(list, protocol.NewFinding(protocol.StaleCredences, "The credences of %s in message %d came after the "+
					"result of %s in message %d, which no longer stands: they may still hold it.",
					c.Agent, c.MessageID, g.Test, g.MessageID).On(string(g.Test)).WithFix("Ask %s to state its credences again.", c.Agent))
				break
			}
		}
	}
	return list
}
