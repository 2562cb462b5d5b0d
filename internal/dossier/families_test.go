package dossier_test

import (
	"maps"
	"strings"
	"testing"
)

// TestFamiliesOfTheThread: what a project file says of known models, or of an agent whose model is known, goes into no crate; so the
// crate of such a project verifies, and nobody who packs one says otherwise.
func TestFamiliesOfTheThread(t *testing.T) {
	s := newScribe(t)
	s.app.Config.Families = map[string]string{"gpt": "ours", "Operator": "anthropic", "RedSky": "human", "Zoe": "human", "Max": "ours"}
	s.post("Operator", "KICKOFF: ["+largeThread+"] Cells turn", strings.Replace(kickoff(), "gemini-3-pro", "mistral-large", 1))
	s.post("BlueLake", "DELTA[gpt]: one", "# Delta\n\n"+block("ADD", "hypothesis_slate", "", fields{
		"name": "A", "claim": "It does.", "mechanism": "m", "anchors": []string{"inference"},
	}))
	for _, name := range []string{"GreenRiver", "RedSky", "Zoe", "Max"} {
		s.post(name, "INFO: I am here", "# Info\n\nHere.\n")
	}
	s.compile()
	b := s.bundle()
	for name, want := range map[string]string{
		"BlueLake": "openai", "RedSky": "anthropic", "GreenRiver": "mistral", "Zoe": "human", "Max": "ours", "Operator": "human",
	} {
		if got := b.Family(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	files := unzip(t, pack(t, b))
	if got := verify(t, rezip(t, maps.Clone(files))); got.FirstBad != nil {
		t.Errorf("the crate itself: %+v", got.FirstBad)
	}
	for name, change := range map[string]func(map[string]string){
		"a maker whose name the model has": replace("ro-crate-metadata.json", `"name": "mistral"`, `"name": "xai"`),
		"a known maker":                    replace("ro-crate-metadata.json", `"name": "openai"`, `"name": "xai"`),
	} {
		changed := maps.Clone(files)
		change(changed)
		if maps.Equal(changed, files) {
			t.Fatalf("%s: nothing was changed", name)
		}
		anotherMaker(changed)
		if got := verify(t, rezip(t, forge(changed))); got.FirstBad == nil {
			t.Errorf("%s: not found", name)
		}
	}
}
