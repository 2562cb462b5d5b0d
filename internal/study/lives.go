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
	f := figure.Lifelines{Messages: b.Science.Messages, Versions: b.versions(), Results: b.results(s)}
	for i, h := range s.Hypotheses {
		f.Lanes = append(f.Lanes, b.lane(h, i == 0 && h.Killed == nil))
	}
	return f
}

func (b *builder) versions() []figure.Version {
	var list []figure.Version
	for _, v := range b.Science.Lifelines.Versions.All() {
		list = append(list, figure.Version{Number: v.Number, At: v.Place, Day: v.At.UTC().Format("2 Jan")})
	}
	return list
}

func (b *builder) lane(h Hypothesis, leads bool) figure.Lane {
	lane := figure.Lane{ID: h.ID, Name: h.Name, Href: h.Href, Leads: leads, Pool: h.Pool}
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

// results are the tests that gave an outcome, in the order of the log.
func (b *builder) results(s *Study) []figure.Result {
	var list []figure.Result
	for _, row := range s.Matrix.Tests {
		if row.Found == nil {
			continue
		}
		r := figure.Result{At: row.Found.Place, Test: row.ID, Outcome: row.Found.Outcome, Href: b.Links.Message(row.Found.MessageID),
			Verdicts: map[string]figure.Verdict{}}
		for i, c := range s.Matrix.Columns {
			alive := c.Born <= r.At && (c.Ended == 0 || c.Ended >= r.At)
			if v := row.Cells[i].Verdict; v != "" && alive {
				r.Verdicts[c.ID] = v
			}
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b figure.Result) int { return a.At - b.At })
	return list
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

// maxMoves is how many messages the head of the life-lines names.
const maxMoves = 3

// moves are the messages that moved belief most, in bits. A message that changed which worlds there are is
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
	return list[:min(maxMoves, len(list))]
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
