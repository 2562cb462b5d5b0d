package session

import (
	"bytes"
	"context"
	"encoding/json"

	"brenner/artifact/merge"
	"brenner/mail"
	"brenner/protocol"
)

// Projections of a thread. currentView is the fold of all its messages; publishedView the fold
// up to its latest COMPILED message.
const (
	currentView   mail.ProjectionKind = "session.current.2"
	publishedView mail.ProjectionKind = "session.published.2"
)

// Save writes the view so that LoadView resumes it: a line of JSON, then the fold's own form.
func (v *View) Save() ([]byte, error) {
	rest := *v
	rest.Fold = nil
	line, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	return append(append(line, '\n'), v.Fold.Save()...), nil
}

// LoadView reads what Save wrote.
func LoadView(data []byte) (*View, error) {
	line, fold, _ := bytes.Cut(data, []byte{'\n'})
	v := &View{}
	if err := json.Unmarshal(line, v); err != nil {
		return nil, err
	}
	var err error
	v.Fold, err = merge.Load(fold)
	return v, err
}

// View returns the fold of all messages of a thread. NOT_FOUND: it has none. What was folded
// before is not folded again.
func (s *Sessions) View(ctx context.Context, threadID string) (*View, error) {
	if threadID == "" { // would be every message
		return nil, noThread(threadID)
	}
	v := s.kept(ctx, currentView, threadID)
	grown, err := s.catchUp(ctx, s.store(), v)
	if err != nil {
		return nil, err
	}
	if v.Messages == 0 {
		return nil, noThread(threadID)
	}
	if grown > 0 {
		s.keep(ctx, currentView, v)
	}
	return v, nil
}

func noThread(id string) error {
	return protocol.Errorf(protocol.NotFound, "there is no thread %s", id)
}

// kept loads a projection. One that is missing or cannot be read is made again from the log.
func (s *Sessions) kept(ctx context.Context, kind mail.ProjectionKind, threadID string) *View {
	p, err := s.store().Projection(ctx, s.project(), kind, threadID)
	if err != nil {
		return NewView(threadID)
	}
	v, err := LoadView(p.Data)
	if err != nil || v.Head != p.Through {
		return NewView(threadID)
	}
	return v
}

// keep saves a projection. It only saves work, so that failing to is no failure.
func (s *Sessions) keep(ctx context.Context, kind mail.ProjectionKind, v *View) {
	if data, err := v.Save(); err == nil {
		_ = s.store().PutProjection(ctx, s.project(), mail.Projection{
			Kind: kind, Key: v.Fold.ThreadID(), Through: v.Head, Data: data,
		})
	}
}

// page is how many messages a fold holds in memory at a time.
const page = 1000

// catchUp folds the messages after the view's head and counts them.
func (s *Sessions) catchUp(ctx context.Context, r mail.Reader, v *View) (int, error) {
	grown := 0
	for {
		messages, err := r.Messages(ctx, mail.MessageQuery{
			Project: s.project(), Thread: v.Fold.ThreadID(), After: v.Head, Limit: page,
		})
		if err != nil {
			return grown, err
		}
		for _, m := range messages {
			v.Add(m)
		}
		grown += len(messages)
		if len(messages) < page {
			return grown, nil
		}
	}
}
