package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"brenner/internal/session/live"
)

const takenThread = "RS-20260110-taken"

// takenDelta is two hypotheses and a test.
const takenDelta = "# Delta Contribution\n\n## Deltas\n\n```delta\n" +
	`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"Gravity","claim":"It ` +
	`pulls.","mechanism":"m","anchors":["inference"]},"rationale":"r"}` + "\n```\n\n```delta\n" +
	`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"Touch","claim":"It ` +
	`pushes.","mechanism":"m","anchors":["inference"]},"rationale":"r"}` + "\n```\n\n```delta\n" +
	`{"operation":"ADD","section":"discriminative_tests","target_id":null,"payload":{"name":"Weigh","procedure":"p","discriminates":"H1 ` +
	`vs. H2",` +
	`"expected_outcomes":{"H1":"heavy","H2":"light"}},"rationale":"r"}` + "\n```\n"

// takers are the commands that work on one session, in an order in which they can be typed. # is the critique.
var takers = []string{
	"session status T", "todo T", "next T", "whatif T T1=heavy", "beliefs T", "reasons T", "signs T", "predictions T", "review T",
	"result list T",
	"calibration --thread T", "critique list T", "critique show #", "artifact show T", "artifact history T", "artifact diff T",
	"artifact blame T", "artifact support T",
	"lint T", "evidence check T", "compile T --dry-run", "result record T T1 --outcome heavy",
	"result withdraw T T1 --message 6 --reason wrong", "compile T", "session complete T --force enough",
}

// othersTake are commands with a thread as their argument that are no reading of a session, or look more than once because they go on.
var othersTake = []string{
	"brenner run", "brenner ps", "brenner cockpit", "brenner restart", "brenner nudge", "brenner logs", "brenner stop", "brenner pause",
	"brenner resume", "brenner tui",
	"brenner session watch", "brenner session start", "brenner session archive", "brenner session unarchive", "brenner session persist",
	"brenner export", "brenner verify",
	"brenner mail", "brenner thread", "brenner diagnose", "brenner report", "brenner persist",
	"brenner dispute",                                                        // a play, whose scores go by the letters of its thread
	"brenner artifact cite", "brenner evidence export", "brenner result run", // an excerpt, sources, and a program between two takings
}

// TestCommandsTakeOneSession: every command that reads a session takes it once, and those that act take it once before they act.
func TestCommandsTakeOneSession(t *testing.T) {
	dir := t.TempDir()
	run := func(in string, args ...string) (*live.Counter, string, int) {
		streams, out, _ := terminal(map[string]string{})
		streams.In = strings.NewReader(in)
		ctx, counter := live.Count(t.Context())
		code := Run(ctx, append([]string{"--project", dir}, args...), streams)
		return counter, out.String(), code
	}
	for _, step := range []struct{ in, args string }{
		{"", "session start --question Why? --context So. --to Alpha,Beta --thread T"},
		{takenDelta, "mail send --from Alpha --to Operator --thread T --body - --subject"},
		{"", "compile T"},
		{"# Critique: Heavy\n\n## Target\n\nH1 (v1)\n\n## Attack\n\nIt floats.\n\n## Evidence\n\nSeen.\n\n## Severity\n\nMajor\n",
			"mail send --from Beta --to Operator --thread T --body - --subject"},
	} {
		args := strings.Fields(strings.ReplaceAll(step.args, " T", " "+takenThread))
		if args[len(args)-1] == "--subject" {
			args = append(args, map[bool]string{true: "DELTA[gpt]: one", false: "CRITIQUE: Heavy"}[strings.HasPrefix(step.in, "# Delta")])
		}
		if _, out, code := run(step.in, args...); code != 0 {
			t.Fatalf("%q: %d %s", args, code, out)
		}
	}
	for _, words := range takers {
		args := strings.Fields(words)
		for i, word := range args {
			switch word {
			case "T":
				args[i] = takenThread
			case "#":
				args[i] = "5"
			}
		}
		counter, out, code := run("", args...)
		if n := counter.Taken()[takenThread]; n != 1 || code != 0 && code != 3 {
			t.Errorf("brenner %s takes the session %d times (exit %d): %.300s", words, n, code, out)
		}
	}
}

// TestNoTakerIsForgotten: each command that names a thread is counted, or is known not to be a reading of a session.
func TestNoTakerIsForgotten(t *testing.T) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		named := strings.HasSuffix(c.Use, " T") || strings.Contains(c.Use, " T ") || strings.Contains(c.Use, "[T]")
		counted := slices.ContainsFunc(takers, func(words string) bool {
			return strings.HasPrefix("brenner "+words+" ", c.CommandPath()+" ")
		})
		other := slices.ContainsFunc(othersTake, func(path string) bool { return strings.HasPrefix(c.CommandPath()+" ", path+" ") })
		if c.Runnable() && named && !counted && !other {
			t.Errorf("%s names a thread: add it to takers", c.CommandPath())
		}
	}
	visit(newRoot(&app{}))
}
