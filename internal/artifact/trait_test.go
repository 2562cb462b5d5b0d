package artifact_test

import (
	"testing"

	"brenner/internal/artifact"
)

func TestTraits(t *testing.T) {
	named := func(s artifact.Section, name string) *artifact.Item {
		it := artifact.NewItem(artifact.NewItemID(s, 1), s)
		it.Set(artifact.Name, artifact.Text(name))
		return it
	}
	flagged := func(s artifact.Section, field string) *artifact.Item {
		it := named(s, "plain")
		it.Set(field, artifact.Flag(true))
		return it
	}
	const h, a = artifact.HypothesisSlate, artifact.AssumptionLedger
	for _, test := range []struct {
		item         *artifact.Item
		third, scale bool
	}{
		{named(h, "Gradient"), false, false},
		{named(h, "A Third Alternative: both wrong"), true, false},
		{named(h, "Third, alternative"), false, false},
		{flagged(h, artifact.ThirdAlternative), true, false},
		{named(a, "Diffusion scale"), false, true},
		{named(a, "PHYSICS: energy"), false, true},
		{named(a, "Scaled model"), false, false},
		{named(a, "third alternative"), false, false},
		{named(h, "scale"), false, false},
		{flagged(a, artifact.ScaleCheck), false, true},
	} {
		if got := test.item.IsThirdAlternative(); got != test.third {
			t.Errorf("%s %q: third alternative %v", test.item.ID, test.item.Title(), got)
		}
		if got := test.item.IsScaleCheck(); got != test.scale {
			t.Errorf("%s %q: scale check %v", test.item.ID, test.item.Title(), got)
		}
	}
}

func TestCloneIsIndependent(t *testing.T) {
	a := artifact.New()
	it := artifact.NewItem("H1", artifact.HypothesisSlate)
	it.Set(artifact.Name, artifact.Text("one"))
	a.Add(it)
	c := a.Clone()
	it.Set(artifact.Name, artifact.Text("two"))
	a.Thread.Set(artifact.Statement, artifact.Text("changed"))
	a.Add(artifact.NewItem("H2", artifact.HypothesisSlate))
	if c.Item("H1").Title() != "one" || c.Thread.Text(artifact.Statement) != "" || c.Item("H2") != nil {
		t.Error("a clone follows its original")
	}
}
