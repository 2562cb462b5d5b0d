package science

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// Why says in a few words why a hypothesis is in its state, for every view alike.
func (h *ReviewedHypothesis) Why() string {
	switch h.State {
	case Contested:
		return "in " + places(h.Open())
	case Reviewed:
		return "by " + critics(h.matching(func(e ReviewedAttack) bool { return h.independent(e) && e.Current }))
	case Outdated:
		return "changed since " + places(h.matching(h.independent))
	case Provisional:
		return h.onlyBy()
	case Unreviewed:
		if len(h.Attacks) > 0 {
			return "every attack was withdrawn"
		}
		return "never attacked"
	}
	return ""
}

// onlyBy says which families attacked a hypothesis that none of them can review.
func (h *ReviewedHypothesis) onlyBy() string {
	var own []string
	unknown, authors := false, slices.Contains(h.Families, UnknownFamily)
	for _, e := range h.answered() {
		switch {
		case e.Family == UnknownFamily:
			unknown = true
		case !slices.Contains(own, e.Family):
			own = append(own, e.Family)
		}
	}
	var parts []string
	if len(own) > 0 {
		kind := "its own family"
		if authors {
			kind = "while the family of an author is unknown"
		}
		parts = append(parts, strings.Join(own, ", ")+", "+kind)
	}
	if unknown {
		parts = append(parts, "an unknown family")
	}
	return "only by " + strings.Join(parts, " and ")
}

// critics names those who attacked, each once, with their family.
func critics(attacks []ReviewedAttack) string {
	var names []string
	for _, e := range attacks {
		if name := e.From + " (" + e.Family + ")"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// maxPlaces is how many attacks a reason names.
const maxPlaces = 3

// places names attacks by their message.
func places(attacks []ReviewedAttack) string {
	var names []string
	for _, e := range attacks {
		name := fmt.Sprintf("#%d", e.MessageID)
		if e.Item != nil {
			name += " (" + *e.Item + ")"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - maxPlaces; more > 0 {
		names = append(names[:maxPlaces], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// Findings warns about the active hypotheses that are not reviewed, each with what would make it so.
func (r Review) Findings() []protocol.Finding {
	list := []protocol.Finding{}
	for i := range r.Hypotheses {
		h := &r.Hypotheses[i]
		if h.State == Reviewed || h.State == Killed {
			continue
		}
		f := protocol.NewFinding(protocol.NotReviewed, "%s is %s: %s.", h.ID, h.State, h.Why()).On(string(h.ID))
		list = append(list, f.WithFix("%s", h.remedy()))
	}
	return list
}

// remedy is what to do about a hypothesis that is not reviewed.
func (h *ReviewedHypothesis) remedy() string {
	switch h.State {
	case Contested:
		return "Answer " + places(h.Open()) + "."
	case Outdated:
		return fmt.Sprintf("Ask %s to attack %s as it stands, or to close %s again.",
			critics(h.matching(h.independent)), h.ID, places(h.matching(h.independent)))
	case Provisional:
		if slices.Contains(h.Families, UnknownFamily) {
			return fmt.Sprintf("Give program and model of the authors of %s, or ask a person to attack it.", h.ID)
		}
		return fmt.Sprintf("Ask an agent of another family than %s, or a person, to attack %s.", strings.Join(h.Families, ", "), h.ID)
	}
	return fmt.Sprintf("Ask an agent of another family, or a person, to attack %s.", h.ID)
}
