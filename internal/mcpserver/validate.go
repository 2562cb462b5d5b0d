package mcpserver

import (
	"context"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

type validation struct {
	Type        protocol.MessageType `json:"type"`
	AckRequired bool                 `json:"ack_required"`
	Findings    []protocol.Finding   `json:"findings"`
	More        int                  `json:"more"` // findings that are counted only
	Receipt     *delta.Receipt       `json:"receipt"`
}

// validateDraft judges a message without sending it. The project that is named, or served, is asked too: what it
// knows of agents, threads and sources. Where several are served and none is named, the text alone counts.
func validateDraft(ctx context.Context, c *call) (any, error) {
	d := message.Draft{
		ThreadID: strings.TrimSpace(c.text("thread_id")), From: c.text("sender_name"),
		Subject: c.present("subject"), Body: c.present("body_md"), AckRequired: c.optionalFlag("ack_required"),
	}
	report, err := c.judge(ctx, d)
	if err != nil {
		return nil, err
	}
	return validation{report.Type, report.AckRequired, protocol.NonNil(advised(report.Findings)), report.More,
		advisedReceipt(report.Receipt)}, nil
}

func (c *call) judge(ctx context.Context, d message.Draft) (message.Report, error) {
	if !c.given("project_key", "human_key") && !c.server.servesOne(ctx, c.caller) {
		return message.Check(d, message.Facts{}), c.err()
	}
	p, err := c.project(ctx)
	if err != nil {
		return message.Report{}, err
	}
	return p.mail.JudgeDraft(ctx, c.server.access(c.caller, p), d)
}
