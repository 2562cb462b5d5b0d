// Package brenner runs research sessions of several agents from a Go program, as the command of the same name does
// from a shell. A project is a folder; its sessions are threads of typed messages in a store beside it.
package brenner

import (
	"context"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/session"
)

// Options say where a project keeps its mail.
type Options struct {
	Store string // sqlite:PATH, postgres://… or mcp+http://…; empty: the project's own
}

// Project is an open project. Close it. Several goroutines may use one.
type Project struct{ app *app.App }

// Open opens the project in a folder. The store is made if it is not there.
func Open(ctx context.Context, folder string, o Options) (*Project, error) {
	found, err := app.FindProject(ctx, folder, "")
	if err != nil {
		return nil, err
	}
	opened, err := app.Open(ctx, app.Options{Project: found, Store: o.Store})
	if err != nil {
		return nil, err
	}
	return &Project{opened}, nil
}

// Close keeps what was worked out for the next process, and releases the store.
func (p *Project) Close() error { return p.app.Close() }

// Start begins a session: one KICKOFF for each recipient, from the operator. It returns the session's thread.
func (p *Project) Start(ctx context.Context, s Start) (thread string, err error) {
	started, err := p.app.Sessions.Start(ctx, session.StartRequest{
		From: mail.Operator, Question: s.Question, Context: s.Context, ThreadID: s.Thread,
		Roster: session.RosterRequest{Recipients: s.To},
	})
	if err != nil {
		return "", err
	}
	return string(started.ThreadID), nil
}

// Start is what a session begins with.
type Start struct {
	Question string
	Context  string
	Thread   string   // empty: made from the question
	To       []string // the agents
}
