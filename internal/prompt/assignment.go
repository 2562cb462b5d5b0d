package prompt

import (
	"fmt"
	"strings"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// Assignment is what an agent is told when its program is started for a session.
type Assignment struct {
	Agent      string
	Role       protocol.Role // RoleUnified without separate roles
	ThreadID   string
	Project    string // the folder
	Woken      bool   // when its turn has ended, mail begins another
	KickoffID  int64
	KickoffBy  string
	Kickoff    string // its body; usually it carries the role's prompt
	RolePrompt string // from For, for kickoffs that carry none
}

// Text writes the assignment: who the agent is and how it works with the others, then the kickoff.
func (a Assignment) Text() string {
	var b strings.Builder
	wait := "Wait for mail with `brenner_wait`."
	if a.Woken {
		wait = "When nothing is left to do, end your turn: you are woken when mail arrives, and waiting costs nothing."
	}
	fmt.Fprintf(&b, mustRead("assignment"), a.Agent, roleTitle(a.Role), a.ThreadID, a.Project, a.KickoffID, wait)
	if _, told := markup.Parse(a.Kickoff).Section("Your Role"); !told && a.RolePrompt != "" {
		fmt.Fprintf(&b, "\n# Your Role\n\n%s\n", strings.TrimSpace(a.RolePrompt))
	}
	fmt.Fprintf(&b, "\n# Kickoff\n\nMessage #%d, from %s:\n\n%s\n", a.KickoffID, a.KickoffBy, strings.TrimSpace(a.Kickoff))
	return b.String()
}
