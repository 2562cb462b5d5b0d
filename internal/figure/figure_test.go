package figure_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/figure"
)

var (
	lake = figure.Agent{Name: "BlueLake", Initials: "BL", Hue: 1}
	sky  = figure.Agent{Name: "RedSky", Initials: "RS", Hue: 3}
	ada  = figure.Agent{Name: "Operator", Initials: "OP"}
)

func sample() figure.Lifelines {
	return figure.Lifelines{
		Messages: 30,
		Versions: []figure.Version{{Number: 1, At: 8, Day: "3 Nov"}, {Number: 2, At: 12, Day: "3 Nov"}, {Number: 3, At: 20, Day: "4 Nov"},
			{Number: 4, At: 24, Day: "8 Nov"}},
		Lanes: []figure.Lane{
			{
				ID: "H2", Name: "Clocks that nudge each other", Href: "#H2",
				Pool: []figure.Point{{At: 5, Value: 0.42}, {At: 6, Value: 0.34}, {At: 11, Value: 0.36}, {At: 21, Value: 0.6},
					{At: 26, Value: 0.78}, {At: 27, Value: 0.67}},
				Writes: []figure.Write{{At: 5, By: lake, Title: "BlueLake adds H2 in #5", Href: "#m5"},
					{At: 11, By: lake, Title: "BlueLake edits H2 in #11", Href: "#m11"}},
				Attacks: []figure.Attack{{At: 16, By: sky, Title: "RedSky attacks", Href: "#m16"},
					{At: 27, By: ada, Title: "Operator attacks", Href: "#m27", Open: true, Critical: true}},
			},
			{ID: "H3", Name: "The same dusk for everyone", Href: "#H3", Pool: []figure.Point{{At: 5, Value: 0.14}, {At: 21, Value: 0.01}},
				Writes: []figure.Write{{At: 5, By: lake, Title: "BlueLake adds H3 in #5", Href: "#m5"}},
				Killed: &figure.Kill{At: 22, By: lake, Reason: "T1 found a shift where H3 says there can be none", Href: "#m22"}},
		},
		Results: []figure.Result{{At: 21, Test: "T1", Outcome: "a smooth shift", Href: "#m21",
			Verdicts: map[string]figure.Verdict{"H2": figure.AsExpected, "H3": figure.Contradicted}}},
	}
}

// elements parses markup and returns its start tags; anything that is no XML fails the test.
func elements(t rapid.TB, markup string) []xml.StartElement {
	t.Helper()
	var list []xml.StartElement
	decoder := xml.NewDecoder(strings.NewReader(markup))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, markup)
		}
		if start, ok := token.(xml.StartElement); ok {
			list = append(list, start)
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func TestMarksFollowTheLog(t *testing.T) {
	for name, markup := range map[string]string{"wide": sample().Wide("a"), "narrow": sample().Narrow("b")} {
		var order []string
		for _, e := range elements(t, markup) {
			href, class := attr(e, "href"), attr(e, "class")
			if e.Name.Local == "a" && strings.HasPrefix(href, "#m") && class != "flag" && class != "named" {
				order = append(order, href)
			}
		}
		if got, want := strings.Join(order, " "), "#m5 #m5 #m11 #m16 #m21 #m21 #m22 #m27"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestLongThreadsAreBinned(t *testing.T) {
	f := sample()
	f.Messages = 290
	f.Lanes[0].Writes = nil
	for at := 1; at <= 290; at++ {
		f.Lanes[0].Writes = append(f.Lanes[0].Writes,
			figure.Write{At: at, By: lake, Title: fmt.Sprint("edit ", at), Href: fmt.Sprint("#m", at)})
	}
	marks := 0
	for _, e := range elements(t, f.Wide("a")) {
		if e.Name.Local == "circle" && attr(e, "class") == "ad" {
			marks++
		}
	}
	// Five bins of H2 (four versions and what is pending), one of H3.
	if marks != 6 {
		t.Errorf("%d discs", marks)
	}
}

func TestHostileTextIsText(t *testing.T) {
	f := sample()
	hostile := `"><script>alert(1)</script>&amp;'` + "\u202e"
	f.Lanes[0].Name, f.Lanes[0].ID, f.Lanes[0].Href, f.Lanes[1].Killed.Reason = hostile, hostile, hostile, hostile
	f.Results[0].Outcome, f.Lanes[0].Writes[0].By.Initials, f.Versions[0].Day = hostile, hostile, hostile
	panel := figure.Panel{Label: hostile, Messages: 3, Max: 1, Ticks: figure.PercentTicks, Pool: []figure.Point{{At: 1, Value: 1}}}
	for _, markup := range []string{
		f.Wide("a"), f.Medium("c"), f.Narrow("b"), panel.Large(), panel.Small(),
		figure.Bar(hostile, 0.5, nil), figure.Stack(hostile, 100, []figure.Share{{Label: hostile, Value: 1}}, []string{"100"}),
	} {
		for _, e := range elements(t, markup) {
			if e.Name.Local == "script" {
				t.Errorf("markup from a text: %s", markup)
			}
		}
	}
}

var coordinate = regexp.MustCompile(`^-?[0-9]+(\.[0-9])?$`)

// TestEverythingStaysInside: whatever the session, coordinates are numbers and lie inside the picture.
func TestEverythingStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawn(t)
		for _, markup := range []string{f.Wide("a"), f.Medium("c"), f.Narrow("b")} {
			list := elements(t, markup)
			var width, height float64
			if _, err := fmt.Sscanf(attr(list[0], "viewBox"), "0 0 %g %g", &width, &height); err != nil {
				t.Fatal(err)
			}
			for _, e := range list[1:] {
				for _, name := range []string{"x", "cx", "x1", "x2", "y", "cy", "y1", "y2", "r", "width", "height"} {
					text := attr(e, name)
					if text == "" {
						continue
					}
					value, err := strconv.ParseFloat(text, 64)
					limit := width
					if strings.Contains(name, "y") || name == "height" {
						limit = height
					}
					if !coordinate.MatchString(text) || err != nil || value < -20 || value > limit+20 {
						t.Fatalf("%s=%q of %s leaves the picture %g × %g", name, text, e.Name.Local, width, height)
					}
				}
			}
		}
	})
}

func drawn(t *rapid.T) figure.Lifelines {
	f := figure.Lifelines{Messages: rapid.IntRange(0, 400).Draw(t, "messages")}
	at := rapid.IntRange(1, max(1, f.Messages))
	for i := range rapid.IntRange(0, 30).Draw(t, "versions") {
		f.Versions = append(f.Versions, figure.Version{Number: i + 1, At: 1 + i*max(1, f.Messages)/31})
	}
	probability := rapid.Float64Range(0, 1)
	for i := range rapid.IntRange(0, 8).Draw(t, "lanes") {
		lane := figure.Lane{ID: fmt.Sprint("H", i), Name: rapid.String().Draw(t, "name")}
		for _, moved := range slices.Compact(slices.Sorted(slices.Values(rapid.SliceOfN(at, 0, 12).Draw(t, "moves")))) {
			lane.Pool = append(lane.Pool, figure.Point{At: moved, Value: probability.Draw(t, "p")})
		}
		for range rapid.IntRange(0, 5).Draw(t, "attacks") {
			lane.Attacks = append(lane.Attacks, figure.Attack{At: at.Draw(t, "at"), By: sky, Open: rapid.Bool().Draw(t, "open")})
		}
		if rapid.Bool().Draw(t, "killed") {
			lane.Killed = &figure.Kill{At: at.Draw(t, "kill"), By: lake, Reason: rapid.String().Draw(t, "reason")}
		}
		f.Lanes = append(f.Lanes, lane)
	}
	return f
}
