package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCommandsEndWithTheNextStep: on a terminal each command says what one would do next, and
// nowhere else.
func TestCommandsEndWithTheNextStep(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("HOME", t.TempDir())
	writeFile(t, "transcript.md", "§1 One\ntext\n")
	writeFile(t, "refs.bib", "@article{fate2010, title={Cells and their fate}, author={Doe, J.}, year={2010}, doi={10.1000/xyz}}\n")
	writeFile(t, "retractions.csv", "Record ID,Title,RetractionDate,RetractionDOI,OriginalPaperDOI,RetractionNature\n1,Fate,1/2/2020 "+
		"0:00,10.1000/r,10.1000/xyz,Retraction\n")
	writeFile(t, "critique.md", "# Critique: Late\n\n## Target\n\n- **Item**: H1\n\n## Attack\n\nLate.\n\n## Evidence\n\nThe "+
		"delay.\n\n## Proposed Resolution\n\nKill it.\n\n## Severity\n\nMajor\n")
	last, sent := "", regexp.MustCompile(`(?m)^message ([0-9]+) on `)
	for _, line := range linesWithNext(examples) {
		t.Run(line, func(t *testing.T) {
			args := []string{"--project", "."}
			for word := range strings.FieldsSeq(line) {
				args = append(args, strings.NewReplacer("~", " ", "LAST", last).Replace(word))
			}
			streams, out, errs := terminal(nil)
			if code := Run(t.Context(), args, streams); code != 0 {
				t.Fatalf("exit code %d: %s%s", code, out, errs)
			}
			if m := sent.FindStringSubmatch(out.String()); m != nil {
				last = m[1]
			}
			if n := strings.Count(errs.String(), "next: "); n != 1 {
				t.Errorf("%d next steps: %s", n, errs)
			}
			if strings.Contains(out.String(), "next: ") {
				t.Errorf("a next step among the data: %s", out)
			}
		})
	}
}

// linesWithNext are command lines that end with the next step, each after those before it. A ~ is a space in a word, and
// LAST the message that was sent last.
func linesWithNext(examples string) []string {
	const thread = "RS-20251230-cell-fate-memory"
	return []string{
		"init", "doctor", "trust", "config show", "config show --explain", "roster show", "roster validate", "roster presets",
		"dispute list", "dispute show opera", "dispute check opera",
		"prompt show unified", "excerpt transcript.md --sections 1",
		"thread list", "session list", "mail agents", "acks", "genealogy",
		"thread import " + examples + "/thread.jsonl",
		"thread list", "thread show " + thread, "thread export " + thread + " -o out.jsonl", "verify out.jsonl", "verify " + thread,
		"session start --question Why? --context So. --thread RS-20260110-cells-turn --to BlueLake",
		"cockpit list", "cockpit start RS-20260110-cells-turn --program claude-code --dry-run",
		"mail send --from BlueLake --to Operator --thread RS-20260110-cells-turn --subject CRITIQUE:Late --body critique.md",
		"critique list RS-20260110-cells-turn", "critique show LAST", "critique promote LAST", "critique show cells#C1",
		"critique answer cells#C1 --body No.",
		"session list", "session status " + thread, "session watch " + thread + " --until collecting",
		"diagnose " + thread, "lint " + thread, "critique list RS-20260110-cells-turn",
		"artifact history " + thread, "compile " + thread + " --dry-run", "compile " + thread, "compile " + thread,
		"artifact show " + thread, "artifact history " + thread, "artifact diff " + thread, "artifact blame " + thread,
		"whatif " + thread + " T1=All~cells~switch~at~every~delay", "result record " + thread +
			" T1 --outcome All~cells~switch~at~every~delay",
		"result withdraw " + thread + " T1 --message LAST --reason wrong", "result run " + thread +
			" T2 --outcome No~cell~switches -- git --version", "reasons " + thread, "calibration", "evidence check " + thread,
		"compile " + thread,
		"persist " + thread, "session status " + thread, "artifact cite " + thread, "export " + thread + " --crate out.zip",
		"export " + thread + " --html out.html",
		"mail register Scarlet", "mail inbox Scarlet", "mail inbox BlueLake",
		"mail send --to Scarlet --subject INFO:y --body transcript.md", "mail wait Scarlet --timeout 5s", "mail read 6 --as BlueLake",
		"mail read 6",
		"mail ack 1 --as BlueLake", "mail search fate", "mail send --to BlueLake --subject INFO:x --body transcript.md",
		"mail reply 1 --from BlueLake --body transcript.md", "mail retire Scarlet", "acks", "acks run-once",
		"critique list " + thread, "session complete " + thread, "session status " + thread, "genealogy",
		"session archive " + thread + " --crate away.zip", "verify " + thread, "thread list", "session list",
		"session unarchive " + thread + " --crate away.zip",
		"version", "validate delta " + examples + "/delta.md", "validate roster " + examples + "/roster.json",
		"validate thread-id " + thread,
		"validate subject KICKOFF:x", "validate message --subject KICKOFF:Cells --body " + examples + "/kickoff.md",
		"delta fix " + examples + "/delta-with-slips.md",
		"artifact support " + thread, "beliefs " + thread, "next " + thread, "predictions " + thread,
		"result list " + thread, "review " + thread, "signs " + thread, "why BlueLake",
		"ps", "ps RS-20260110-cells-turn", "todo", "nudge RS-20260110-cells-turn BlueLake", "pause RS-20260110-cells-turn",
		"resume RS-20260110-cells-turn",
		"evidence list", "evidence add transcript.md --title One", "evidence list", "evidence show EV-002", "evidence search text",
		"evidence excerpt EV-002 --lines 1-2",
		"evidence mark EV-002 --status corrected --note typo", "evidence import refs.bib", "evidence retractions retractions.csv",
		"checkpoint", "token create BlueLake", "token list", "token rotate BlueLake", "token revoke BlueLake", "audit",
		"orchestrate start --question Why? --context So. --thread RS-20260111-cells-turn --to BlueLake",
		"connect claude --yes", "disconnect claude", "help environment", "help exit-codes",
		"upgrade-check", "backup out.backup", "restore out.backup --force",
		"store migrate --from sqlite:.brenner/brenner.db --to sqlite:copy.db",
		"dispute play opera --baseline uniform --thread RS-20260115-opera-by-hand", "dispute score RS-20260115-opera-by-hand",
		"dispute report", "dispute site public opera",
	}
}
