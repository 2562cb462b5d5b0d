package cli

import (
	"context"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// verifyAll proves every thread, artifact and source of the project, and holds its journal against every checkpoint, also
// against one from outside.
func (a *app) verifyAll(ctx context.Context, p *project.App, outside string) (report, error) {
	notes, err := outsideNotes(outside)
	if err != nil {
		return nil, err
	}
	progress := a.progress("verifying")
	all, err := p.Sessions.VerifyAll(ctx, progress.at)
	progress.done()
	if err != nil {
		return nil, err
	}
	told := len(all.Journal.Findings)
	if err := p.HoldJournal(ctx, &all.Journal, notes...); err != nil {
		return nil, err
	}
	all.Findings = append(all.Findings, all.Journal.Findings[told:]...)
	r := newVerifyAllReport(all)
	return r, r.failure(all)
}

type verifyAllReport struct {
	Threads   []verifiedThread         `json:"threads"`
	Artifacts []session.VerifiedFile   `json:"artifacts"`
	Sources   []session.VerifiedSource `json:"sources"`
	Journal   journalState             `json:"journal"`
	Findings  []protocol.Finding       `json:"findings"`

	forgotten *string // the first thing that is wrong with the journal; nil: nothing
}

type verifiedThread struct {
	ThreadID string      `json:"thread_id"`
	Messages int         `json:"messages"`
	Versions int         `json:"versions"`
	FirstBad *badMessage `json:"first_bad"`
}

// journalState is how long the project's journal is, and the hash of its tree (SCIENCE 11).
type journalState struct {
	Size int64  `json:"size"`
	Root string `json:"root"`
}

func newVerifyAllReport(all session.VerifiedProject) verifyAllReport {
	r := verifyAllReport{
		Threads: []verifiedThread{}, Artifacts: all.Artifacts, Sources: all.Sources,
		Journal:  journalState{all.Journal.Tree.Size(), all.Journal.Tree.Root(all.Journal.Tree.Size()).Base64()},
		Findings: protocol.NonNil(all.Findings),
	}
	if wrong := all.Journal.Findings; len(wrong) > 0 {
		r.forgotten = &wrong[0].Message
	}
	for _, t := range all.Threads {
		one := verifiedThread{ThreadID: t.ThreadID, Messages: t.Messages, Versions: t.Versions}
		if t.FirstBad != nil {
			one.FirstBad = &badMessage{t.FirstBad.Message, t.FirstBad.Reason}
		}
		r.Threads = append(r.Threads, one)
	}
	return r
}

// failure names the first thing that does not match.
func (r verifyAllReport) failure(all session.VerifiedProject) error {
	for _, t := range all.Threads {
		if t.FirstBad != nil {
			_, err := newVerifyReport(t.Verification)
			return protocol.Errorf(protocol.CodeOf(err), "%s: %w", t.ThreadID, err)
		}
	}
	for _, f := range r.Findings {
		if f.Severity == protocol.SeverityError {
			return protocol.Errorf(f.Code, "%s", f.Message)
		}
	}
	return nil
}

func (r verifyAllReport) show(p *printer) {
	bad := 0
	line := func(state session.Match, reason *string, format string, args ...any) {
		p.print(format+": %s", append(args, state)...)
		if reason != nil {
			p.print(" (%s)", visible(*reason))
		}
		p.print("\n")
		if state == session.Differs {
			bad++
		}
	}
	messages, versions := 0, 0
	for _, t := range r.Threads {
		state, reason := session.Matches, (*string)(nil)
		if t.FirstBad != nil {
			state, reason = session.Differs, &t.FirstBad.Reason
		}
		messages, versions = messages+t.Messages, versions+t.Versions
		line(state, reason, "%s  %s, %s", t.ThreadID, count(t.Messages, "message"), count(t.Versions, "version"))
	}
	for _, f := range r.Artifacts {
		line(f.State, f.Reason, "%s  v%d, %s", visible(f.Path), f.Version, f.At)
	}
	for _, s := range r.Sources {
		line(s.State, s.Reason, "%s  %s", s.ID, visible(s.File))
	}
	if r.Journal.Size > 0 || r.forgotten != nil {
		state := session.Matches
		if r.forgotten != nil {
			state = session.Differs
		}
		line(state, r.forgotten, "journal  %s", count(int(r.Journal.Size), "entry"))
	}
	p.print("%s with %s and %s, %s and %s verified; %d do not match\n", count(len(r.Threads), "thread"), count(messages, "message"),
		count(versions, "version"),
		count(len(r.Artifacts), "artifact"), count(len(r.Sources), "source"), bad)
	p.findingsOnErr(r.Findings)
}
