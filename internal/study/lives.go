package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/figure"
	"brenner/internal/science"
	"brenner/internal/textnorm"
)

// Panel is one explanation's curve with its name.
type Panel struct {
	World
	Killed bool
	Figure figure.Panel
}

// Move is a message that moved belief.
type Move struct {
	MessageID int64
	Href      string
	Test      artifact.ItemID // whose result it gave; empty for another message
	Bits      float64         // the divergence of the pool after it from the pool before
}

// lifelines draws how the explanations lived.
func (b *builder) lifelines(s *Study) figure.Lifelines {
	b.notable = map[int64]bool{}
	for _, m := range s.Moves[:min(len(s.Moves), maxNotable)] {
		b.notable[m.MessageID] = true
	}
	f := figure.Lifelines{Messages: b.Science.Messages, Versions: b.versions(), Results: b.results(s)}
	alive := len(s.Alive())
	for i, h := range s.Hypotheses {
		if i == alive {
			f.Lanes = append(f.Lanes, b.laneOfNone(s))
		}
		f.Lanes = append(f.Lanes, b.lane(h))
	}
	if alive == len(s.Hypotheses) && alive > 0 {
		f.Lanes = append(f.Lanes, b.laneOfNone(s))
	}
	return f
}

// laneOfNone is none of these, a world like the others.
func (b *builder) laneOfNone(s *Study) figure.Lane {
	return figure.Lane{ID: s.None.ID, Name: s.None.Name, Href: "#slate", Pool: s.None.Pool}
}

func (b *builder) versions() []figure.Version {
	var list []figure.Version
	for _, v := range b.Science.Lifelines.Versions.All() {
		list = append(list, figure.Version{Number: v.Number, At: v.Place, Day: v.At.UTC().Format("2 Jan")})
	}
	return list
}

func (b *builder) lane(h Hypothesis) figure.Lane {
	lane := figure.Lane{ID: h.ID, Name: h.Name, Href: h.Href, Pool: h.Pool}
	for _, e := range b.lives.Of(h.Item.ID) {
		verb := "edits"
		switch e.Kind {
		case merge.KindKilled:
			continue
		case merge.KindAdded:
			verb = "adds"
		}
		lane.Writes = append(lane.Writes, figure.Write{
			At: e.Place, By: b.Cast.Of(e.By), Href: b.Links.Message(e.MessageID),
			Title: fmt.Sprintf("%s %s %s in #%d", e.By, verb, h.ID, e.MessageID),
		})
	}
	for _, a := range h.Attacks {
		lane.Attacks = append(lane.Attacks, b.attack(a))
	}
	if k := h.Killed; k != nil {
		lane.Killed = &figure.Kill{At: k.Place, By: k.By, Reason: k.Reason, Href: b.Links.Message(k.MessageID)}
	}
	return lane
}

func (b *builder) attack(a Attack) figure.Attack {
	return figure.Attack{
		At: max(1, b.lives.Place(a.MessageID)), By: b.Cast.Of(a.From), Href: b.Links.Message(a.MessageID),
		Open: a.State == science.AttackOpen, Closed: string(a.State), Critical: a.Severity == Critical,
		Title: fmt.Sprintf("%s attacks: %s (%s, #%d); %s", a.From, a.Title, cmp.Or(a.Severity, "no severity"), a.MessageID, a.State),
	}
}

// results are the results that the log has, also those that were replaced later, in its order.
func (b *builder) results(s *Study) []figure.Result {
	var list []figure.Result
	for i, g := range b.Science.Results.Given.All() {
		own := b.all[i]
		if own.Said == "" || own.Standing == science.Attempt {
			continue
		}
		r := figure.Result{At: g.Place, Test: string(g.Test), Outcome: own.Said, Href: b.Links.Message(g.MessageID), Note: b.noteOf(g, own),
			Verdicts: map[string]figure.Verdict{}}
		if own.Replicates != nil {
			r.Test += "′"
		}
		for _, c := range s.Matrix.Columns {
			if c.Born <= g.Place && (c.Ended == 0 || c.Ended >= g.Place) {
				if v := b.markOf(g, c.ID); v != "" {
					r.Verdicts[c.ID] = v
				}
			}
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b figure.Result) int { return a.At - b.At })
	return list
}

// markOf says how a result stood to what a hypothesis had expected; empty: there is nothing to say.
func (b *builder) markOf(g *science.Result, hypothesis string) figure.Verdict {
	p := b.cells[cellKey{g.Test, hypothesis}]
	switch {
	case g.Potency == science.PotencyFailed:
		return figure.Uncontrolled
	case g.Unforeseen != "":
		return figure.Surprised
	case p == nil || !science.Expects(p.Held()) && !p.Late():
		return figure.Silent
	case p.Held() == "":
		return figure.PostHoc
	}
	verdict, _ := b.Science.Judge(g, p.Held())
	return verdictMarks[verdict]
}

// verdictMarks are the marks of what a result says about a cell.
var verdictMarks = map[science.CellVerdict]figure.Verdict{
	science.AsExpected: figure.AsExpected, science.Contradicted: figure.Contradicted,
}

// noteOf is what stands above a result: what became of it, or its value where it moved belief much.
func (b *builder) noteOf(g *science.Result, own Result) string {
	switch {
	case g.Unforeseen != "":
		return "unforeseen"
	case g.Replaces > 0:
		return "replaces"
	case own.Value != nil && b.notable[g.MessageID]:
		bare := *own.Value
		bare.Unit = nil
		return bare.Text()
	}
	return ""
}

// panels are the curves of every explanation, and of none of them.
func (b *builder) panels(s *Study) []Panel {
	var list []Panel
	for _, h := range s.Hypotheses {
		p := Panel{World: h.World, Killed: h.Killed != nil, Figure: b.panel(s, h.World)}
		if h.Killed != nil {
			p.Figure.End = h.Killed.Place
		}
		list = append(list, p)
	}
	return append(list, Panel{World: s.None, Figure: b.panel(s, s.None)})
}

func (b *builder) panel(s *Study, w World) figure.Panel {
	label := []string{w.ID + " " + w.Name + ": pooled credence " + figure.Percent(w.Pooled)}
	for _, a := range w.Agents {
		label = append(label, a.By.Name+" "+figure.Percent(a.Points[len(a.Points)-1].Value))
	}
	return figure.Panel{
		Label: strings.Join(label, "; "), Messages: b.Science.Messages, Versions: s.Lifelines.Versions, Results: s.Lifelines.Results,
		Pool: w.Pool, Agents: w.Agents, Max: 1, Ticks: figure.PercentTicks,
	}
}

// uncertainty is the entropy of the pool over the thread.
func (b *builder) uncertainty() figure.Panel {
	top := 1.0
	for _, p := range b.entropy {
		top = math.Max(top, math.Ceil(p.Value))
	}
	return figure.Panel{
		Label: fmt.Sprintf("Uncertainty left: %.2f bits", b.report.EntropyBits), Messages: b.Science.Messages, Versions: b.versions(),
		Pool: b.entropy, Max: top, Ticks: []figure.Tick{{Value: 0, Label: "0"}, {Value: top / 2, Label: ""},
			{Value: top, Label: fmt.Sprintf("%.0f", top)}},
	}
}

// How many messages that moved belief most the head of the life-lines names, and how many have their values in them.
const (
	maxMoves   = 3
	maxNotable = 5
)

// moves are the messages that moved belief, by how much, in bits. A message that changed which worlds there are is
// not compared: its pool is about something else.
func (b *builder) moves() []Move {
	history := b.Account.History
	var list []Move
	for i := 1; i < len(history); i++ {
		if !slices.Equal(history[i].Worlds, history[i-1].Worlds) {
			continue
		}
		id := history[i].MessageID
		list = append(list, Move{id, b.Links.Message(id), b.testOf(id), science.Divergence(history[i].Pooled, history[i-1].Pooled)})
	}
	slices.SortStableFunc(list, func(x, y Move) int {
		switch {
		case x.Bits > y.Bits:
			return -1
		case x.Bits < y.Bits:
			return 1
		}
		return 0
	})
	return list
}

// testOf returns the test that a message gave a result.
func (b *builder) testOf(messageID int64) artifact.ItemID {
	for _, test := range b.Science.Results.GivenBy(messageID) {
		return test
	}
	return ""
}

// same reports whether two outcomes are one (SCIENCE 4).
func same(a, b string) bool { return textnorm.Label(a) == textnorm.Label(b) }
