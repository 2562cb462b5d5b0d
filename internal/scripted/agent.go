package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/mcpclient"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Options say on whose behalf the script is played, and where.
type Options struct {
	Agent   string // empty: the one that the script names
	Project string // as the server calls it
	Client  *mcpclient.Client
	Thread  string    // the session that the agent was started for; empty: that of its latest KICKOFF
	Out     io.Writer // what the agent prints
	Few     bool      // it has the few tools of a session alone
}

// Said is what an agent prints when it was refused: a line of JSON.
type Said struct {
	Agent    string             `json:"agent"`
	Refused  string             `json:"refused,omitempty"`
	Findings []protocol.Finding `json:"findings,omitempty"`
	Repaired []string           `json:"repaired,omitempty"`
}

// Play plays a script to its end: until nothing is left to do or, if it says so, until the session
// is complete. An agent that is to crash returns an error; one that is to die does not return.
func Play(ctx context.Context, s *Script, o Options) error {
	a := &agent{script: s, o: o, name: o.Agent, said: json.NewEncoder(o.Out), played: make([]bool, len(s.Steps))}
	if a.name == "" {
		a.name = s.Agent
	}
	if a.name == "" {
		return protocol.Errorf(protocol.Usage, "no agent is named for the script")
	}
	if err := a.fail(ctx, s.Fault); err != nil {
		return err
	}
	if err := a.listen(ctx); err != nil || s.Stay {
		return err
	}
	return a.perform(ctx)
}

// agent plays one script.
type agent struct {
	script *Script
	o      Options
	name   string
	said   *json.Encoder
	played []bool

	after  int64         // id of the last message heard
	heard  []mail.Object // in order
	thread string        // of the latest KICKOFF
	round  int           // that it opened
}

// waitSeconds is how long one call waits for mail.
const waitSeconds = 20

// listen reads mail: what is there or, for an agent that stays, whatever comes until the session is
// complete.
func (a *agent) listen(ctx context.Context) error {
	seconds := 0
	if a.script.Stay {
		seconds = waitSeconds
	}
	for {
		var got struct {
			Messages []mail.Object `json:"messages"`
			AfterID  int64         `json:"after_id"`
		}
		err := a.tool(ctx, "brenner_wait", mcpclient.Arguments{
			"agent_name": a.name, "after_id": a.after, "timeout_seconds": seconds, "include_bodies": true, "limit": 100,
		}, &got)
		if err != nil {
			return err
		}
		if len(got.Messages) == 0 && !a.script.Stay {
			return nil
		}
		a.after = got.AfterID
		for _, m := range got.Messages {
			if done, err := a.hear(ctx, m); err != nil || done {
				return err
			}
		}
	}
}

func (a *agent) tool(ctx context.Context, name string, args mcpclient.Arguments, result any) error {
	args["project_key"] = a.o.Project
	return a.o.Client.Tool(ctx, name, args, result)
}

// hear takes in one message and, if the agent stays, answers its cues at once.
func (a *agent) hear(ctx context.Context, m mail.Object) (done bool, err error) {
	if a.o.Thread != "" && (m.ThreadID == nil || *m.ThreadID != a.o.Thread) {
		return false, nil // another of its programs sees to that
	}
	if err := a.acknowledge(ctx, m); err != nil {
		return false, err
	}
	a.heard = append(a.heard, m)
	if typeOf(m) == protocol.TypeKickoff && m.ThreadID != nil {
		a.thread, a.round = *m.ThreadID, roundOf(m)
	}
	if !a.script.Stay {
		return false, nil
	}
	for i := range a.script.Steps {
		if a.script.Steps[i].waitsFor(m) && !a.played[i] {
			if err := a.play(ctx, i, m); err != nil {
				return false, err
			}
		}
	}
	return strings.HasPrefix(m.Subject, "INFO: Session complete at v"), nil
}

func (a *agent) acknowledge(ctx context.Context, m mail.Object) error {
	if a.script.Fault == NeverAck {
		return nil
	}
	args := mcpclient.Arguments{"agent_name": a.name, "message_id": m.ID}
	var ignored struct{}
	if !m.AckRequired && a.o.Few {
		return nil
	}
	if !m.AckRequired {
		return a.tool(ctx, "mark_message_read", args, &ignored)
	}
	if m.AckAt != nil {
		return nil
	}
	args["ack_body"] = "Read; I am on it."
	return a.tool(ctx, "acknowledge_message", args, &ignored)
}

// perform plays the steps of the latest round whose cues are there.
func (a *agent) perform(ctx context.Context) error {
	for i, step := range a.script.Steps {
		if step.Round != 0 && step.Round != a.round {
			continue
		}
		for _, m := range slices.Backward(a.heard) {
			if step.waitsFor(m) && m.ThreadID != nil && *m.ThreadID == a.thread {
				if err := a.play(ctx, i, m); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

func (st *Step) waitsFor(m mail.Object) bool {
	return typeOf(m) == st.On.Type && (st.On.From == "" || protocol.SameAgent(st.On.From, m.From))
}

func typeOf(m mail.Object) protocol.MessageType {
	return checked(m).Type
}

// roundOf is the round that a KICKOFF opens.
func roundOf(m mail.Object) int { return max(1, checked(m).References.Round) }

func checked(m mail.Object) message.Report {
	d := message.Draft{From: m.From, To: m.To, Subject: m.Subject}
	if m.Body != nil {
		d.Body = *m.Body
	}
	return message.Check(d, message.Facts{Intake: protocol.Lenient, Existing: true})
}

// errCrash is how an agent ends that was told to.
var errCrash = errors.New("the script says that the agent crashes here")
