package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// critiqueItem is a critique named as an item: C1, or T#C1 with any part of the thread.
var critiqueItem = pattern.Lazy(`^(?:(.+)#)?(C[0-9]+)$`)

// critique finds what an ID names: a CRITIQUE message (7 or #7), or an item of the artifact.
func (a *app) critique(ctx context.Context, cmd *cobra.Command, p *project.App, text string) (fold.QueueEntry, error) {
	parts := critiqueItem().FindStringSubmatch(text)
	if parts == nil {
		id, err := parseID(text)
		if err != nil {
			return fold.QueueEntry{}, err
		}
		return p.Sessions.CritiqueShow(ctx, id)
	}
	thread, err := threadNamed(ctx, p, parts[1])
	if err == nil && thread == "" {
		thread, err = a.onlySession(ctx, cmd, p)
	}
	if err != nil {
		return fold.QueueEntry{}, err
	}
	s, err := p.Sessions.Session(ctx, thread)
	if err != nil {
		return fold.QueueEntry{}, err
	}
	return s.CritiqueItem(ctx, artifact.ItemID(parts[2]))
}

// critiqueMessage is critique for what only a CRITIQUE message can have: a rebuttal, a promotion.
func (a *app) critiqueMessage(ctx context.Context, cmd *cobra.Command, p *project.App, text string) (int64, error) {
	if critiqueItem().FindStringSubmatch(text) == nil {
		return parseID(text)
	}
	c, err := a.critique(ctx, cmd, p, text)
	if err == nil && c.Item != nil && !c.Promoted {
		err = protocol.Errorf(protocol.InvalidInput, "%s is an item of the artifact and came in no CRITIQUE message: answer it with a "+
			"DELTA that says **Action**: Response to %s", *c.Item, *c.Item)
	}
	return c.MessageID, err
}

// completeCritiques offers the critiques of all sessions that are open, by message and by item.
func (a *app) completeCritiques(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.suggest(cmd, typed, func(ctx context.Context, p *project.App) ([]cobra.Completion, error) {
		sessions, err := p.Sessions.List(ctx)
		var list []cobra.Completion
		for i := range sessions {
			s, err := p.Sessions.Session(ctx, sessions[i].ThreadID)
			if err != nil {
				return nil, err
			}
			for _, c := range s.View.Queue() {
				name := formatInt(c.MessageID)
				if c.Item != nil && !c.Promoted {
					if name = *c.Item; len(sessions) > 1 {
						name = sessions[i].ThreadID + "#" + name
					}
				}
				list = append(list, cobra.CompletionWithDesc(name, c.State+" "+c.Title))
			}
		}
		return list, err
	})
}

// completeMessages offers the newest messages of the project.
func (a *app) completeMessages(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.suggest(cmd, typed, func(ctx context.Context, p *project.App) ([]cobra.Completion, error) {
		const maxOffered = 50
		messages, err := p.Store.Messages(ctx, mail.MessageQuery{Project: p.Mail.Project().ID, Order: mail.NewestFirst, Limit: maxOffered})
		list := make([]cobra.Completion, 0, len(messages))
		for i := range messages {
			list = append(list, cobra.CompletionWithDesc(formatInt(messages[i].ID), messages[i].From+": "+messages[i].Subject))
		}
		return list, err
	})
}
