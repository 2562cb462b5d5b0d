package evidence_test

import (
	"strings"
	"testing"

	"brenner/internal/evidence"
)

// moved is the source of most cases.
const moved = "Cells keep their fate when they are moved late. They lose it when they are moved early. At 37 °C growth was 105 units."

// told writes what is said of the quotations of a text, in order, and of the numbers beside its citations: ok for one that stands
// where it says, none for one of which nothing is said.
func told(l *evidence.Library, text string) string {
	var got []string
	ruling := l.Check(evidence.Read(text))
	for i := range ruling.Quotes {
		c := &ruling.Quotes[i]
		findings := c.Findings("H1")
		switch {
		case len(findings) == 0 && c.Verdict == evidence.Found:
			got = append(got, "ok")
		case len(findings) == 0:
			got = append(got, "none")
		}
		for _, f := range findings {
			got = append(got, string(f.Code))
		}
	}
	for i := range ruling.Figures {
		for _, f := range ruling.Figures[i].Findings("H1") {
			got = append(got, string(f.Code))
		}
	}
	return strings.Join(got, " ")
}

// Sentences as agents write them, and what they are told. The project has EV-001 with a title, EV-002 without a text, and no
// transcript.
func TestWhatWritersAreTold(t *testing.T) {
	const written, extracted = evidence.Written, evidence.Extracted
	for _, c := range []struct {
		source, text, want string
		origin             evidence.Origin
	}{
		{moved, `"Cells keep their fate" (EV-001)`, "ok", written},
		{moved, `"Cells keep their destiny" (EV-001)`, "EV-Q01", written},
		{moved, `"Cells keep their fate" [EV-001, p. 4].`, "ok", written},
		{moved, `"Cells keep their fate" (see EV-001)`, "ok", written},
		{moved, `EV-001 (p. 4) says: "Cells keep their destiny".`, "EV-Q01", written},
		{moved, `According to EV-001, "Cells keep their destiny".`, "EV-Q01", written},
		{moved, `As the authors of EV-001 wrote some time ago, "Cells keep their destiny".`, "EV-Q01", written},
		{moved, `As EV-001 says — "Cells keep their fate when they are moved early".`, "EV-Q01", written},
		{moved, `As EV-001 says — "bananas are all very yellow".`, "EV-Q05", written},
		{moved, `“Cells keep their destiny” – EV-001`, "EV-Q01", written},
		{moved, `«Cells keep their destiny» (EV-001)`, "EV-Q01", written},
		{moved, `"Cells keep their destiny." — [EV-001]`, "EV-Q01", written},
		{moved, `"Cells keep their destiny"¹ (EV-001)`, "EV-Q01", written},
		{moved, `"Cells keep their destiny"; (EV-001)`, "EV-Q01", written},
		{moved, `"Cells keep their destiny"... (EV-001)`, "EV-Q01", written},
		{moved, `("Cells keep their destiny"; EV-001)`, "EV-Q01", written},
		{moved, `(“Cells keep their destiny”, EV-001, p. 4)`, "EV-Q01", written},
		{moved, `"Cells keep their destiny" （EV-001）`, "EV-Q01", written},
		{moved, `"Cells keep their destiny" ([EV-001](evidence/EV-001.txt))`, "EV-Q01", written},
		{moved, `"Cells keep their destiny" [EV-001](evidence/EV-001.txt)`, "EV-Q01", written},
		{moved, `"Cells keep their destiny" *(EV-001)*`, "EV-Q01", written},
		{moved, `*"Cells keep their destiny"* (EV-001)`, "EV-Q01", written},
		{moved, `__"Cells keep their destiny"__ (EV-001)`, "EV-Q01", written},
		{moved, "\"Cells keep their destiny\"\n(EV-001)", "EV-Q01", written},
		{moved, "\"Cells keep their destiny\"\n\n(EV-001)", "none", written},
		{moved, "“Cells keep their destiny” (EV-002)", "EV-Q03", written},
		{moved, "“Cells keep their destiny” (EV-002, EV-001)", "EV-Q01", written},
		{moved, "“Cells keep their destiny” (§4, EV-001)", "EV-Q01", written},
		{moved, "“Cells keep their destiny” (§4)", "EV-Q03", written},
		{moved, "“Cells keep their destiny” (EV-009)", "none", written},
		{moved, `The paper "On the fate of cells" (EV-001) is old.`, "ok", written},
		{moved, `In "On the fate of cells" by A. Smith (EV-001) we read on.`, "ok", written},
		{moved, `"Cells keep their fate … they are moved early" (EV-001)`, "ok", written},
		{moved, `"Cells keep their fate ... they are moved" (EV-001)`, "ok", written},
		{moved, `"Cells keep their fate [. . .] they are moved" (EV-001)`, "ok", written},
		{moved, `"Cells keep their fate… They lose it" (EV-001)`, "ok", written},
		{moved, `"They lose it … keep their fate" (EV-001)`, "EV-Q01", written},
		{"Drug X did not reduce mortality in the trial.", `"Drug X did … reduce mortality in the trial" (EV-001)`, "EV-Q06", written},
		{"Drug X did not reduce mortality in the trial.", `"Drug X … reduce mortality in the trial" (EV-001)`, "EV-Q06", written},
		{"The drug is without any serious effect on cells here.", `"The drug is … effect on cells" (EV-001)`, "EV-Q06", written},
		{"The drug can't and won't reduce mortality here.", `"The drug … reduce mortality here" (EV-001)`, "EV-Q06", written},
		{
			"The drug cannot reduce mortality here, and not there.",
			`"The drug … reduce mortality here, and not there" (EV-001)`, "ok", written,
		},
		{"Neither drug nor placebo did reduce mortality here at all.", `"drug … did reduce mortality here" (EV-001)`, "EV-Q01", written},
		{"Some drug nor placebo did reduce mortality here at all.", `"Some drug … did reduce mortality here" (EV-001)`, "EV-Q06", written},
		{"Growth to 10⁵ cells per ml was seen.", `"Growth to 105 cells per ml" (EV-001)`, "EV-Q01", written},
		{"Growth to 10⁵ cells per ml was seen.", `"Growth to 10<sup>5</sup> cells per ml" (EV-001)`, "ok", written},
		{"Growth to 1.5 × 10⁵ cells per ml was seen.", `"Growth to 1.5 × 10^5 cells" (EV-001)`, "ok", written},
		{"Growth at −5 °C was seen.", `"Growth at 5 °C was" (EV-001)`, "EV-Q01", written},
		{"Growth at 5 °C was seen.", `"Growth at 5 ° C was" (EV-001)`, "EV-Q01", written},
		{"It rose by 5 % in each case.", `"It rose by 5% in each" (EV-001)`, "ok", written},
		{"It rose by 5 in each case.", `"It rose by 5% in each" (EV-001)`, "EV-Q01", written},
		{"It rose by 5% in each case.", `"It rose by 5" (EV-001)`, "EV-Q01", written},
		{"It rose by 5‰ in each case.", `"It rose by 5" (EV-001)`, "EV-Q01", written},
		{"It rose by ≥ 5 in each case.", `"5 in each case" (EV-001)`, "EV-Q01", written},
		{"It rose by ≈5 in each case.", `"It rose by 5 in" (EV-001)`, "EV-Q01", written},
		{"It was 73.04 ± 1.04 km/s in all.", `"It was 73.04 in all" (EV-001)`, "EV-Q01", written},
		{"It was 73.04 ± 1.04 km/s in all.", `"It was 73.04" (EV-001)`, "ok", written},
		{"It was 73.04 ± 1.04 km/s in all.", `"It was 73" (EV-001)`, "EV-Q01", written},
		{"It was 10,000 in all of them.", `"It was 10" (EV-001)`, "EV-Q01", written},
		{"It was 10,000 in all of them.", `"000 in all of them" (EV-001)`, "EV-Q01", written},
		{"the E. coli [12] strain [13,14] grew well", `"the E. coli strain grew well" (EV-001)`, "ok", written},
		{"the E. coli [12–14] strain grew well", `"the E. coli strain grew well" (EV-001)`, "ok", written},
		{"the E. coli strain grew well.12 Then more", `"the E. coli strain grew well. Then more" (EV-001)`, "EV-Q01", written},
		{"The cells grew well.", `"[t]he cells grew well" (EV-001)`, "ok", written},
		{"The cells grew well.", `"[C]ells grew well" (EV-001)`, "ok", written},
		{"The cells grew well here.", `"[the] cells grew well" (EV-001)`, "EV-Q01", written},
		{"the cells grew well here.", `"[T]he cells grew well" (EV-001)`, "ok", written},
		{"Они сохраняют свою судьбу после переноса.", `«Они сохраняют свою судьбу» (EV-001)`, "ok", written},
		{"Они сохраняют свою судьбу после переноса.", `«Они теряют свою судьбу» (EV-001)`, "EV-Q01", written},
		{"细胞在晚期移植时保持其命运。", `EV-001指出：“细胞在晚期移植时失去其命运”。`, "EV-Q01", written},
		{"细胞在晚期移植时保持其命运。", `“细胞在晚期移植时保持其命运”（EV-001）。`, "ok", written},
		{"細胞は運命を保つという。", `「細胞は運命を失う」と述べた（EV-001）。`, "EV-Q01", written},
		{"細胞は運命を保つという。", `『細胞は運命を保つ』(EV-001)`, "ok", written},
		{"세포는 운명을 유지한다 라고 말했다", `"세포는 운명을 유지한다" (EV-001)`, "ok", written},
		{moved, "> Cells keep their destiny\n> (EV-001)", "EV-Q01", written},
		{moved, "> Cells keep their destiny\n\nEV-001", "EV-Q01", written},
		{moved, "> Cells keep their destiny\n\n— EV-001, p. 3", "EV-Q01", written},
		{moved, "> Cells keep their destiny\nEV-001", "EV-Q01", written},
		{moved, "> Cells keep their destiny\n\n\n[EV-001]", "EV-Q01", written},
		{moved, "> “Cells keep their fate”\n> — EV-001", "ok", written},
		{moved, "- \"Cells keep their destiny\" (EV-001)\n- ok", "EV-Q01", written},
		{moved, "1. \"Cells keep their destiny\" (EV-001)", "EV-Q01", written},
		{moved, "| a | \"Cells keep their destiny\" | (EV-001) |", "EV-Q01", written},
		{moved, "He said \"Cells keep their destiny\"[^a].\n\n[^a]: EV-001, p. 3", "EV-Q01", written},
		{moved, `"Cells keep their destiny (EV-001)."`, "EV-Q01", written},
		{moved, `Growth was 106 units (EV-001).`, "EV-N01", written},
		{moved, `Growth was 105 units (EV-001).`, "", written},
		{moved, `Growth was 1.05e2 units (EV-001).`, "", written},
		{moved, `Growth was about 106 units (EV-001).`, "", written},
		{moved, `Growth was ~106 units (EV-001).`, "", written},
		{moved, `Growth was 106-fold (EV-001).`, "", written},
		{moved, `In 2011 (EV-001).`, "", written},
		{moved, `It was 99.5 (EV-001).`, "EV-N01", written},
		{moved, `It was 99.5 (EV-001, EV-002).`, "", written},
		{moved, `It was 99.5 units; one two three four five six seven eight nine (EV-001).`, "", written},
		{"It was 1,248,000 in all.", `It was 1.248 million, 1248000 in all (EV-001).`, "EV-N01", written},
		{"It was 1,248,000 in all.", `It was 1.25e6 in all (EV-001).`, "", written},
		{"It was 1 248 000 in all.", `It was 1248000 in all (EV-001).`, "", written},
		{"It was 0.0532 in all.", `It was 0.053 in all (EV-001).`, "", written},
		{"It was 0.0532 in all.", `It was 0.054 in all (EV-001).`, "EV-N01", written},
		{"It was 5.3 × 10⁻² in all.", `It was 0.053 in all (EV-001).`, "", written},
		{"the well-\nknown fact was seen", `"the well-known fact was" (EV-001)`, "ok", extracted},
		{"the wellknown fact was seen", `"the well-known fact was" (EV-001)`, "ok", extracted},
		{"the wellknown fact was seen", `"the well-known fact was" (EV-001)`, "EV-Q01", written},
		{"the snake_case_name is fine here", `"the snakecasename is fine" (EV-001)`, "EV-Q01", written},
		{"a * b * c is fine here", `"a * b * c is" (EV-001)`, "ok", written},
		{"the **cells** keep it all", `"the cells keep it" (EV-001)`, "ok", written},
		{"It was found by Smith et al. in mice.", `As EV-001 says, Smith et al. Found "It was found by Jones" there.`, "EV-Q01", written},
		{moved, `"A b c d e" and "Cells keep their fate" (EV-001).`, "EV-Q05 ok", written},
		{moved, `The "arsenic life hypothesis" and "Cells keep their fate" (EV-001).`, "EV-Q05 ok", written},
		{moved, `"Cells keep their destiny", "They lose it when" (EV-001).`, "EV-Q01 ok", written},
		{moved, `The so-called "gold standard method" was used (EV-001).`, "EV-Q05", written},
		{moved, "`\"Cells keep their destiny\"` (EV-001)", "", written},
		{moved, `Cells "keep" their "destiny" (EV-001)`, "", written},
		{moved, `"Cells keep their fate" (EV-001 and EV-002)`, "ok", written},
		{moved, `"Cells keep their fate when they are moved late" [EV-001#E9]`, "none", written},
		{"It was 1 248 000 in all.", "It was 1248000 in all (EV-001).", "", written},
		{"It was 1,248,000 in all.", "It was 1 248 000 in all (EV-001).", "", written},
		{"It was 1,248,000 in all.", "It was 1\u202f248\u202f000 in all (EV-001).", "", written},
		{"It was 1,248,000 in all.", "It was 1 249 000 in all (EV-001).", "EV-N01", written},
		{"It was 10 000.5 in all.", "It was 10,000.5 in all (EV-001).", "", written},
		{"It was 10 000 % in all.", "It was 10,000% in all (EV-001).", "", written},
		{"From 150 to 200 units.", "It was 150–200 units (EV-001).", "", written},
		{"From 150 to 201 units.", "It was 150–209 units (EV-001).", "EV-N01", written},
		{"From 150 to 201 units.", "It was 2011-05-03 in all (EV-001).", "", written},
		{"From 150 to 201 units.", "It was 0-19-853453-1 in all (EV-001).", "", written},
		{"From 150 to 201 units.", "It was COVID-192 in all (EV-001).", "", written},
		{"From 150 to 201 units.", "It was item 555-123 in all (EV-001).", "", written},
		{"From 1.5 to 2.5 units.", "It was 1.5-2.5 units (EV-001).", "", written},
		{"From 1.5 to 2.5 units.", "It was 1.5-2.6 units (EV-001).", "EV-N01", written},
		{"Of 12 345 cells.", "Of 12 345 cells (EV-001).", "", written},
		{"In 300 mL flasks.", "In 24 flasks of 300 mL (EV-001).", "", written},
		{"We saw 2,345 cells.", "In 2011 we saw 2 345 cells (EV-001).", "", written},
		{"Density 4.2 g.", "Density 4.2 g, not 3.9 (EV-001).", "EV-N01", written},
		{"H0 is 73.04 ± 1.04 km/s/Mpc.", "H0 is 73.0 ± 1.0 km/s/Mpc (EV-001).", "", written},
		{"H0 is 73.04 ± 1.04 km/s/Mpc.", "H0 is 73 ± 1.04 km/s/Mpc (EV-001).", "", written},
		{"H0 is 73.04 ± 1.04 km/s/Mpc.", "H0 is 74.03 ± 1.42 km/s/Mpc (EV-001).", "EV-N01 EV-N01", written},
		{"p = 0.0001 here.", "p < 0.0001 (EV-001)", "", written},
		{"p = 1e-4 here.", "p < 0.0001 (EV-001)", "", written},
		{"Of 100 %.", "see 10.1126/science.1197258 (EV-001)", "", written},
		{"Of 100 %.", "see Fig. 112 and Table 345 (EV-001)", "", written},
		{"Of 100 %.", "a 250-fold rise, 250 times, 300x (EV-001)", "", written},
		{"It is −273.15 °C.", "It is 273.15 degrees (EV-001)", "", written},
		{"1.7 µM was enough", "With 1.7 µM (EV-001) and 999.9 (nothing) it grew.", "", written},
	} {
		normal := evidence.NewText(c.source, c.origin)
		l := library(
			&evidence.Source{
				ID: "EV-001", Indexed: true, Kind: evidence.KindSource, Text: "EV-001.txt", Title: "On the fate of cells",
				Open: func() evidence.Content { return evidence.Content{Text: normal} },
			},
			&evidence.Source{
				ID: "EV-002", Indexed: true, Kind: evidence.KindSource,
				Open: func() evidence.Content { return evidence.Content{} },
			},
		)
		if got := told(l, c.text); got != c.want {
			t.Errorf("%s\n   in %.100q\n   got %q, want %q", c.text, c.source, got, c.want)
		}
	}
}
