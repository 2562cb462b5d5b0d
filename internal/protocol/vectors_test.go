package protocol

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write golden files anew")

// day is the day on which the vectors generate ids.
var day = time.Date(2025, 12, 30, 23, 59, 0, 0, time.UTC)

func readVectors[T any](t testing.TB, name string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var vectors []T
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&vectors); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(vectors) == 0 {
		t.Fatalf("%s holds no vectors", name)
	}
	return vectors
}

// verdict writes findings as the vectors do: severity and code.
func verdict(findings []Finding) []string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, string(f.Severity)+" "+string(f.Code))
	}
	return lines
}

func fixes(findings []Finding) string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Fix)
	}
	return strings.Join(all, "\n")
}

// wellFormed checks what every finding owes its reader.
func wellFormed(t *testing.T, findings []Finding) {
	t.Helper()
	for _, f := range findings {
		if f.Message == "" || f.Fix == "" || f.Path == "" && f.Code != InvalidRoster {
			t.Errorf("finding without message, fix or path: %+v", f)
		}
		if _, known := codeIndex()[f.Code]; !known {
			t.Errorf("code %s is not in the table", f.Code)
		}
	}
}
