package science

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
	"brenner/internal/textnorm"
)

// Condition is what a hypothesis says would kill it (SCIENCE 3, kill conditions), with the message that added it.
type Condition struct {
	Text      string
	Place     int
	MessageID int64
	At        time.Time
}

// conditions notes what would kill the hypotheses of a message. A killed one has no conditions any more.
func (r *Predictions) conditions(s Step) {
	for _, it := range s.Touched(artifact.HypothesisSlate) {
		written, _ := it.Get(artifact.KilledIf).(artifact.List)
		before := r.Conditions.At(it.ID.Number())
		if !it.Active() {
			written = nil
		}
		if len(written) == 0 && len(before) == 0 {
			continue
		}
		var now []Condition
		for _, text := range written {
			at := slices.IndexFunc(before, func(c Condition) bool { return c.Text == text })
			if at >= 0 {
				now = append(now, before[at])
			} else {
				now = append(now, Condition{text, s.Place, s.Message.ID, s.Message.CreatedAt})
			}
		}
		r.Conditions.put(it.ID.Number(), now)
	}
}

// condition is a kill condition that was read.
type condition struct {
	test  artifact.ItemID
	sign  string // =, !=, < or >
	label string // normalised
	bound float64
	unit  string
}

// readCondition reads T3 = growth, T3 != growth, T5 < 60 or T5 > 75.
func readCondition(text string) (condition, bool) {
	at := strings.IndexAny(text, "=!<>")
	if at < 0 {
		return condition{}, false
	}
	id, section, _, ok := artifact.ParseItemID(strings.TrimSpace(text[:at]))
	if !ok || section != artifact.DiscriminativeTests {
		return condition{}, false
	}
	c := condition{test: id, sign: text[at : at+1]}
	rest := text[at+1:]
	if c.sign == "!" {
		if rest, ok = strings.CutPrefix(rest, "="); !ok {
			return condition{}, false
		}
		c.sign = "!="
	}
	if c.sign == "=" || c.sign == "!=" {
		c.label = textnorm.Label(rest)
		return c, Expects(rest) && !strings.HasPrefix(strings.TrimSpace(rest), "=") // T3 == growth would never be met
	}
	v, err := quantity.ParseValue(rest)
	if err != nil || v.HasError() {
		return condition{}, false
	}
	c.bound = v.X
	if v.Unit != nil {
		c.unit = *v.Unit
	}
	return c, true
}

// met reports whether a result meets the condition. Nothing unforeseen meets any.
func (c *condition) met(g *Result) bool {
	switch c.sign {
	case "=":
		return g.Outcome != "" && textnorm.Label(g.Outcome) == c.label
	case "!=":
		return g.Outcome != "" && textnorm.Label(g.Outcome) != c.label
	case "<":
		return g.Value != nil && g.Value.Below(c.bound)
	}
	return g.Value != nil && g.Value.Above(c.bound)
}

// killConditions tells which conditions were met and which cannot be read.
func (n *notes) killConditions() {
	for i, list := range n.Predictions.Conditions.All() {
		h := artifact.NewItemID(artifact.HypothesisSlate, i+1)
		for _, k := range list {
			c, ok := readCondition(k.Text)
			if !ok || !n.readable(c) {
				n.list = append(n.list, ResultNote{Place: k.Place, Test: h, Finding: protocol.NewFinding(protocol.KillConditionUnread,
					"%s says that it would be killed if %s, which cannot be read.", h, quoted(k.Text)).On(string(h)).In(artifact.KilledIf)})
				continue
			}
			n.killCondition(h, k, c)
		}
	}
}

// readable reports whether the thread has the test of a condition, and the test what it is compared with.
func (n *notes) readable(c condition) bool {
	if n.Beliefs.Tests.At(c.test.Number()) == nil {
		return false
	}
	q := n.Results.Test(c.test).Quantity
	if c.sign == "=" || c.sign == "!=" {
		return q == nil
	}
	return q != nil && q.InUnit(c.unit)
}

func (n *notes) killCondition(h artifact.ItemID, k Condition, c condition) {
	for _, g := range n.Results.Of(c.test) {
		if g.Exploratory || g.Unforeseen != "" || !n.counted(g, n.cites) || !c.met(g) {
			continue
		}
		n.list = append(n.list, ResultNote{Place: max(g.Place, k.Place), Test: h, Met: c.test,
			Finding: protocol.NewFinding(protocol.KillConditionMet,
				"%s said that it would be killed if %s%s: %s of %s found %s.", h, quoted(k.Text), n.late(c.test, k),
				messageName(g.MessageID), g.By, quoted(g.Text())).
				On(string(h)).In(artifact.KilledIf).WithFix("KILL %s, or say why it lives.", h)})
	}
}

// messageName names a message; one at the door has no number yet.
func messageName(id int64) string {
	if id == 0 {
		return "this message"
	}
	return fmt.Sprintf("message %d", id)
}

// late says when a condition was written after somebody had looked.
func (n *notes) late(test artifact.ItemID, k Condition) string {
	r := n.Results.R(test)
	switch {
	case n.Results.FirstLook(test).Follows(k.Place, k.At):
		return ""
	case r != nil && k.Place >= r.Place:
		return fmt.Sprintf(" (%s, %s)", PostHoc, messageName(k.MessageID))
	}
	return fmt.Sprintf(" (%s, %s)", AfterLook, messageName(k.MessageID))
}
