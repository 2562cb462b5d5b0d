package prompt

import (
	"fmt"
	"strings"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Kickoff is what a KICKOFF says to one recipient.
type Kickoff struct {
	Title       string // for the first round; later ones are called Round N Kickoff
	Question    string
	Context     string
	Excerpt     string
	Hypotheses  string
	Constraints string
	Outputs     string
	Roster      protocol.Roster
	Role        protocol.Role // RoleUnified without separate roles
	RolePrompt  string        // from For
	Round       int           // 0 and 1 are the first
	State       *State        // for later rounds
	Ancestor    *Ancestor     // of a session that goes on from another
}

// defaultOutputs is what every session asks for when its operator names nothing else.
const defaultOutputs = "- At least one DELTA from each agent, within its part\n" +
	"- Three to six live hypotheses, one of them a third alternative\n" +
	"- Predictions and ranked tests that tell them apart\n" +
	"- The load-bearing assumptions, one scale check with its numbers, and at least two critiques"

// Body writes the message. Sections that an operator filled in come first, as an agent reads
// them first; the role's prompt comes last, under one heading.
func (k Kickoff) Body() string {
	var b strings.Builder
	title := oneLine(k.Title)
	if k.Round > 1 {
		title = fmt.Sprintf("Round %d Kickoff", k.Round)
	}
	fmt.Fprintf(&b, "# %s\n\n", title)
	section(&b, "Research Question", message.Contain(k.Question))
	section(&b, "Context", message.Contain(k.Context))
	if k.State != nil {
		section(&b, "Current State", message.Contain(k.State.text()))
	}
	if k.Ancestor != nil {
		section(&b, message.AncestorSection, k.Ancestor.text())
	}
	section(&b, "Excerpt", message.Contain(k.Excerpt))
	section(&b, "Initial Hypotheses", message.Contain(k.Hypotheses))
	section(&b, "Constraints", message.Contain(k.Constraints))
	outputs := message.Contain(k.Outputs)
	if outputs == "" {
		outputs = defaultOutputs
	}
	section(&b, "Requested Outputs", outputs)
	b.WriteString(message.RenderSessionConfiguration(k.Roster))
	b.WriteString("\n")
	section(&b, "Your Role", k.RolePrompt)
	return b.String()
}

func section(b *strings.Builder, heading, text string) {
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintf(b, "## %s\n\n%s\n\n", heading, text)
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
