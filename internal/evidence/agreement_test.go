package evidence

import (
	"strconv"
	"strings"
	"testing"
)

func TestAgreement(t *testing.T) {
	var long strings.Builder
	for i := range 1000 {
		long.WriteString("word" + strconv.Itoa(i*i%997) + " ")
	}
	for name, c := range map[string]struct {
		text, own string
		from, to  float64
	}{
		"same":            {long.String(), long.String(), 1, 1},
		"case and dashes": {"Cells — KEEP their fate, late.", "cells keep their fate late", 1, 1},
		"nothing":         {"something else entirely that nobody wrote", long.String(), 0, 0},
		"a part":          {"one two three four five six", "one two three four five and no more", 0.5, 0.5},
		"few words":       {"keep their", "cells keep their fate late", 1, 1},
		"few, elsewhere":  {"their keep", "cells keep their fate late", 0, 0},
		"no words":        {"…", "cells keep their fate", 0, 0},
		"no own words":    {"cells keep", "", 0, 0},
	} {
		if got := Agreement(c.text, c.own); got < c.from || got > c.to {
			t.Errorf("%s: %v, want %v to %v", name, got, c.from, c.to)
		}
	}
}

// Of a large text a part of the runs is compared, and the same part of both.
func TestAgreementOfLargeTexts(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 12<<20; i++ {
		b.WriteString(strconv.Itoa(i*7919) + " ")
	}
	text := b.String()
	if got := Agreement(text, text); got != 1 {
		t.Errorf("a text agrees with itself to %v", got)
	}
	if got := Agreement(text, text[:len(text)/2]); got < 0.49 || got > 0.51 {
		t.Errorf("a text agrees with its half to %v", got)
	}
}
