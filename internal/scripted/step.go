package scripted

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"brenner/internal/artifact/delta/repair"
	"brenner/internal/mail"
	"brenner/internal/mcpclient"
	"brenner/internal/protocol"
)

// play does one step, in answer to a message.
func (a *agent) play(ctx context.Context, i int, m mail.Object) error {
	a.played[i] = true
	step := a.script.Steps[i]
	fault := cmp.Or(step.Fault, a.script.Fault)
	if err := pause(ctx, time.Duration(cmp.Or(step.Slow, a.script.Slow))); err != nil {
		return err
	}
	if err := a.fail(ctx, fault); err != nil {
		return err
	}
	switch fault {
	case Silent:
		return nil
	case Prints:
		_, err := io.WriteString(a.o.Out, step.Body+"\n")
		return err
	case Garbage:
		return a.babble(ctx, step, m)
	case Malformed:
		step.Body = strings.ReplaceAll(step.Body, `"section"`, `"sektion"`)
	}
	key := fmt.Sprintf("script:%s:%s:%d:%d", a.thread, a.name, a.round, i)
	if err := a.send(ctx, step, m, key); err != nil || fault != Duplicated {
		return err
	}
	return a.send(ctx, step, m, "")
}

// fail ends the agent where its fault says so.
func (a *agent) fail(ctx context.Context, f Fault) error {
	switch f {
	case Crash:
		return errCrash
	case Hang:
		<-ctx.Done()
		return ctx.Err()
	case Dead:
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		return errors.Join(self.Kill(), pause(ctx, time.Minute)) // the signal may take a moment
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// babble prints noise and sends it as a contribution, which the door refuses.
func (a *agent) babble(ctx context.Context, step Step, m mail.Object) error {
	const noise = "\x1b[2J%%% ```delta {operation: ADD ]] ```\n```delta\n[1,2\n```\n~~~\n"
	if _, err := io.WriteString(a.o.Out, noise); err != nil {
		return err
	}
	step.Body, step.Repair = noise, false
	return a.send(ctx, step, m, "")
}

// send sends the message of a step. One that is refused is told and, if the step says so, mended by
// what the receipt says and sent again; that it was refused does not end the agent.
func (a *agent) send(ctx context.Context, step Step, m mail.Object, key string) error {
	err := a.post(ctx, step, m, key)
	refusal, ok := errors.AsType[*protocol.Error](err)
	if !ok || refusal.Code != protocol.ValidationFailed {
		return err
	}
	said := Said{Agent: a.name, Refused: step.Subject, Findings: refusal.Findings}
	if !step.Repair {
		return a.said.Encode(said)
	}
	mended := repair.Fix(step.Body)
	for _, r := range mended.Repairs {
		said.Repaired = append(said.Repaired, r.Message)
	}
	if err := a.said.Encode(said); err != nil {
		return err
	}
	step.Body, step.Repair = mended.Text, false
	return a.send(ctx, step, m, key)
}

// post calls the tool that fits: deltas are submitted, answers reply, the rest is mail.
func (a *agent) post(ctx context.Context, step Step, m mail.Object, key string) error {
	var ignored struct{}
	args := mcpclient.Arguments{"sender_name": a.name, "body_md": step.Body}
	if key != "" {
		args["idempotency_key"] = key
	}
	if len(step.To) > 0 {
		args["to"] = step.To
	}
	if len(step.Cc) > 0 {
		args["cc"] = step.Cc
	}
	subject, _ := protocol.ParseSubject(step.Subject, protocol.Lenient)
	switch {
	case subject.Prefix == protocol.TypeDelta:
		args["thread_id"], args["title"] = a.thread, step.Subject
		if step.Reply {
			args["reply_to"] = m.ID
		}
		return a.tool(ctx, "brenner_submit", args, &ignored)
	case step.Reply:
		args["message_id"] = m.ID
		return a.tool(ctx, "reply_message", args, &ignored)
	}
	args["thread_id"], args["subject"] = a.thread, step.Subject
	if len(step.To) == 0 {
		args["to"] = []string{mail.Operator}
	}
	return a.tool(ctx, "send_message", args, &ignored)
}
