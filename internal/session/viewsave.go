package session

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"sync"

	"brenner/internal/artifact/merge"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session/live"
)

// threadViews is how views live: kept under one name. Another number: the kept form says something else.
var threadViews = live.Kind[*View]{Name: "session.view.6", New: NewView, Load: LoadView}

// Save writes the view so that LoadView resumes it: a line of JSON, the fold's own form after its length,
// and the view of the latest version in the same way, unless that is the view itself.
func (v *View) Save() ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	fold := v.Fold.Save()
	data = binary.AppendUvarint(append(data, '\n'), uint64(len(fold)))
	data = append(data, fold...)
	if v.published == nil || v.Published() == v {
		return data, nil
	}
	version, err := v.Published().Save()
	return append(data, version...), err
}

// LoadView reads what Save wrote. The view of the latest version is read when it is needed.
func LoadView(data []byte) (*View, error) {
	line, rest, _ := bytes.Cut(data, []byte{'\n'})
	v := NewView("")
	if err := json.Unmarshal(line, v); err != nil {
		return nil, err
	}
	size, n := binary.Uvarint(rest)
	if n <= 0 || size > uint64(len(rest)-n) {
		return nil, protocol.Errorf(protocol.InvalidInput, "the kept view is cut off")
	}
	fold, version := rest[n:n+int(size)], rest[n+int(size):]
	var err error
	if v.Fold, err = merge.Load(fold); err != nil {
		return nil, err
	}
	switch {
	case v.Head != 0 && v.Head == v.publication():
		own := v.Fork()
		v.published = func() *View { return own }
	case len(version) > 0:
		v.published = sync.OnceValue(func() *View {
			kept, err := LoadView(version)
			if err != nil {
				return nil // it is folded again
			}
			return kept
		})
	}
	return v, nil
}

// View returns the fold of all messages of a thread, to be read: it is shared. NOT_FOUND: it has none.
func (s *Sessions) View(ctx context.Context, threadID string) (*View, error) {
	return s.threads.Snapshot(ctx, threadID)
}

// Views returns the folds of threads, as View does, with one question for all of them. Those that cannot be folded are left out.
func (s *Sessions) Views(ctx context.Context, threadIDs []string) map[string]*View {
	views := map[string]*View{}
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

// look is View as of a summary of the thread, or of later messages. It writes nothing.
func (s *Sessions) look(ctx context.Context, thread mail.Thread) (*View, error) {
	return s.threads.At(ctx, thread)
}

// Close keeps what was folded for the next process.
func (s *Sessions) Close(ctx context.Context) { s.threads.Close(ctx) }

func noThread(id string) error {
	return protocol.Errorf(protocol.NotFound, "there is no thread %s", id)
}

// page is how many messages are held in memory at a time.
const page = 1000
