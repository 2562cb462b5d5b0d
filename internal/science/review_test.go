package science_test

import (
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/science"
)

var (
	families = map[string]string{
		"Claude1": "anthropic", "Claude2": "anthropic", "Codex": "openai", "Gem": "google", "Operator": "human", "operator": "human", "Alice": "human", "Odd": "unknown",
	}
)

// slate is an artifact with hypotheses H1, H2, …, each with the authors of its claim and mechanism.
func slate(authors ...[2]string) *artifact.Artifact {
	a := artifact.New()
	for i, who := range authors {
		it := artifact.NewItem(artifact.NewItemID(artifact.HypothesisSlate, i+1), artifact.HypothesisSlate)
		it.Set(artifact.Name, artifact.Text("one"))
		it.SetSource(artifact.Claim, &artifact.Source{Agent: who[0]})
		it.SetSource(artifact.Mechanism, &artifact.Source{Agent: who[1]})
		a.Add(it)
	}
	return a
}

func judge(a *artifact.Artifact, attacks ...science.Attack) science.Review {
	return science.NewReview(science.ReviewInput{
		Artifact: a, Attacks: attacks, Last: dawn.Add(time.Hour), Family: func(name string) string { return families[name] },
	})
}

func answered(from string, hits ...string) science.Attack {
	return science.Attack{From: from, Hits: hits, At: dawn, Answered: dawn.Add(time.Minute)}
}

func open(from string, hits ...string) science.Attack {
	return science.Attack{From: from, Hits: hits, At: dawn}
}

func TestStates(t *testing.T) {
	for _, test := range []struct {
		name    string
		authors [2]string
		attacks []science.Attack
		want    science.ReviewState
	}{
		{"nobody", [2]string{"Claude1", "Claude1"}, nil, science.Unreviewed},
		{"another hypothesis", [2]string{"Claude1", "Claude1"}, []science.Attack{answered("Codex", "H2")}, science.Unreviewed},
		{"another family", [2]string{"Claude1", "Claude1"}, []science.Attack{answered("Codex", "H1")}, science.Reviewed},
		{"its own family", [2]string{"Claude1", "Claude1"}, []science.Attack{answered("Claude2", "H1")}, science.Provisional},
		{"its own family, then another", [2]string{"Claude1", "Claude1"}, []science.Attack{answered("Claude2", "H1"), answered("Gem", "H1")}, science.Reviewed},
		{"open", [2]string{"Claude1", "Claude1"}, []science.Attack{answered("Codex", "H1"), open("Claude2", "H1")}, science.Contested},
		{"the family of one author", [2]string{"Claude1", "Codex"}, []science.Attack{answered("Codex", "H1")}, science.Provisional},
		{"a third family", [2]string{"Claude1", "Codex"}, []science.Attack{answered("Gem", "H1")}, science.Reviewed},
		{"a person", [2]string{"Claude1", "Claude1"}, []science.Attack{answered("Operator", "H1")}, science.Reviewed},
		{"a person who wrote it", [2]string{"Operator", "Claude1"}, []science.Attack{answered("operator", "H1")}, science.Provisional},
		{"another person", [2]string{"Operator", "Operator"}, []science.Attack{answered("Alice", "H1")}, science.Reviewed},
		{"a person, of an unknown author", [2]string{"Odd", "Odd"}, []science.Attack{answered("Alice", "H1")}, science.Reviewed},
		{"an unknown critic", [2]string{"Claude1", "Claude1"}, []science.Attack{answered("Odd", "H1")}, science.Provisional},
		{"an unknown author", [2]string{"Odd", "Odd"}, []science.Attack{answered("Codex", "H1")}, science.Provisional},
		{"both unknown", [2]string{"Odd", "Odd"}, []science.Attack{answered("Odd", "H1")}, science.Provisional},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := judge(slate(test.authors), test.attacks...).Hypotheses[0].State; got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestDebt: each attack once, on active hypotheses; ages end with the answer or the last message.
func TestDebt(t *testing.T) {
	a := slate([2]string{"Claude1", "Claude1"}, [2]string{"Codex", "Codex"}, [2]string{"Gem", "Gem"})
	a.Item("H3").Killed = &artifact.Kill{}
	both, critical, gone := open("Gem", "H1", "H2"), open("Gem", "H2"), open("Claude1", "H3")
	critical.Severity, critical.At = "critical", dawn.Add(time.Minute)
	r := judge(a, both, critical, gone, answered("Gem", "H1"))
	if r.Debt.Open != 2 || r.Debt.Critical != 1 || r.Debt.OldestSeconds == nil || *r.Debt.OldestSeconds != 3600 {
		t.Errorf("debt %+v", r.Debt)
	}
	if h := r.Hypotheses[2]; h.State != science.Killed || len(h.Attacks) != 1 {
		t.Errorf("a killed hypothesis: %+v", h)
	}
	if ages := r.Hypotheses[0].Attacks; ages[0].AgeSeconds != 3600 || ages[1].AgeSeconds != 60 || ages[1].State != "answered" {
		t.Errorf("ages %+v", ages)
	}
	if f := r.Findings(); len(f) != 2 || f[0].Item != "H1" || f[0].Code != "NOT_REVIEWED" {
		t.Errorf("findings %v", f)
	}
	if d := judge(slate()).Debt; d.OldestSeconds != nil || d.Open != 0 {
		t.Errorf("debt of nothing: %+v", d)
	}
}
