package textnorm_test

import (
	"testing"

	"brenner/internal/textnorm"
)

func TestLabel(t *testing.T) {
	for in, want := range map[string]string{
		"kept":                  "kept",
		"  Kept \t the\nfate. ": "kept the fate",
		"KEPT!":                 "kept",
		"kept..":                "kept.",
		"ﬁxed":                  "fixed",
		"Ⅳ":                     "iv",
		"kept\u00a0late":        "kept late",
		"":                      "",
		".":                     "",
		" - ":                   "-",
		"N/A":                   "n/a",
	} {
		if got := textnorm.Label(in); got != want {
			t.Errorf("Label(%q) = %q, want %q", in, got, want)
		}
	}
}
