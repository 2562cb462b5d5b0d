package play

import (
	"math"
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/dispute"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
)

// Sure is the belief in the answer that counts as having found it.
const Sure = 0.95

// Reach is how far the results of a dispute bring somebody who finds all worlds equal and believes what the rivals expect.
type Reach struct {
	Belief float64  `json:"belief"` // in the answer, after all tests
	Leader string   `json:"leader"` // after all tests
	Tests  []string `json:"tests"`  // the cheapest that make the answer sure; empty: none do, or the question is open
	Effort *float64 `json:"effort"` // of these

	efforts map[string]float64 // of every test
}

// ReachOf works out how far a staged dispute reaches.
func ReachOf(s *dispute.Staged) Reach {
	at := time.Unix(0, 0)
	letters := []mail.Message{{Type: protocol.TypeKickoff, Message: message.Message{
		ID: 1, ThreadID: "RS-19700101-" + s.Name, From: mail.Operator, Subject: "KICKOFF: " + s.Title, CreatedAt: at,
		Body: "## Research Question\n\n" + s.Question + "\n\n## Context\n\n" + s.Context + "\n",
	}}, {Type: protocol.TypeDelta, Message: message.Message{
		ID: 2, ThreadID: "RS-19700101-" + s.Name, From: mail.Operator, Subject: "DELTA[human]: Setup", CreatedAt: at,
		Body: s.Setup(nil),
	}}}
	results := map[string]string{}
	for _, seal := range s.Seals {
		results[seal.Test] = seal.Found()
	}
	return reach(letters, s.Answer, results)
}

// reach folds what was said before anybody stated anything, and supposes the results.
func reach(letters []mail.Message, answer string, results map[string]string) Reach {
	view := fold.NewDraft(letters[0].ThreadID)
	session.Fold(view, letters...)
	account := view.Science.Account(view.Science.People(nil, func(science.Agent) string { return science.UnknownFamily }))
	r := ratios{all: map[string]float64{}}
	for _, w := range account.Worlds {
		r.worlds = append(r.worlds, w.ID())
	}
	for _, advice := range account.Next(science.ByBitsPerEffort).Tests {
		r.all[string(advice.Test)] = advice.Effort
		r.add(account, advice.Test, advice.Effort, results[string(advice.Test)])
	}
	return r.reach(answer)
}

// ratios are how much each test alone moves each world, up to a factor.
type ratios struct {
	worlds  []string
	tests   []string
	efforts []float64
	logs    [][]float64 // by test, by world
	all     map[string]float64
}

func (r *ratios) add(account *science.Account, test artifact.ItemID, effort float64, found string) {
	supposed, err := account.Suppose([]science.Supposition{{Test: test, Outcome: found}})
	if err != nil {
		return // nobody foresaw it: it moves whom it moves, and no order is better for it
	}
	logs := make([]float64, len(r.worlds))
	for i, w := range r.worlds {
		logs[i] = math.Log(supposed.Posterior[w] / supposed.Prior[w])
	}
	r.tests, r.efforts, r.logs = append(r.tests, string(test)), append(r.efforts, effort), append(r.logs, logs)
}

// after is the belief in each world after some tests, a bit for each.
func (r *ratios) after(chosen uint) []float64 {
	sums := make([]float64, len(r.worlds))
	for t := range r.tests {
		if chosen&(1<<t) != 0 {
			for w := range sums {
				sums[w] += r.logs[t][w]
			}
		}
	}
	total, top := 0.0, slices.Max(sums)
	for w := range sums {
		sums[w] = math.Exp(sums[w] - top)
		total += sums[w]
	}
	for w := range sums {
		sums[w] /= total
	}
	return sums
}

// reach looks at every set of tests: there are at most a few thousand.
func (r *ratios) reach(answer string) Reach {
	all := uint(1)<<len(r.tests) - 1
	end := r.after(all)
	out := Reach{Tests: []string{}, efforts: r.all, Leader: r.worlds[slices.Index(end, slices.Max(end))]}
	w := slices.Index(r.worlds, answer)
	if w < 0 {
		return out
	}
	out.Belief = end[w]
	for chosen := range all + 1 {
		effort := 0.0
		for t := range r.tests {
			if chosen&(1<<t) != 0 {
				effort += r.efforts[t]
			}
		}
		if (out.Effort == nil || effort < *out.Effort) && r.after(chosen)[w] >= Sure {
			out.Effort, out.Tests = &effort, r.named(chosen)
		}
	}
	return out
}

func (r *ratios) named(chosen uint) []string {
	list := []string{}
	for t, name := range r.tests {
		if chosen&(1<<t) != 0 {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
