package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/scripted"
	"brenner/internal/session"
)

// director is the operator of the demo.
type director struct {
	*app.App
	o      Options
	result Result

	mu sync.Mutex // guards Tell, which agents' outputs and the log call at once
}

func (d *director) tell(m Moment) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if m.Said != nil {
		d.result.Refused++
	}
	if d.o.Tell != nil {
		d.o.Tell(m)
	}
}

func (d *director) play(ctx context.Context) error {
	thread, err := d.start(ctx)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	agents, err := d.spawn(ctx)
	if err == nil {
		err = d.direct(ctx, thread)
	}
	if err != nil {
		stop()
		return errors.Join(err, agents.wait())
	}
	err = agents.wait() // they leave when they hear that the session is complete
	stop()
	return err
}

// direct waits for what the agents do and does the operator's part.
func (d *director) direct(ctx context.Context, thread string) error {
	d.result.ThreadID = thread
	steps := []struct {
		until protocol.MessageType
		from  string
		do    func(context.Context, string) error
	}{
		{protocol.TypeDelta, "RedSky", d.compile},
		{protocol.TypeDelta, "BlueLake", d.experiment},
		{protocol.TypeDelta, "PurpleMountain", d.complete},
	}
	next := 0
	for event, err := range d.Mail.Follow(ctx, 0) {
		if err != nil {
			return err
		}
		if event.Kind != mail.EventMessage {
			continue
		}
		m, err := d.Mail.Message(ctx, event.Message)
		if err != nil {
			return err
		}
		d.result.Messages++
		d.tell(Moment{Message: &m})
		if m.Type == protocol.TypeCritique { // the operator was copied in, and says so
			if _, err := d.Mail.Acknowledge(ctx, mail.Operator, m.ID, ""); err != nil {
				return err
			}
		}
		if strings.HasPrefix(m.Subject, "INFO: Session complete at v") {
			return nil
		}
		// The first contributions open the session. The second of BlueLake answers the critique, that of PurpleMountain
		// the result.
		if next < len(steps) && m.Type == steps[next].until && m.From == steps[next].from {
			if err := steps[next].do(ctx, thread); err != nil {
				return err
			}
			next++
		}
	}
	return ctx.Err()
}

func (d *director) start(ctx context.Context) (string, error) {
	o := newOpening()
	text, err := excerpt(o)
	if err != nil {
		return "", err
	}
	started, err := d.Sessions.Start(ctx, session.StartRequest{
		From: mail.Operator, Question: o.Question, Context: o.Context, Constraints: o.Constraints, Excerpt: text, Slug: o.Slug,
		Roster: session.RosterRequest{Sources: []session.RosterSource{{Origin: "the demo", Entries: cast, Name: "Three scripted agents"}}},
	})
	return started.ThreadID, err
}

func (d *director) compile(ctx context.Context, thread string) error {
	out, err := d.Sessions.Compile(ctx, session.CompileRequest{ThreadID: thread, As: mail.Operator})
	if err != nil {
		return err
	}
	d.tell(Moment{Note: "compiled v1: " + summary(out)})
	for _, v := range out.Lint.Violations {
		d.tell(Moment{Note: fmt.Sprintf("%s %s", v.Code, v.Message)})
		d.tell(Moment{Note: v.Fix})
	}
	return nil
}

func (d *director) complete(ctx context.Context, thread string) error {
	if err := d.run(ctx, thread, "T2", "git", "show", "HEAD:nights.txt"); err != nil {
		return err
	}
	out, err := d.Sessions.Compile(ctx, session.CompileRequest{ThreadID: thread, As: mail.Operator})
	if err != nil {
		return err
	}
	d.tell(Moment{Note: "compiled v2: " + summary(out)})
	d.tell(Moment{Note: out.Predictions.String()})
	for _, f := range out.Findings {
		if f.Code == protocol.PostHocPrediction {
			d.tell(Moment{Note: fmt.Sprintf("%s %s", f.Code, f.Message)})
		}
	}
	done, err := d.Sessions.Complete(ctx, session.CompleteRequest{ThreadID: thread, As: mail.Operator, Commit: true})
	if err != nil {
		return err
	}
	d.result.Version, d.result.Persistence, d.result.Hash = done.Version, done.Persistence, done.ArtifactHash
	d.result.Errors, d.result.Warnings = done.Lint.Summary.Errors, done.Lint.Summary.Warnings
	proof, err := d.Sessions.Verify(ctx, thread)
	if err == nil && proof.FirstBad != nil {
		err = protocol.Errorf(protocol.ChainBroken, "message %d does not match: %s", proof.FirstBad.Message, proof.FirstBad.Reason)
	}
	return err
}

// troupe are the processes of the agents.
type troupe struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	errs []error
}

func (t *troupe) wait() error {
	t.wg.Wait()
	return errors.Join(t.errs...)
}

// brenner is the program in the scratch project, called by an agent or person.
func (d *director) brenner(ctx context.Context, agent string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, d.o.Program, args...)
	cmd.Dir = d.result.Project
	cmd.Env = append(os.Environ(), "BRENNER_STORE=", "AGENT_NAME="+agent)
	cmd.WaitDelay = time.Second
	return cmd
}

// spawn starts a process for each agent.
func (d *director) spawn(ctx context.Context) (*troupe, error) {
	t := &troupe{}
	folder, err := handOut(d.result.Project)
	if err != nil {
		return t, err
	}
	for _, p := range cast {
		cmd := d.brenner(ctx, p.AgentName, "scripted-agent", "--script", filepath.Join(folder, p.AgentName+".json"))
		out, err := cmd.StdoutPipe()
		if err != nil {
			return t, err
		}
		if err := cmd.Start(); err != nil {
			return t, protocol.Errorf(protocol.Internal, "the agent %s does not start: %w", p.AgentName, err)
		}
		t.wg.Go(func() {
			d.listen(bufio.NewScanner(out))
			if err := cmd.Wait(); err != nil && ctx.Err() == nil {
				t.mu.Lock()
				t.errs = append(t.errs, protocol.Errorf(protocol.Internal, "the agent %s ended early: %w", p.AgentName, err))
				t.mu.Unlock()
			}
		})
	}
	return t, nil
}

// listen passes on what an agent says beside its mail.
func (d *director) listen(lines *bufio.Scanner) {
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var said scripted.Said
		if json.Unmarshal(lines.Bytes(), &said) == nil && said.Agent != "" {
			d.tell(Moment{Said: &said})
		}
	}
}
