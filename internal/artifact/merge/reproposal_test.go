package merge

import (
	"fmt"
	"strings"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

func TestReproposals(t *testing.T) {
	hypothesis := func(name, claim string) *artifact.Item {
		it := artifact.NewItem("H4", artifact.HypothesisSlate)
		it.Set(artifact.Name, artifact.Text(name))
		it.Set(artifact.Claim, artifact.Text(claim))
		return it
	}
	killed := []Killed{
		{Session: "RS-20251201-other", Item: "H2", Name: "Vesicle budding", Claim: "Membrane tension triggers vesicle budding",
			Reason: "no tension"},
		{Session: "RS-20251202-more", Item: "H1", Name: "", Claim: "", Reason: "empty"},
	}
	for i := range 200 { // a crowd that resembles nothing
		killed = append(killed, Killed{Session: "RS-20251203-crowd", Item: artifact.NewItemID(artifact.HypothesisSlate, i+1),
			Name: fmt.Sprintf("Crowd %d", i), Claim: fmt.Sprintf("Claim number %d of the crowd", i)})
	}
	prediction := artifact.NewItem("P1", artifact.PredictionsTable)
	prediction.Set(artifact.Condition, artifact.Text("Membrane tension triggers vesicle budding"))
	found := Reproposals([]*artifact.Item{
		hypothesis("Tension", "Vesicle budding is triggered by membrane tension"),
		hypothesis("Budding vesicles", "Something else"),
		hypothesis("Unlike", "Unheard of"),
		hypothesis("", ""),
		prediction,
	}, killed)
	if len(found) != 2 {
		t.Fatalf("%d findings, want 2: %v", len(found), found)
	}
	for i, field := range []string{artifact.Claim, artifact.Name} {
		f := found[i]
		if f.Code != protocol.ReproposesKilled || f.Item != "H4" || f.Path != "payload."+field ||
			!strings.Contains(f.Message, "RS-20251201-other#H2") || !strings.Contains(f.Message, "no tension") {
			t.Errorf("finding %d: %+v", i, f)
		}
	}
	if Reproposals(nil, nil) != nil {
		t.Error("nothing reproposes something")
	}
}
