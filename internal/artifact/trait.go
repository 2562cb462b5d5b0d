package artifact

import (
	"strings"
	"unicode"
)

// minimums are how many active items a section should have: the merge warns when a kill goes below (PROTOCOL 7). A study
// may refute all hypotheses but one.
var minimums = [sectionCount]int{
	HypothesisSlate: 1, PredictionsTable: 3, DiscriminativeTests: 2,
	AssumptionLedger: 3, AdversarialCritique: 2,
}

// Minimum is how many active items the section should have; 0 if there is no such rule.
func (s Section) Minimum() int { return minimums[s] }

// IsThirdAlternative tells whether a hypothesis stands for "both could be wrong": by its
// flag, or by the words in its name (PROTOCOL 9, EH-003).
func (it *Item) IsThirdAlternative() bool {
	return it.Section == HypothesisSlate &&
		(it.Flag(ThirdAlternative) || strings.Contains(strings.ToLower(it.Text(Name)), "third alternative"))
}

// IsScaleCheck tells whether an assumption is a scale or physics check: by its flag, or by
// one of the words in its name (PROTOCOL 9, EA-002).
func (it *Item) IsScaleCheck() bool {
	if it.Section != AssumptionLedger {
		return false
	}
	if it.Flag(ScaleCheck) {
		return true
	}
	for word := range strings.FieldsFuncSeq(it.Text(Name), notLetter) {
		if strings.EqualFold(word, "scale") || strings.EqualFold(word, "physics") {
			return true
		}
	}
	return false
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
