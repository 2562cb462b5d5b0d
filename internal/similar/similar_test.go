package similar

import (
	"os"
	"strings"
	"testing"
)

// TestSimilarity holds the threshold against pairs that a person has judged.
func TestSimilarity(t *testing.T) {
	data, err := os.ReadFile("testdata/similar.txt")
	if err != nil {
		t.Fatal(err)
	}
	nearest, farthest := 1.0, 0.0
	for line := range strings.Lines(string(data)) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 3 {
			continue
		}
		score := similarity(fingerprintOf(parts[1]), fingerprintOf(parts[2]))
		t.Logf("%s %.2f %q %q", parts[0], score, parts[1], parts[2])
		if back := similarity(fingerprintOf(parts[2]), fingerprintOf(parts[1])); back != score {
			t.Errorf("%q and %q: %v one way, %v the other", parts[1], parts[2], score, back)
		}
		switch parts[0] {
		case "near":
			nearest = min(nearest, score)
		case "far":
			farthest = max(farthest, score)
		}
		if (score >= Enough) != (parts[0] == "near") {
			t.Errorf("%q and %q are %s, but %.2f alike", parts[1], parts[2], parts[0], score)
		}
	}
	t.Logf("near from %.2f, far up to %.2f, threshold %.2f", nearest, farthest, Enough)
	if nearest == 1 || farthest == 0 {
		t.Error("the table has no pairs")
	}
}

// TestIndexFindsTheBest compares the search with looking at every fingerprint.
func TestIndexFindsTheBest(t *testing.T) {
	words := strings.Fields("cell fate gradient lineage marks division signal membrane clock state memory protein")
	sentence := func(seed, n int) string {
		var b strings.Builder
		for range n {
			seed = (seed*1103515245 + 12345) & 0x7fffffff
			b.WriteString(words[seed>>8%len(words)%len(words)] + " ")
		}
		return b.String()
	}
	var s Index
	var fingerprints []fingerprint
	for i := range 300 {
		p := fingerprintOf(sentence(i, 3+i%5))
		fingerprints = append(fingerprints, p)
		s.add(p)
	}
	hits := 0
	for i := range 300 {
		p := fingerprintOf(sentence(i*7+1, 4))
		want, score := 0, 0.0
		for at, q := range fingerprints {
			if d := similarity(p, q); d > score {
				want, score = at, d
			}
		}
		got, found := s.find(p)
		if score >= Enough && (got != want || found != score) {
			t.Fatalf("found %d (%.2f), the best is %d (%.2f)", got, found, want, score)
		}
		if score < Enough && found >= Enough {
			t.Fatalf("found %.2f, the best is %.2f", found, score)
		}
		if score >= Enough {
			hits++
		}
	}
	if hits == 0 {
		t.Error("no pair was alike: the comparison shows nothing")
	}
}

// TestIndexFindsInACrowd looks for one reworded fingerprint among ten thousand of the same
// vocabulary, far beyond what a search can compare one by one.
func TestIndexFindsInACrowd(t *testing.T) {
	words := strings.Fields("cell fate gradient lineage marks division signal membrane clock state memory protein kinase receptor ligand " +
		"vesicle spindle histone ribosome codon")
	sentence := func(seed int) string {
		var list []string
		for seed = seed*2654435761 + 12345; len(list) < 7; seed /= 7 {
			list = append(list, words[seed%len(words)])
		}
		return strings.Join(list, " ")
	}
	var s Index
	for i := range 10_000 {
		s.add(fingerprintOf(sentence(i)))
	}
	missed := 0
	for i := 0; i < 10_000; i += 50 {
		list := strings.Fields(sentence(i))
		list[0], list[6] = list[6]+"s", list[0]
		if _, score := s.find(fingerprintOf("The " + strings.Join(list, " of "))); score < Enough {
			missed++
		}
	}
	if missed > 0 {
		t.Errorf("%d of 200 were not found", missed)
	}
}
