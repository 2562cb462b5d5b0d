package dispute

import (
	"encoding/json"
	"fmt"
	"strings"

	"brenner/internal/markup"
	"brenner/internal/pattern"
)

// Terms are what a kickoff says about a dispute, for programs: the hashes that fix what was found, and what may be spent.
type Terms struct {
	Edition string            `json:"edition"`
	Dispute string            `json:"dispute"`
	Arm     Arm               `json:"arm"`
	SHA256  string            `json:"sha256"` // of dispute.yaml
	Seals   map[string]string `json:"seals"`  // SHA-256 of each sealed result, by test
	Budget  float64           `json:"budget"` // effort; 0: no limit
}

// Debrief is what the last message of a dispute says: the answer, and every result, those too that nobody asked for.
type Debrief struct {
	Answer   string            `json:"answer"`
	Decisive []string          `json:"decisive"`
	Results  map[string]string `json:"results"` // by test
}

// The words of the fences that carry them.
const (
	termsFence   = "dispute"
	debriefFence = "debrief"
)

// Terms are those of a staged dispute.
func (s *Staged) Terms() Terms {
	t := Terms{Edition, s.Name, s.Arm, s.SHA256, map[string]string{}, s.Budget}
	for _, seal := range s.Seals {
		t.Seals[seal.Test] = seal.SHA256
	}
	return t
}

// Constraints are what the kickoff says about the rules, with the terms in a fence.
func (s *Staged) Constraints() string {
	spend := "until all tests are done"
	if s.Budget > 0 {
		spend = fmt.Sprintf("until an effort of %g is spent", s.Budget)
	}
	return "- What each test found is sealed. The hash of each result stands below, so that nobody can change it any more.\n" +
		"- In each turn make one statement: a message to everybody with the subject `INFO: Statement` (send_message), no deltas. State " +
		"your credences (a belief block), in the first one also your likelihoods of each test.\n" +
		"- Then name one test that should be done next, on a line of its own: " + nextLine + ". The test that most name is opened, " +
		spend + ".\n" +
		"- Results are recorded by the operator, and are final. Make a statement again after each.\n\n" +
		fenced(termsFence, s.Terms())
}

const nextLine = "`**Next test**: T1`"

// Again asks for the statement of a further turn. Whoever is started anew for each turn knows of the kickoff no more than this.
const Again = "A result was opened. Make a statement as before: a message to everybody with the subject `INFO: Statement` " +
	"(send_message), no deltas, with your credences as they are now (a belief block), and the test that should be opened next on a " +
	"line of its own: " + nextLine

// Debrief is that of a staged dispute.
func (s *Staged) Debrief() string {
	d := Debrief{s.Answer, s.Decisive, map[string]string{}}
	for _, seal := range s.Seals {
		d.Results[seal.Test] = seal.Found()
	}
	settled := "The answer is still open."
	if s.Answer != Open {
		settled = "The answer is " + s.Answer + "."
	}
	return settled + " " + strings.TrimSpace(s.Answered) + "\n\n" + fenced(debriefFence, d)
}

func fenced(word string, value any) string {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err) // plain values always encode
	}
	return "```" + word + "\n" + string(data) + "\n```"
}

// ReadTerms finds the terms in a kickoff; false: it is not one of a dispute.
func ReadTerms(body string) (Terms, bool) {
	var t Terms
	return t, readFence(body, termsFence, &t) && t.Edition == Edition
}

// ReadDebrief finds the debrief in a message.
func ReadDebrief(body string) (Debrief, bool) {
	var d Debrief
	return d, readFence(body, debriefFence, &d) && d.Answer != ""
}

func readFence(body, word string, into any) bool {
	if !strings.Contains(body, word) {
		return false
	}
	doc := markup.Parse(body)
	for _, f := range doc.Fences() {
		if !f.Quoted && f.Language() == word && json.Unmarshal([]byte(f.Content), into) == nil {
			return true
		}
	}
	return false
}

var nextTest = pattern.Lazy(`(?m)^\s*\*\*Next test\*\*:\s*(T[1-9]\d{0,3}|none)\b`)

// NoTest is what somebody names who asks for no test.
const NoTest = "none"

// Choice is the test that a message names as the next one, or NoTest; empty: it names nothing. The last line counts.
func Choice(body string) string {
	found := nextTest().FindAllStringSubmatch(body, -1)
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1][1]
}

// NextLine is the line that names a test.
func NextLine(test string) string { return "**Next test**: " + test }
