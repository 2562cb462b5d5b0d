package evidence_test

import (
	"strings"
	"testing"

	"brenner/internal/evidence"
)

// found writes quotations as text|citation, with ~ before the citation of one that is near, ? of one in its paragraph.
func found(text string) string {
	var got []string
	for _, q := range evidence.Quotes(text) {
		mark := map[evidence.Bond]string{evidence.Near: "~", evidence.InParagraph: "?"}[q.Bond]
		got = append(got, q.Text+"|"+mark+q.Citation())
	}
	return strings.Join(got, ";")
}

// SCIENCE 1, shapes and belonging.
func TestQuotationsAreFound(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// The marks.
		{`“cells keep their fate” (EV-001)`, "cells keep their fate|EV-001"},
		{`„cells keep their fate“ (EV-001)`, "cells keep their fate|EV-001"},
		{`„cells keep their fate” (EV-001)`, "cells keep their fate|EV-001"},
		{`”cells keep their fate” (EV-001)`, "cells keep their fate|EV-001"},
		{`«cells keep their fate» (EV-001)`, "cells keep their fate|EV-001"},
		{`« cells keep their fate » (EV-001)`, "cells keep their fate|EV-001"},
		{`»cells keep their fate« (EV-001)`, "cells keep their fate|EV-001"},
		{`»cells keep their fate» (EV-001)`, "cells keep their fate|EV-001"},
		{`‹cells keep their fate› (EV-001)`, "cells keep their fate|EV-001"},
		{`›cells keep their fate‹ (EV-001)`, "cells keep their fate|EV-001"},
		{`‚cells keep their fate‘ (EV-001)`, "cells keep their fate|EV-001"},
		{`「細胞は運命を保つ」（EV-001）`, "細胞は運命を保つ|EV-001"},
		{`＂細胞は運命を保つ＂（EV-001）`, "細胞は運命を保つ|EV-001"},
		{`『細胞は運命を保つ』［EV-001］`, "細胞は運命を保つ|EV-001"},
		{`‘cells keep their fate’ (EV-001)`, "cells keep their fate|EV-001"},
		{`'cells keep their fate' (EV-001)`, "cells keep their fate|EV-001"},
		{`"cells keep their fate" (EV-001)`, "cells keep their fate|EV-001"},
		// ' only where it is bound, and not before a digit.
		{`the 'cells keep their fate' idea`, ""},
		{`the "cells keep their fate" idea`, "cells keep their fate|"},
		{`the '90s saw what cells' fate is (EV-001)`, ""},
		{`the cells' fate and the hosts' fate are one (EV-001)`, ""},
		{`‘they don’t keep their fate’ (EV-001)`, "they don’t keep their fate|EV-001"},
		// Too short.
		{`"cells keep" (EV-001)`, ""},
		{`"細胞は運命" (EV-001)`, ""},
		{`"well-known fate" (EV-001)`, ""},
		// Straight marks by what is beside them.
		{`a 5" pipe with "cells keep their fate" (EV-001)`, "cells keep their fate|EV-001"},
		{`("cells keep their fate" [EV-001])`, "cells keep their fate|EV-001"},
		{`—"cells keep their fate"—(EV-001)`, "cells keep their fate|EV-001"},
		{`he said:"cells keep their fate" (EV-001)`, "cells keep their fate|EV-001"},
		{`**"cells keep their fate"** (EV-001)`, "cells keep their fate|EV-001"},
		{`"cells keep their fate"² (EV-001)`, "cells keep their fate|EV-001"},
		{`x"cells keep their fate"y (EV-001)`, ""},
		{`[EV-001]"cells keep their fate"`, "cells keep their fate|~EV-001"},
		{`(EV-001)"cells keep their fate".`, "cells keep their fate|~EV-001"},
		{`As EV-001 says,"cells keep their fate".`, "cells keep their fate|EV-001"},
		{`["keep","cells keep their fate"] (EV-001)`, "cells keep their fate|~EV-001"},
		// The outermost pair, in one paragraph.
		{"“cells “keep” their\nfate” (§12)", "cells “keep” their\nfate|§12"},
		{`„sie sagten ‚cells keep their fate‘ oft“ (EV-001)`, "sie sagten ‚cells keep their fate‘ oft|EV-001"},
		{"\"cells keep\n\ntheir fate here\" (EV-001)", ""},
		{"- \"cells keep\n- their fate here\" (EV-001)", ""},
		{"| \"cells keep |\n| their fate here\" | (EV-001) |", ""},
		{"| \"cells keep their fate\" | EV-001 |\n| \"they lose their fate\" | EV-002 |",
			"cells keep their fate|EV-001;they lose their fate|EV-002"},
		{`„cells keep “their” own fate“ (EV-001)`, "cells keep “their” own fate|EV-001"},
		{`„“Cells” keep their fate“ (EV-001)`, "“Cells” keep their fate|EV-001"},
		{`« and »cells keep their fate« (EV-001)`, "cells keep their fate|EV-001"},
		{`»cells keep «their» own fate« (EV-001)`, "cells keep «their» own fate|EV-001"},
		{`“ and „cells keep their fate“ (EV-001)`, "cells keep their fate|EV-001"},
		// Not searched.
		{"`\"cells keep their fate\" (EV-001)`", ""},
		{"```\n\"cells keep their fate\" (EV-001)\n```", ""},
		{"<div>\n\"cells keep their fate\" (EV-001)\n</div>", ""},
		{`<a title='"cells keep their fate" (EV-001)'>`, ""},
		// Bound: directly behind.
		{`"cells keep their fate" [EV-001#E2].`, "cells keep their fate|EV-001#E2"},
		{`"cells keep their fate," (see EV-001, p. 4; §3-4)`, "cells keep their fate,|EV-001, §3-4"},
		{`"cells keep their fate" — EV-001`, "cells keep their fate|EV-001"},
		{`"cells keep their fate", EV-001.`, "cells keep their fate|EV-001"},
		{`"cells keep their fate", see EV-001`, "cells keep their fate|EV-001"},
		{`"Cells keep their fate." EV-001`, "Cells keep their fate.|EV-001"},
		{`"Cells keep their fate." EV-002 denies it all.`, "Cells keep their fate.|?EV-002"},
		{`"Cells keep their fate." (EV-001)`, "Cells keep their fate.|EV-001"},
		{`"cells keep their fate"[^1] and more.` + "\n\n[^1]: See EV-001, p. 3.", "cells keep their fate|EV-001"},
		{`"cells keep their fate"[^1] (EV-002)` + "\n\n[^1]: A remark.", "cells keep their fate|EV-002"},
		{`"one two three" (EV-001) and "four five six" (EV-002)`, "one two three|EV-001;four five six|EV-002"},
		{`"cells keep their fate" (EV-001, EV-002 and §3)`, "cells keep their fate|EV-001, EV-002, §3"},
		{`"cells keep their fate" EV-001, EV-002 and §3 agree`, "cells keep their fate|EV-001, EV-002, §3"},
		// Bound: before, after a colon or comma.
		{`As EV-001 says, "cells keep their fate".`, "cells keep their fate|EV-001"},
		{`EV-001: "cells keep their fate"`, "cells keep their fate|EV-001"},
		{`(EV-001): «cells keep their fate»`, "cells keep their fate|EV-001"},
		{`(EV-001: "cells keep their fate")`, "cells keep their fate|EV-001"},
		{`EV-001: "one two three"; EV-002: "four five six"`, "one two three|EV-001;four five six|EV-002"},
		{`EV-001: "one two three". EV-002: "four five six"`, "one two three|EV-001;four five six|EV-002"},
		{`In EV-001 a b c d e f g h i, "cells keep their fate".`, "cells keep their fate|?EV-001"},
		// Bound: the last thing inside the marks.
		{`"cells keep their fate (EV-001)"`, "cells keep their fate|EV-001"},
		{`"cells keep their fate [EV-001, p. 2]."`, "cells keep their fate|EV-001"},
		// Near.
		{`"cells keep their fate" as stated there (EV-001)`, "cells keep their fate|~EV-001"},
		{`EV-001 says that "cells keep their fate" always.`, "cells keep their fate|~EV-001"},
		{`"cells keep their fate" is what EV-001 says`, "cells keep their fate|?EV-001"},
		{`"cells keep their fate" a b c d e f g h (EV-001)`, "cells keep their fate|~EV-001"},
		{`"cells keep their fate" a b c d e f g h i (EV-001)`, "cells keep their fate|?EV-001"},
		{`EV-001 is old. They say "cells keep their fate" now.`, "cells keep their fate|?EV-001"},
		{`See EV-001, e.g. They say "cells keep their fate" now.`, "cells keep their fate|~EV-001"},
		{`So "cells keep their fate" it is. (EV-001)`, "cells keep their fate|~EV-001"},
		{`J. Smith in EV-001 by A. Smith said "cells keep their fate" now`, "cells keep their fate|~EV-001"},
		// Block quotes.
		{"> cells keep their fate\n> when moved (EV-001)", "cells keep their fate\nwhen moved|EV-001"},
		{"> cells keep their fate\n>\n> — EV-001, p. 3", "cells keep their fate|EV-001"},
		{"> cells keep their fate — EV-001", "cells keep their fate|EV-001"},
		{"> cells keep their fate\n\n(EV-001, p. 3)", "cells keep their fate|EV-001"},
		{"> cells keep their fate\n\n— see EV-001", "cells keep their fate|EV-001"},
		{"> cells keep their fate\n> — EV-001, line 1", "cells keep their fate|EV-001"},
		{"> cells keep their fate\n> — EV-001, lines 4–7", "cells keep their fate|EV-001"},
		{"> cells keep their fate\n> — EV-001, p. 3, Fig. 2b", "cells keep their fate|EV-001"},
		{"> cells keep their fate\n> — EV-001, line by line", ""},
		{"> cells keep their fate\n\nEV-001 says so", ""},
		{"> **§2** Title\n>\n> cells keep their fate\n> (§2)", "cells keep their fate|§2"},
		{"> \"cells keep their fate\" (EV-001)", "cells keep their fate|EV-001"},
		{"> cells keep their fate (EV-001) when moved", ""},
		{"> cells (EV-001)", ""},
		{"> he says \"cells keep their fate\" (EV-001) when moved", "cells keep their fate|EV-001"},
		// Ids.
		{`"cells keep their fate" (EV-1)`, "cells keep their fate|"},
		{"# A heading\n\"cells keep their fate\" ([EV-001](x.txt) p. 2)", "cells keep their fate|EV-001"},
		{`[a :( smile] "cells keep their fate" [EV-001]`, "cells keep their fate|EV-001"},
		{`“cells keep their fate" (EV-001)`, "cells keep their fate|EV-001"},
		{`“cells keep 'their' fate" (EV-001)`, "cells keep 'their' fate|EV-001"},
		{`A “mark here. EV-001: "cells keep their fate". A 5" pipe.`, "cells keep their fate|EV-001"},
		{`A “mark here. «cells keep their fate» (EV-001). A 5" pipe.`, "cells keep their fate|EV-001"},
	} {
		if got := found(c.text); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
