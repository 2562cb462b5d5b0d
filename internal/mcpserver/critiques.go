package mcpserver

import (
	"context"
	"strings"

	"brenner/internal/fold"
)

// critiquesTool is the review queue of a thread.
func critiquesTool() *tool {
	return &tool{
		name: "brenner_critiques", effect: adds, session: true,
		about: "The review queue: list the critiques of a thread, or answer one with a rebuttal. A DELTA that answers a critique " +
			"closes it too.",
		in: []field{
			projectField, textField("action", "what to do").among("list", "answer").or(`"list"`), textField("thread_id", "to list"),
			numberField("message_id", "the critique to answer"), textField("sender_name", "to answer"),
			textField("body_md", "the rebuttal"),
		},
		out: "critiques:array message_id:integer thread_id:string created_ts:string receipt:object? findings:array notice:string",
		run: critiques,
	}
}

type critiqueList struct {
	Critiques []fold.QueueEntry `json:"critiques"`
	Notice    string            `json:"notice"`
}

func critiques(ctx context.Context, c *call) (any, error) {
	switch action := strings.ToLower(strings.TrimSpace(c.text("action"))); action {
	case "answer":
		return answerCritique(ctx, c)
	case "", "list":
	default:
		c.complain("action", "action is list or answer, not %q.", action)
	}
	of, err := c.session(ctx, c.thread())
	if err != nil {
		return nil, err
	}
	return critiqueList{of.View.Queue(), notice}, nil
}

func answerCritique(ctx context.Context, c *call) (any, error) {
	id, sender, body := c.requiredID("message_id"), c.actor("sender_name"), c.required("body_md")
	p, err := c.messageProject(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := p.admit(ctx, sender); err != nil {
		return nil, err
	}
	sent, err := p.sessions.CritiqueAnswer(ctx, id, sender, body)
	if err != nil {
		return nil, refused(sent, err)
	}
	return posted(sent), nil
}
