package app

import (
	"context"

	"brenner/internal/mcpserver"
	"brenner/internal/process"
	"brenner/mail"
)

// serverProcess is this process, as servers note it.
func serverProcess() *mcpserver.Process {
	self := process.Self()
	return &mcpserver.Process{Host: self.Host, PID: self.PID, Started: self.Started}
}

// NoteCommand notes that an agent acts by a command. It only helps to tell who is there: that it
// cannot be noted is no failure.
func (a *App) NoteCommand(ctx context.Context, agent string) {
	now := a.Mail.Now()
	_ = a.Mail.NotePresence(ctx, mail.Presence{
		Agent: agent, Source: mail.SourceCLI, Host: process.Self().Host, LastCall: now, Call: "a command", CallEnded: now,
	})
}
