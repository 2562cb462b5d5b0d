package web

import (
	"strings"
	"testing"

	"brenner/internal/science"
)

// TestEveryShareOfABarHasAName: shares sum to 100, and one that is too narrow for its name is named below the bar.
func TestEveryShareOfABarHasAName(t *testing.T) {
	shares := []share{{"H2", "a", 0.335}, {"H7", "b", 0.335}, {"H1", "c", 0.05}, {"H5", "d", 0.003}, {noneMark, "none of these", 0.277}}
	bar := barOf(inRow, shares)
	for _, want := range []string{
		`aria-label="H2 34 %, H7 33 %, H1 5 %, H5 &lt;1 %, none of these 28 %"`, `class="shade2"`, `class="shade1"`, "url(#dotted)",
		"url(#hatched)", ">H2<", ">34<", ">∅<", ">28<",
	} {
		if !strings.Contains(string(bar.Picture), want) {
			t.Errorf("%s is not in %s", want, bar.Picture)
		}
	}
	if bar.Rest != "H1 5 · H5 <1" {
		t.Errorf("named below: %q", bar.Rest)
	}
}

// TestTheCourseBeginsAtItsLeftEdge: the first of the values stands where the line of the ground begins.
func TestTheCourseBeginsAtItsLeftEdge(t *testing.T) {
	picture := string(courseOf(&science.Glance{Bits: 1, Course: []float64{2, 1.5, 1}}))
	if !strings.Contains(picture, `class="pool" d="M3 `) {
		t.Errorf("the curve begins elsewhere: %s", picture)
	}
}
