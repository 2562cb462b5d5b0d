package play

import (
	"cmp"
	"slices"

	"brenner/internal/dispute"
)

// Row is how an agent did over all plays of an arm.
type Row struct {
	Agent     string      `json:"agent"` // its model, or its name
	Arm       dispute.Arm `json:"arm"`
	Plays     int         `json:"plays"`
	Gain      Measure     `json:"gain"` // bits that a forecast saves over chance
	Uptake    Measure     `json:"uptake"`
	Revision  Measure     `json:"revision"`
	Drift     Measure     `json:"drift"`
	OnAnswer  Measure     `json:"on_answer"`
	Economy   Measure     `json:"economy"`
	OnNone    Measure     `json:"on_none"`
	Quotes    int         `json:"quotes"`
	False     int         `json:"false_quotes"`
	Rewritten int         `json:"rewritten"`
	Requests  int         `json:"requests"`
	Tokens    int64       `json:"tokens"`
}

// Recalled is how much better an agent foresaw in the named arm than in the flipped one: what it knew by heart helps there, and misleads
// here. The difference is taken for each dispute.
type Recalled struct {
	Agent string  `json:"agent"`
	Gain  Measure `json:"gain"`
}

// Table sums up scores: a row for each agent and arm, agents in the order in which they first come, arms in theirs.
func Table(scores []Score) ([]Row, []Recalled) {
	var agents []string
	for _, s := range scores {
		if name := s.called(); !slices.Contains(agents, name) {
			agents = append(agents, name)
		}
	}
	rows, recalled := []Row{}, []Recalled{}
	for _, agent := range agents {
		for _, arm := range dispute.Arms() {
			of := slices.DeleteFunc(slices.Clone(scores), func(s Score) bool { return s.called() != agent || s.Arm != arm })
			if len(of) > 0 {
				rows = append(rows, rowOf(agent, arm, of))
			}
		}
		recalled = append(recalled, Recalled{agent, MeasureOf(differences(scores, agent))})
	}
	return rows, recalled
}

// called is the name under which scores are taken together.
func (s *Score) called() string { return cmp.Or(s.Model, s.Agent) }

func rowOf(agent string, arm dispute.Arm, scores []Score) Row {
	r := Row{Agent: agent, Arm: arm, Plays: len(scores)}
	var gains []float64
	for _, s := range scores {
		gains = append(gains, s.Gains...)
		r.Quotes, r.False, r.Rewritten = r.Quotes+s.Quotes, r.False+s.False, r.Rewritten+s.Rewritten
		r.Requests, r.Tokens = r.Requests+s.Requests, r.Tokens+s.Tokens
	}
	over := func(of func(*Score) *float64) Measure { return MeasureOf(known(scores, of)) }
	r.Gain = MeasureOf(gains)
	r.Uptake = over(func(s *Score) *float64 { return s.Uptake })
	r.Revision = over(func(s *Score) *float64 { return s.Revision })
	r.Drift = over(func(s *Score) *float64 { return s.Drift })
	r.OnAnswer = over(func(s *Score) *float64 { return s.OnAnswer })
	r.Economy = over(func(s *Score) *float64 { return s.Economy })
	r.OnNone = over(func(s *Score) *float64 { return s.OnNone })
	return r
}

// known are the values that are not null.
func known(scores []Score, of func(*Score) *float64) []float64 {
	var list []float64
	for i := range scores {
		if x := of(&scores[i]); x != nil {
			list = append(list, *x)
		}
	}
	return list
}

// differences are the mean gains of an agent in the named arm less those in the flipped one, of each dispute that it played in both.
func differences(scores []Score, agent string) []float64 {
	mean := map[dispute.Arm]map[string]*float64{dispute.Named: {}, dispute.Flipped: {}}
	var names []string
	for i := range scores {
		s := &scores[i]
		if of := mean[s.Arm]; of != nil && s.called() == agent {
			of[s.Dispute] = s.Forecast.Mean
			if !slices.Contains(names, s.Dispute) {
				names = append(names, s.Dispute)
			}
		}
	}
	var list []float64
	for _, name := range names {
		if named, flipped := mean[dispute.Named][name], mean[dispute.Flipped][name]; named != nil && flipped != nil {
			list = append(list, *named-*flipped)
		}
	}
	return list
}
