package api

import (
	"context"

	"brenner/internal/fold"
	"brenner/internal/session"
)

type critiqueList struct {
	ThreadID  string            `json:"thread_id"`
	Critiques []fold.QueueEntry `json:"critiques"`
}

func (a *API) listCritiques(ctx context.Context, _ Caller, in threadPath) (critiqueList, error) {
	of, err := a.deps.Sessions.Session(ctx, in.Thread)
	if err != nil {
		return critiqueList{}, err
	}
	return critiqueList{in.Thread, of.View.Queue()}, nil
}

func (a *API) showCritique(ctx context.Context, _ Caller, in messagePath) (fold.QueueEntry, error) {
	return a.deps.Sessions.CritiqueShow(ctx, in.ID)
}

type critiqueAnswer struct {
	ID   int64  `path:"id" json:"-"`
	As   string `json:"as" about:"who answers; the caller unless said"`
	Body string `json:"body_md" about:"why the critique does not hold, or what follows from it"`

	Change *session.ItemChange   `json:"change" about:"it is right in part: what a field of the item says from now on"`
	Test   *session.ProposedTest `json:"test" about:"a test that decides it"`
	GiveUp bool                  `json:"give_up" about:"it is right: the item is given up"`
}

func (a *API) answerCritique(ctx context.Context, who Caller, in critiqueAnswer) (sent, error) {
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return sent{}, err
	}
	return newSent(a.deps.Sessions.ReplyToCritique(ctx, session.CritiqueReply{
		ID: in.ID, As: as, Text: in.Body, Change: in.Change, Test: in.Test, GiveUp: in.GiveUp,
	}))
}

type critiquePromotion struct {
	ID int64  `path:"id" json:"-"`
	As string `json:"as" about:"who promotes; the caller unless said"`
}

func (a *API) promoteCritique(ctx context.Context, who Caller, in critiquePromotion) (sent, error) {
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return sent{}, err
	}
	return newSent(a.deps.Sessions.CritiquePromote(ctx, in.ID, as))
}
