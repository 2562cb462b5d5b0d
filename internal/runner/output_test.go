package runner

import (
	"strings"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/message"
)

const good = "```delta\n{\"operation\": \"KILL\", \"section\": \"hypothesis_slate\", \"target_id\": \"H1\", \"payload\": {\"reason\": " +
	"\"no\"}, \"rationale\": \"r\"}\n```\n"

// TestPrinted: what an output holds of deltas becomes a message, marked as printed; what no door would
// accept is told.
func TestPrinted(t *testing.T) {
	leaning := strings.NewReplacer(`"KILL"`, `"EDIT"`, `"H1"`, `"@x"`, `"reason"`, `"claim"`).Replace(good)
	rootless := "```delta\n{\"operation\":\"ADD\",\"section\":\"hypothesis_slate\",\"payload\":{\"local_id\":\"x\"}," +
		"\"rationale\":\"r\"}\n```\n"
	for name, test := range map[string]struct {
		output        string
		kept, refused int
	}{
		"nothing":                  {"I have thought about it.\n", 0, 0},
		"empty":                    {"", 0, 0},
		"one":                      {"Here it is:\n\n" + good, 1, 0},
		"two":                      {good + "and\n" + good, 2, 0},
		"quoted":                   {"> " + strings.ReplaceAll(good, "\n", "\n> "), 0, 0},
		"a sample":                 {"~~~~markdown\n" + good + "~~~~\n", 0, 0},
		"cut off":                  {good + "```delta\n{\"operation\": \"ADD\", ", 1, 1},
		"broken":                   {"```delta\n[1,2\n```\n", 0, 1},
		"leans on a block that is": {rootless + leaning + good, 1, 2},
		"escapes":                  {"\x1b[31m" + good + "\x1b[0m", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := readPrinted(test.output, "BlueLake", 2)
			if n := strings.Count(p.body, "```delta"); n != test.kept || len(p.refused) != test.refused {
				t.Errorf("kept %d, refused %d: %+v", n, len(p.refused), p)
			}
			if test.kept > 0 && !strings.Contains(p.body, "BlueLake printed this in round 2") {
				t.Errorf("not marked: %s", p.body)
			}
		})
	}
}

// FuzzPrinted: whatever an agent prints, what is made of it is accepted whole.
func FuzzPrinted(f *testing.F) {
	f.Add(good)
	f.Add("````delta\n{\"operation\":\"ADD\",\"payload\":\"```\"}\n````\n~~~delta\n")
	f.Add(strings.Repeat("```delta\n", 50))
	f.Fuzz(func(t *testing.T, output string) {
		p := readPrinted(output, "BlueLake", 1)
		if p.body == "" {
			return
		}
		report := message.Check(p.draft("RS-20260110-turning-tide", mail.Agent{Name: "BlueLake", Program: "codex-cli"},
			[]string{"Operator"}, 1), message.Facts{})
		if report.Refused() || report.Receipt == nil || report.Receipt.Accepted == 0 || report.Receipt.Rejected != 0 {
			t.Errorf("%+v\n%s", report.Findings, p.body)
		}
	})
}
