package prompt

import (
	"fmt"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/message"
)

// Ancestor is the session that a new one goes on from: what was asked, believed and found there. Entries may hold what agents wrote.
type Ancestor struct {
	Session   string
	Question  string
	Version   int // its latest; 0: it has none
	Belief    string
	Survivors []string // hypotheses, with belief and review
	Killed    []string // hypotheses, with the reason
	Open      []string // tests that wait for a result
	Found     []string // results that stand, then those that were replaced or withdrawn
	Ready     []*artifact.Item
}

// maxReady is how many bytes the ready blocks of an ancestor take at most.
const maxReady = 32 << 10

func (a Ancestor) text() string {
	var named, b strings.Builder
	field(&named, message.AncestorField, a.Session) // outside what is contained: it is read back
	if a.Version > 0 {
		field(&b, "Version", fmt.Sprintf("v%d", a.Version))
	}
	inline(&b, "Question", nonEmpty(a.Question))
	inline(&b, "Belief", nonEmpty(a.Belief))
	listed(&b, "Survivors", orNone(a.Survivors))
	listed(&b, "Killed", orNone(a.Killed))
	listed(&b, "Open Tests", orNone(a.Open))
	listed(&b, "Found", orNone(a.Found))
	return named.String() + message.Contain(b.String()) + "\n\n" + a.ready()
}

// ready writes each survivor as an ADD that names its ancestor. The blocks stand inside an outer fence: nothing is in the
// artifact of the new session until somebody sends it.
func (a Ancestor) ready() string {
	var blocks []string
	size := 0
	for _, it := range a.Ready {
		block := "```delta\n" + a.takenOver(it) + "\n```"
		if size += len(block); size > maxReady {
			break
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		return ""
	}
	text := fmt.Sprintf(mustRead("ancestor"), strings.Join(blocks, "\n\n"))
	if left := len(a.Ready) - len(blocks); left > 0 {
		text += fmt.Sprintf("\n%d more are too long to stand here: `brenner_artifact` shows them.\n", left)
	}
	return text
}

// takenOver is the ADD of a hypothesis of another session. Its kill conditions stay behind: they name tests of that session.
func (a Ancestor) takenOver(it *artifact.Item) string {
	return encoded(addition{
		Section: it.Section.String(),
		Payload: hypothesis{
			Name: it.Text(artifact.Name), Claim: it.Text(artifact.Claim), Mechanism: it.Text(artifact.Mechanism),
			Anchors: it.List(artifact.Anchors),
			Third:   it.IsThirdAlternative(), Evidence: it.List(artifact.EvidenceRefs),
			References: []reference{{Session: a.Session, Item: string(it.ID), Relation: "refines"}},
		},
		Rationale: fmt.Sprintf("It survived %s, where it is %s.", a.Session, it.ID),
	})
}

func nonEmpty(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []string{text}
}
