package commandline

import (
	"testing"

	"brenner/internal/protocol"
)

func TestOf(t *testing.T) {
	const thread = "RS-20260110-cells-turn"
	for want, action := range map[string]protocol.Action{
		"brenner compile " + thread:           {Do: "compile", With: protocol.Arguments{Thread: thread}},
		"brenner critique answer 12 --body -": {Do: "critique.answer", With: protocol.Arguments{Message: 12, Body: true}},
		"brenner mail reply 12 --from Operator --body -": {Do: "mail.reply",
			With: protocol.Arguments{Message: 12, From: "Operator", Body: true}},
		"brenner nudge " + thread + " 'Blue Lake'":  {Do: "nudge", With: protocol.Arguments{Thread: thread, Agent: "Blue Lake"}},
		"brenner restart " + thread + ` '$(x)'\'''`: {Do: "restart", With: protocol.Arguments{Thread: thread, Agent: "$(x)'"}},
		"brenner resume A-1 && brenner run A-1 --gate": {Do: "resume", With: protocol.Arguments{Thread: "A-1"},
			Then: &protocol.Action{Do: "run", With: protocol.Arguments{Thread: "A-1", Gate: true}}},
		"brenner diagnose " + thread + " --fix": {Do: "diagnose", With: protocol.Arguments{Thread: thread, Fix: true}},
		"brenner session unarchive A-1 --crate 'my a.zip'": {Do: "session.unarchive",
			With: protocol.Arguments{Thread: "A-1", Crate: "my a.zip"}},
	} {
		if got := Of(action); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
