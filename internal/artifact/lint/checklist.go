package lint

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// checklist asks what only a person can judge, of the items at hand (PROTOCOL 9).
func checklist(l *linter) []string {
	list := []string{}
	ask := func(s artifact.Section, fits func(*artifact.Item) bool, question string) {
		if names := l.listed(s, fits); names != "" {
			list = append(list, fmt.Sprintf(question, names))
		}
	}
	if len(l.active[artifact.HypothesisSlate]) > 1 {
		ask(artifact.HypothesisSlate, nil, "Are %s mutually exclusive, or could two of them hold at once?")
	}
	ask(artifact.HypothesisSlate, (*artifact.Item).IsThirdAlternative,
		"Is the third alternative real, or only \"neither\" or \"both\" in other words: %s?")
	ask(artifact.PredictionsTable, nil, "Could someone who does not know the hypotheses observe what the predictions say: %s?")
	ask(artifact.DiscriminativeTests, has(artifact.PotencyCheck),
		"If the result were negative, would the potency check show that the assay had worked: %s?")
	ask(artifact.DiscriminativeTests, has(artifact.ScoreField),
		"Do the scores match what is known about evidence, cost, speed and ambiguity: %s?")
	ask(artifact.AssumptionLedger, (*artifact.Item).IsScaleCheck, "Are the numbers of the scale check of the right order: %s?")
	ask(artifact.AssumptionLedger, has(artifact.Load), "Would the artifact really fall where the ledger says so, should these fail: %s?")
	ask(artifact.AnomalyRegister, nil, "Are these anomalies set aside for a reason, and not because they are inconvenient: %s?")
	ask(artifact.AdversarialCritique, nil, "Would these critiques hurt if they were true: %s?")
	return list
}

func has(field string) func(*artifact.Item) bool {
	return func(it *artifact.Item) bool { return !blank(it.Get(field)) }
}

// listed names the active items of a section that fit; a long list is cut.
func (l *linter) listed(s artifact.Section, fits func(*artifact.Item) bool) string {
	const maxNamed = 12
	var names []string
	for _, it := range l.active[s] {
		if fits == nil || fits(it) {
			names = append(names, string(it.ID))
		}
	}
	if more := len(names) - maxNamed; more > 0 {
		names = append(slices.Clip(names[:maxNamed]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
