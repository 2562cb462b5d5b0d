package session

import (
	"context"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session/live"
)

// threadViews is how views live: kept under one name, and the windows of what their messages came to under another. Another
// number: the kept form says something else.
var threadViews = live.Kind[*fold.View]{Name: "session.view.13", Window: "session.window.5", New: fold.NewView, Load: fold.Load, Add: Fold}

// Views returns the folds of threads, for a reader of several, with one question for all of them. Those that cannot be folded are left out.
func (s *Sessions) Views(ctx context.Context, threadIDs []string) map[string]*fold.View {
	views := map[string]*fold.View{}
	threads, err := s.store().Threads(ctx, mail.ThreadQuery{Project: s.project(), IDs: threadIDs})
	if err != nil {
		return views
	}
	for _, t := range threads {
		if v, err := s.threads.Read(ctx, t); err == nil {
			views[t.ID] = v
		}
	}
	return views
}

// Published returns the view of the latest version of a thread. NOT_FOUND: it has none.
func (s *Sessions) Published(ctx context.Context, v *fold.View) (*fold.View, error) {
	if v.Latest() == 0 {
		return nil, noArtifact(v.Fold.ThreadID())
	}
	return s.at(ctx, v, v.Latest())
}

// follow returns the fold of a thread as it is now, for those who follow the log. It writes nothing.
func (s *Sessions) follow(ctx context.Context, thread mail.Thread) (*fold.View, error) {
	return s.threads.Latest(ctx, thread)
}

// Close keeps what was folded for the next process.
func (s *Sessions) Close(ctx context.Context) { s.threads.Close(ctx) }

func noThread(id string) error {
	return protocol.Errorf(protocol.NotFound, "there is no thread %s", id)
}

// page is how many messages are held in memory at a time.
const page = 1000
