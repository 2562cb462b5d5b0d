package dispute_test

import (
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"brenner/disputes"
	"brenner/internal/dispute"
	"brenner/internal/protocol"
)

// TestDisputesAreFit reads every dispute that comes with the program: none has a finding.
func TestDisputesAreFit(t *testing.T) {
	names, err := dispute.List(disputes.Files)
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		for _, f := range findings(t, name, files(t, name)) {
			t.Errorf("%s: %s: %s", name, f.Path, f.Message)
		}
	}
}

// TestCheckTells breaks the dispute about neutrinos in one place after the other: each is told where it is.
func TestCheckTells(t *testing.T) {
	whole := files(t, "opera")
	for _, c := range []struct{ file, old, new, path string }{
		{"dispute.yaml", "dispute: brenner/dispute/1", "dispute: brenner/dispute/9", "dispute"},
		{"dispute.yaml", "answer: H2", "answer: H9", "answer"},
		{"dispute.yaml", "decisive: [T4, T5, T6]", "decisive: [T4, T99]", "answer"},
		{"dispute.yaml", "  answer: H1", "  answer: H2", "flipped.answer"},
		{"dispute.yaml", "asked: 2011-10-01", "asked: 1988-10-01", "sources/S1.md"},
		{"dispute.yaml", "{H1: 60 ± 10, H2: 60 ± 10, H3: 0 ± 15, H4: 60 ± 10}", "{H1: early, H2: 60 ± 10}", "T1.expected.H1"},
		{"dispute.yaml", "likelihood_ratio: 2, cost: 1", "likelihood_ratio: 7, cost: 1", "T1.score.likelihood_ratio"},
		{"dispute.yaml", "  ICARUS: THISTLE", "  ICARUS: ICARUS II", "renaming"},
		{"sealed/T1.yaml", "62.1 ± 3.7", "62.1", "sealed/T1.yaml value"},
		{"sealed/T3.yaml", "The spectrum is that of the beam", "The spectrum is strange", "sealed/T3.yaml outcome"},
		{"sealed/T4.yaml", "test: T4", "test: T5", "sealed/T4.yaml"},
		{"sealed/T5.yaml", "From memory.", "", "sealed/T5.yaml"},
		{"flipped/T6.yaml", "fiction: true", "fiction: false", "flipped/T6.yaml fiction"},
		{"sources/S2.md", "from memory", "by heart", "sources/S2.md"},
	} {
		broken := maps.Clone(whole)
		text := strings.Replace(string(whole[c.file].Data), c.old, c.new, 1)
		if text == string(whole[c.file].Data) {
			t.Fatalf("%s does not say %q", c.file, c.old)
		}
		broken[c.file] = &fstest.MapFile{Data: []byte(text)}
		told := findings(t, "opera", broken)
		if len(told) == 0 || told[0].Path != c.path {
			t.Errorf("%s with %q is told as %v, not at %s", c.file, c.new, told, c.path)
		}
	}
	for file := range whole {
		if file == "dispute.yaml" {
			continue
		}
		broken := maps.Clone(whole)
		delete(broken, file)
		if len(findings(t, "opera", broken)) == 0 {
			t.Errorf("nobody misses %s", file)
		}
	}
}

// TestArms looks at what an arm may give away: the renamed one no name, the flipped one no history, and neither the hash of the other.
func TestArms(t *testing.T) {
	d, _, err := dispute.Read("opera", files(t, "opera"))
	if err != nil {
		t.Fatal(err)
	}
	hashes := map[string]bool{}
	for _, arm := range dispute.Arms() {
		s := d.Stage(arm)
		if len(s.Seals) != len(s.Tests) || len(s.Notes) != len(d.Sources) {
			t.Fatalf("%s: %d seals of %d tests", arm, len(s.Seals), len(s.Tests))
		}
		for _, seal := range s.Seals {
			if hashes[seal.SHA256] || len(seal.SHA256) != 64 {
				t.Errorf("%s: the hash %s of %s stands twice", arm, seal.SHA256, seal.Test)
			}
			hashes[seal.SHA256] = true
			if (arm == dispute.Flipped) != strings.Contains(string(seal.Data), "fiction: true") {
				t.Errorf("%s: %s", arm, seal.Data)
			}
			if arm == dispute.Renamed && strings.Contains(string(seal.Data), "OPERA") {
				t.Errorf("renamed: %s", seal.Data)
			}
		}
		if fiction := strings.Contains(s.Context, "Fiction"); fiction != (arm == dispute.Flipped) {
			t.Errorf("%s: %s", arm, s.Context)
		}
		if want := map[dispute.Arm]string{dispute.Named: "H2", dispute.Renamed: "H2", dispute.Flipped: "H1"}[arm]; s.Answer != want {
			t.Errorf("%s: the answer is %s", arm, s.Answer)
		}
	}
	if renamed := d.Stage(dispute.Renamed); !strings.Contains(renamed.Question, "grey sparks") || renamed.Notes[0].Cite != nil {
		t.Errorf("renamed: %s", renamed.Question)
	}
}

func files(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	folder, err := fs.Sub(disputes.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, path)
		all[path] = &fstest.MapFile{Data: data, Mode: 0o444}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func findings(t *testing.T, name string, folder fs.FS) []protocol.Finding {
	t.Helper()
	_, found, err := dispute.Read(name, folder)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
