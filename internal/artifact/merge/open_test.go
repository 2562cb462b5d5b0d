package merge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"brenner/internal/artifact/merge"
	"brenner/internal/artifact/merge/mergetest"
	"brenner/internal/message"
	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

// hashes has the artifact hash of every thread in testdata as the release before the open fields computed it. It is never
// written anew: a thread that is there has the hash it had (SCIENCE, preamble).
const hashes = "testdata/hashes.txt"

// TestHashesStay compares the hashes of threads with those of the release before the open fields, also of a thread that
// used their names as unknown fields.
func TestHashesStay(t *testing.T) {
	record, err := os.ReadFile(hashes)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(record)), "\n")
	if len(lines) < 18 {
		t.Fatalf("%d hashes", len(lines))
	}
	for _, line := range lines {
		name, want, _ := strings.Cut(line, " ")
		if got := hashOf(t, filepath.Join("testdata", name)); got != want {
			t.Errorf("%s: hash %s, was %s", name, got, want)
		}
	}
}

func hashOf(t *testing.T, file string) string {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	thread, _ := readThread(t, archive)
	s := merge.New("RS-20251230-cell-fate")
	for _, m := range thread {
		s.Fold(m)
	}
	h, err := s.Artifact().Hash()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(h)
}

// TestOpenFieldsMergeAsUnknownOnes folds random threads twice, once with open fields under names that no table has: the
// artifacts and reports are the same but for the names and UNKNOWN_FIELD.
func TestOpenFieldsMergeAsUnknownOnes(t *testing.T) {
	names := strings.NewReplacer("killed_if", "killed_ig", "quantity", "quantitz")
	rapid.Check(t, func(rt *rapid.T) {
		thread := mergetest.Thread(rt, 12)
		renamed := slices.Clone(mergetest.Messages(thread))
		for i := range renamed {
			renamed[i].Body = names.Replace(renamed[i].Body)
		}
		if diff := cmp.Diff(known(t, renamed), names.Replace(known(t, mergetest.Messages(thread)))); diff != "" {
			rt.Fatalf("(-unknown +open):\n%s", diff)
		}
	})
}

// known is the fold of a thread as text, without what is said of unknown fields.
func known(t *testing.T, thread []message.Message) string {
	var kept []string
	for line := range strings.Lines(fold(t, thread, func(s *merge.State) *merge.State { return s })) {
		if !strings.Contains(line, string(protocol.UnknownField)) && !strings.HasPrefix(line, "  findings ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
