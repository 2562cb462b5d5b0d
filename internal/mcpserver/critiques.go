package mcpserver

import (
	"context"
	"strings"

	"brenner/internal/usecase"
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
		out: "thread_id:string critiques:array message_id:integer created_ts:string receipt:object? findings:array notice:string",
		run: critiques,
	}
}

func critiques(ctx context.Context, c *call) (any, error) {
	switch action := strings.ToLower(strings.TrimSpace(c.text("action"))); action {
	case "answer":
		return answerCritique(ctx, c)
	case "", "list":
	default:
		c.complain("action", "action is list or answer, not %q.", action)
	}
	return c.ask(ctx, usecase.Critiques.Case)
}

func answerCritique(ctx context.Context, c *call) (any, error) {
	in := usecase.AnswerRequest{ID: c.requiredID("message_id"), As: c.actor("sender_name"), Body: c.required("body_md")}
	p, err := c.messageProject(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if err := p.admit(ctx, in.As); err != nil {
		return nil, err
	}
	sent, err := usecase.AnswerCritique.Do(ctx, usecase.At{Sessions: p.sessions}, in)
	if err != nil {
		return nil, refused(sent.Verdict, err)
	}
	return posted(sent.Verdict), nil
}
