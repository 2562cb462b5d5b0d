// Package brenner runs research sessions of several agents from a Go program, as the command of the same name does
// from a shell. A project is a folder; its sessions are threads of typed messages in a store beside it.
package brenner

import (
	"context"
	"io"

	"brenner/internal/app"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/markdown"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
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
	return started.ThreadID, nil
}

// Start is what a session begins with.
type Start struct {
	Question string
	Context  string
	Thread   string   // empty: made from the question
	To       []string // the agents
}

// Finding is what was noticed about an input: a code, how grave it is, a message, a place and a fix.
type Finding = protocol.Finding

// Message is something that an agent or the operator says on a thread.
type Message struct {
	Thread  string
	From    string
	To      []string
	Subject string // TYPE: words
	Body    string // Markdown
}

// Send puts a message on its thread. What the door noticed comes back, also where it refused the message.
func (p *Project) Send(ctx context.Context, m Message) (id int64, findings []Finding, err error) {
	sent, err := p.app.Mail.Send(ctx, mail.Outgoing{Draft: message.Draft{ThreadID: m.Thread, From: m.From, To: m.To, Subject: m.Subject,
		Body: m.Body}})
	return sent.Message.ID, sent.Findings, err
}

// Compile publishes what is pending as the operator. It returns the latest version, 0 if there is none.
func (p *Project) Compile(ctx context.Context, thread string) (version int, err error) {
	out, err := p.app.Sessions.Compile(ctx, session.CompileRequest{ThreadID: thread, As: mail.Operator})
	return out.Version, err
}

// Session is a session at one revision. It never changes: take it again to see what came since.
type Session struct{ of *session.Session }

// Session takes the present revision of a thread.
func (p *Project) Session(ctx context.Context, thread string) (*Session, error) {
	of, err := p.app.Sessions.Session(ctx, thread)
	if err != nil {
		return nil, err
	}
	return &Session{of}, nil
}

// Question is what the session asks.
func (s *Session) Question() string { return s.of.View.Question }

// Phase is how far it has come: kickoff, collecting, compiled, critique or complete.
func (s *Session) Phase() string { return string(s.of.View.Phase()) }

// Version is the latest published version, 0 before the first.
func (s *Session) Version() int { return s.of.View.Latest() }

// Draft is the artifact as of now, pending deltas included, as Markdown.
func (s *Session) Draft() string { return s.of.Draft().Text() }

// Lint is what the rules of the artifact say about the draft. An error says why the evidence pack cannot be read.
func (s *Session) Lint() ([]Finding, error) {
	a, err := s.of.Proposed()
	return violations(a.Lint), err
}

// Fold is what the messages of a thread come to. It is a pure function of them: it needs no project and no store, and the same
// messages give the same artifact everywhere.
type Fold struct{ out session.Outcome }

// ReadFold folds a thread of JSON lines, as "thread export" writes them. The findings say what was noticed about the lines; where one of
// them is an error there is no fold.
func ReadFold(lines io.Reader) (*Fold, []Finding, error) {
	view, findings, err := session.FoldLines(lines)
	if err != nil || view == nil {
		return nil, findings, err
	}
	return &Fold{session.OutcomeOf(view)}, findings, nil
}

// Thread is the thread that was folded.
func (f *Fold) Thread() string { return f.out.ThreadID }

// Version is the latest published version, 0 before the first.
func (f *Fold) Version() int { return f.out.Version }

// Artifact is what the messages come to, pending deltas included, as Markdown.
func (f *Fold) Artifact() string { return markdown.Render(f.out.Document) }

// Hash is the hash of the artifact, as a COMPILED message would name it.
func (f *Fold) Hash() string { return f.out.ArtifactHash }

// Findings are what folding noticed: conflicts, rejected deltas and the like, up to the limit of a report.
func (f *Fold) Findings() []Finding { return f.out.Findings }

// Lint is what the rules of the artifact say about it, as far as that can be told without a project.
func (f *Fold) Lint() []Finding { return violations(f.out.Lint) }

func violations(r lint.Report) []Finding {
	findings := make([]Finding, len(r.Violations))
	for i, v := range r.Violations {
		findings[i] = v.Finding
	}
	return findings
}
