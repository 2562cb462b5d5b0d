package mcpserver

import (
	"context"
	"strings"

	"brenner/artifact/delta"
	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
	"brenner/session"
)

type validation struct {
	Type        protocol.MessageType `json:"type"`
	AckRequired bool                 `json:"ack_required"`
	Findings    []protocol.Finding   `json:"findings"`
	More        int                  `json:"more"` // findings that are counted only
	Receipt     *delta.Receipt       `json:"receipt"`
}

// validateDraft judges a message without sending it. Without a project its text alone counts;
// with one, what the project knows is asked too.
func validateDraft(ctx context.Context, c *call) (any, error) {
	d := message.Draft{
		ThreadID: strings.TrimSpace(c.text("thread_id")), From: c.text("sender_name"),
		Subject: c.present("subject"), Body: c.present("body_md"), AckRequired: c.optionalFlag("ack_required"),
	}
	report, err := c.judge(ctx, d)
	if err != nil {
		return nil, err
	}
	return validation{report.Type, report.AckRequired, notNil(report.Findings), report.More, report.Receipt}, nil
}

func (c *call) judge(ctx context.Context, d message.Draft) (message.Report, error) {
	if !c.given("project_key", "human_key") {
		return message.Check(d, message.Facts{}), c.err()
	}
	p, err := c.project(ctx)
	if err != nil {
		return message.Report{}, err
	}
	return p.judge(ctx, d)
}

// judge checks a draft as enforced, with the facts of the project.
func (p *project) judge(ctx context.Context, d message.Draft) (message.Report, error) {
	facts, thread, err := p.facts(ctx, d)
	if err != nil {
		return message.Report{}, err
	}
	report := message.Check(d, facts)
	if thread.Messages == 0 {
		return report, nil
	}
	door := &session.Door{}
	door.Attach(p.sessions)
	_, err = door.Judge(ctx, thread, d, &report)
	return report, err
}

func (p *project) facts(ctx context.Context, d message.Draft) (message.Facts, mail.Thread, error) {
	agents, err := p.mail.Agents(ctx)
	if err != nil {
		return message.Facts{}, mail.Thread{}, err
	}
	known := make(map[string]mail.Agent, len(agents))
	for _, a := range agents {
		known[mail.NameKey(a.Name)] = a
	}
	f := message.Facts{
		AgentRegistered: func(name string) bool {
			_, ok := known[mail.NameKey(name)]
			return ok
		},
		AgentRetired: func(name string) bool {
			a, ok := known[mail.NameKey(name)]
			return ok && a.Retired()
		},
	}
	if sender, ok := known[mail.NameKey(d.From)]; ok {
		f.SenderShorthand = protocol.Shorthand(sender.Program, sender.Model)
	}
	thread, err := p.mail.Thread(ctx, d.ThreadID)
	if protocol.CodeOf(err) == protocol.NotFound {
		return f, thread, nil
	}
	latest := thread.LatestVersion
	f.LatestVersion = &latest
	f.Versions = func(n int) bool { return p.mail.VersionExists(ctx, &thread, n) }
	if thread.FirstType == protocol.TypeKickoff {
		f.Kickoff = message.LaterKickoff
	}
	return f, thread, err
}
