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

// judged is a result that can meet conditions: it counts and is not exploratory. Nothing unforeseen meets any.
type judged struct {
	*Result
	label string // its outcome, normalised; empty for none
}

// met reports whether a result meets the condition.
func (c *condition) met(g *judged) bool {
	switch c.sign {
	case "=":
		return g.Outcome != "" && g.label == c.label
	case "!=":
		return g.Outcome != "" && g.label != c.label
	case "<":
		return g.Value != nil && g.Value.Below(c.bound)
	}
	return g.Value != nil && g.Value.Above(c.bound)
}

// What somebody can make others read: a hypothesis has so many conditions, and of one result so many that were met are named one by one.
const (
	maxConditions = 100
	maxMet        = 3
)

// trial is what a test measured when somebody first looked at it, and what came of it: who changes the quantity of a test afterwards
// makes no condition unread.
type trial struct {
	quantity *quantity.Quantity
	results  []judged
}

// killConditions tells which conditions were met and which cannot be read.
func (n *notes) killConditions() {
	fresh := func(list []Condition) bool {
		return slices.ContainsFunc(list, func(k Condition) bool { return k.Place > n.since })
	}
	from := n.since // of the results that matter: a new condition may be met by any
	if slices.ContainsFunc(n.Predictions.Conditions.All(), fresh) {
		from = 0
	}
	trials := map[artifact.ItemID]trial{}
	of := func(test artifact.ItemID) trial {
		if _, known := trials[test]; !known {
			trials[test] = trial{n.TableOf(test).Quantity, n.judged(test, from)}
		}
		return trials[test]
	}
	for i, list := range n.Predictions.Conditions.All() {
		if len(n.given) == 0 && !fresh(list) {
			continue
		}
		h := artifact.NewItemID(artifact.HypothesisSlate, i+1)
		if len(list) > maxConditions {
			n.unread(h, list[maxConditions], "%s names %d conditions that would kill it: the first %d are read.",
				h, len(list), maxConditions)
			list = list[:maxConditions]
		}
		met := map[*Result]int{}
		for _, k := range list {
			c, ok := readCondition(k.Text)
			if !ok || n.Beliefs.Tests.At(c.test.Number()) == nil || !c.fits(of(c.test).quantity) {
				n.unread(h, k, "%s says that it would be killed if %s, which cannot be read.", h, quoted(k.Text))
				continue
			}
			for _, g := range of(c.test).results {
				if c.met(&g) {
					met[g.Result]++
					n.killCondition(h, k, g.Result, met[g.Result])
				}
			}
		}
	}
}

func (n *notes) unread(h artifact.ItemID, k Condition, format string, args ...any) {
	if k.Place <= n.since {
		return
	}
	n.list = append(n.list, ResultNote{Place: k.Place, Test: h,
		Finding: protocol.NewFinding(protocol.KillConditionUnread, format, args...).On(string(h)).In(artifact.KilledIf)})
}

// judged are the results of a test behind a place that can meet conditions.
func (n *notes) judged(test artifact.ItemID, from int) []judged {
	var list []judged
	n.citing(test)
	for _, g := range since(n.Results.Of(test), func(g *Result) bool { return g.Place > from }) {
		if !g.Exploratory && g.Unforeseen == "" && n.counted(g, n.cites) {
			list = append(list, judged{g, textnorm.Label(g.Outcome)})
		}
	}
	return list
}

// fits reports whether a test that measures a quantity, or has labels where it is nil, gives what the condition compares.
func (c *condition) fits(q *quantity.Quantity) bool {
	if c.sign == "=" || c.sign == "!=" {
		return q == nil
	}
	return q != nil && q.InUnit(c.unit)
}

// killCondition tells of a result that met a condition, the nth of the hypothesis that it met.
func (n *notes) killCondition(h artifact.ItemID, k Condition, g *Result, nth int) {
	if nth > maxMet+1 || max(g.Place, k.Place) <= n.since {
		return
	}
	said := fmt.Sprintf("it would be killed if %s%s", quoted(k.Text), n.late(g.Test, k))
	if nth == maxMet+1 {
		said = "further conditions would kill it"
	}
	n.list = append(n.list, ResultNote{Place: max(g.Place, k.Place), Test: h, Met: g.Test,
		Finding: protocol.NewFinding(protocol.KillConditionMet, "%s said that %s: %s of %s found %s.",
			h, said, messageName(g.MessageID), g.By, quoted(g.Text())).On(string(h)).In(artifact.KilledIf).
			WithFix("KILL %s, or say why it lives.", h)})
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
