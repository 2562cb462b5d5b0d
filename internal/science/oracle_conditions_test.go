package science_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
	"brenner/internal/science"
)

// killing is what a hypothesis says would kill it, and the message that added that.
type killing struct {
	text  string
	place int
}

// killings are the conditions of a hypothesis as they stand; none of one that is not active.
func (s study) killings(hypothesis int) []killing {
	var list []killing
	for place, l := range s.letters {
		before := list
		for _, a := range l.acts {
			switch {
			case a.kind != 'H' || a.number != hypothesis:
			case a.op == "KILL":
				return nil
			case a.killedIf != nil:
				list = nil
				for _, text := range a.killedIf {
					k := killing{text, place}
					if i := slices.IndexFunc(before, func(k killing) bool { return k.text == text }); i >= 0 {
						k = before[i]
					}
					list = append(list, k)
				}
			}
		}
	}
	return list
}

// conditionLines are the findings about kill conditions that the oracle expects (SCIENCE 3). Tests whose first look was the start of
// a run are left out: what counts there is told later.
func (s study) conditionLines() []string {
	list := []string{}
	for h := 1; h <= s.hypotheses(); h++ {
		for _, k := range s.killings(h) {
			id, rest, _ := strings.Cut(k.text, " ")
			test, _ := strconv.Atoi(id[1:])
			if look, _ := s.look(test); !look.started.IsZero() {
				continue
			}
			sign, wanted, _ := strings.Cut(rest, " ")
			numeric := sign == "<" || sign == ">"
			if sign == "would" || test > s.tests() || numeric != (s.quantity(test) != nil) {
				list = append(list, fmt.Sprintf("H%d unread %s", h, k.text))
				continue
			}
			results := s.findings(test)
			counted := s.counts(results)
			for i, f := range results {
				if counted[i] && !f.run().exploratory && f.run().unforeseen == "" && s.kills(f.run(), sign, wanted) {
					list = append(list, fmt.Sprintf("H%d met %s (%s) by #%d", h, k.text, s.lately(test, k), s.letters[f.place].id))
				}
			}
		}
	}
	return list
}

func (s study) kills(run trial, sign, wanted string) bool {
	switch sign {
	case "=":
		return run.outcome != "" && normal(run.outcome) == normal(wanted)
	case "!=":
		return run.outcome != "" && normal(run.outcome) != normal(wanted)
	}
	bound, err := strconv.ParseFloat(wanted, 64)
	v, unread := quantity.ParseValue(run.value)
	if err != nil || unread != nil {
		return false
	}
	if sign == "<" {
		return v.X+2**v.Plus < bound
	}
	return v.X-2**v.Minus > bound
}

// lately says when a condition was written after somebody had looked.
func (s study) lately(test int, k killing) string {
	look, looked := s.look(test)
	r := s.revealing(test)
	switch {
	case !looked || k.place < look.place:
		return ""
	case r != nil && k.place >= r.place:
		return "post_hoc"
	}
	return "after_look"
}

func (s study) hypotheses() int {
	n := 0
	for _, l := range s.letters {
		for _, a := range l.acts {
			if a.kind == 'H' {
				n = max(n, a.number)
			}
		}
	}
	return n
}

// foldedConditions are those of the program: what the findings say, as they say it.
func foldedConditions(state *science.State) []string {
	list := []string{}
	for _, note := range state.ResultNotes() {
		said := toldCondition.FindStringSubmatch(note.Finding.Message)
		if said == nil || !state.Results.FirstLook(artifact.ItemID(said[2])).Started.IsZero() {
			continue
		}
		switch note.Finding.Code {
		case protocol.KillConditionUnread:
			list = append(list, fmt.Sprintf("%s unread %s", note.Test, said[1]))
		case protocol.KillConditionMet:
			list = append(list, fmt.Sprintf("%s met %s (%s) by #%s", note.Test, said[1], said[3], said[4]))
		}
	}
	return list
}

var toldCondition = regexp.MustCompile(`killed if "((T[0-9]+) [^"]*)"(?: \(([a-z_]+), message [0-9]+\))?(?:: message ([0-9]+) )?`)
