package api

import (
	"context"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

type threadFilter struct {
	Thread string `query:"thread" about:"only this session"`
}

func (a *API) listActivity(ctx context.Context, _ Caller, q threadFilter) (session.Activities, error) {
	if err := a.mayReadThread(ctx, q.Thread); err != nil {
		return session.Activities{}, err
	}
	readable, err := a.deps.Access(ctx).ThreadSet(ctx)
	if err != nil {
		return session.Activities{}, err
	}
	if q.Thread == "" {
		return a.deps.Sessions.Activity(ctx, readable)
	}
	of, err := a.deps.Sessions.Session(ctx, q.Thread)
	if err != nil {
		return session.Activities{}, err
	}
	return of.Activity(ctx)
}

type todoList struct {
	ToDo []session.ToDo `json:"todo"`
}

func (a *API) listToDos(ctx context.Context, _ Caller, q threadFilter) (todoList, error) {
	if err := a.mayReadThread(ctx, q.Thread); err != nil {
		return todoList{}, err
	}
	readable, err := a.deps.Access(ctx).ThreadSet(ctx)
	if err != nil {
		return todoList{}, err
	}
	if q.Thread == "" {
		list, err := a.deps.Sessions.ToDos(ctx, readable)
		return todoList{list}, err
	}
	of, err := a.deps.Sessions.Session(ctx, q.Thread)
	if err != nil {
		return todoList{}, err
	}
	list, err := of.ToDos(ctx)
	return todoList{list}, err
}

func (a *API) mayReadThread(ctx context.Context, thread string) error {
	if thread == "" {
		return nil
	}
	return a.deps.Access(ctx).CheckThread(ctx, thread)
}

type runWord struct {
	Thread string `path:"thread" json:"-"`
	As     string `json:"as" about:"who says it; the caller unless said"`
	Word   string `json:"word" about:"go, pause or stop; go also answers a gate"`
	Reason string `json:"reason" about:"why, on the thread"`
}

var runWords = map[string]session.Word{"go": session.WordGo, "pause": session.WordPause, "stop": session.WordStop}

type toldRun struct {
	ThreadID  string `json:"thread_id"`
	MessageID int64  `json:"message_id"`
}

func (a *API) tellRun(ctx context.Context, who Caller, in runWord) (toldRun, error) {
	word, ok := runWords[in.Word]
	if !ok {
		return toldRun{}, protocol.Errorf(protocol.InvalidInput, "%.40q is no word for a run; it is go, pause or stop", in.Word)
	}
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return toldRun{}, err
	}
	m, err := a.deps.Sessions.TellRun(ctx, in.Thread, as, word, in.Reason)
	return toldRun{m.ThreadID, m.ID}, err
}
