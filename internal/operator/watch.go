package operator

import (
	"context"
	"time"

	"brenner/internal/commandline"
	"brenner/internal/notify"
	"brenner/internal/session"
)

// watchEvery is how often it is looked whether something new waits for the operator.
const watchEvery = 5 * time.Second

// Watch tells of what begins to wait for the operator, in a session or in all, until the context ends. What waits already
// when it begins is not news. What cannot be looked at or told goes to failed.
func Watch(ctx context.Context, s *session.Sessions, threadID string, n *notify.Notifier, failed func(error)) {
	var known map[string]bool // nil: the first look
	for {
		list, err := ToDos(ctx, s, threadID)
		if err == nil {
			now := make(map[string]bool, len(list))
			for i := range list {
				t := &list[i]
				now[t.Key()] = true
				if notice, ok := noticeOf(t); ok && known != nil && !known[t.Key()] {
					err = n.Tell(ctx, notice)
				}
			}
			known = now
		}
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(watchEvery):
		}
	}
}

var events = map[session.ToDoKind]notify.Event{
	session.ToDoGate: notify.Gate, session.ToDoReply: notify.Question, session.ToDoRestart: notify.Dead,
	session.ToDoAsk: notify.Asks, session.ToDoSignIn: notify.Asks,
	session.ToDoNudge: notify.Stalled, session.ToDoConnect: notify.Stalled, session.ToDoRun: notify.Stalled,
}

// noticeOf is what is told of something that waits; false: nothing is.
func noticeOf(t *session.ToDo) (notify.Notice, bool) {
	event, ok := events[t.Kind]
	return notify.Notice{
		Event: event, ThreadID: t.ThreadID, Agent: t.Agent, Text: t.What, Command: commandline.Of(t.Command), At: time.Now().UTC(),
		Key: t.Key() + "/" + t.Since.String(),
	}, ok
}

// ToDos lists what waits in a session, or in all.
func ToDos(ctx context.Context, s *session.Sessions, threadID string) ([]session.ToDo, error) {
	if threadID == "" {
		return s.ToDos(ctx, nil)
	}
	of, err := s.Session(ctx, threadID)
	if err != nil {
		return nil, err
	}
	return of.ToDos(ctx)
}
