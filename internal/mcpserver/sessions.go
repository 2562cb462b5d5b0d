package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"brenner/internal/lru"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// sessions are those of HTTP clients. Any server of the store serves any of them: the id proves itself (see
// ticket), and what a session has beyond that, its subscriptions, calls that were cancelled and its end, is a note
// in the store, made when there is something to say. Times are those of the wall: a message's clock may
// not move.
type sessions struct {
	server *Server
	notes  *lru.Cache[string, seenNote] // what was last known of sessions: for a moment, and while the store does not answer

	mu       sync.Mutex
	secret   []byte    // nil: not read yet
	read     time.Time // when it was
	local    map[string]*localSession
	watching bool
}

// The kinds of notes.
const (
	secretNote  mail.NoteKind = "mcp.secret"
	sessionNote mail.NoteKind = "mcp.session"
)

// sessionFresh is how long this server may not know what another one was told about a session, or about the
// secret.
const sessionFresh = time.Second

// maxKnownSessions bounds what is remembered of the notes of sessions.
const maxKnownSessions = 4096

// sessionState is what a note tells about a session.
type sessionState struct {
	Ended         bool                   `json:"ended,omitempty"`
	Subscriptions map[string]mail.Cursor `json:"subscriptions,omitempty"` // where each began
	Cancelled     []string               `json:"cancelled,omitempty"`     // ids of calls, the latest last
}

// The bounds of a session.
const (
	maxSubscriptions = 1000
	maxCancelled     = 32
)

type seenNote struct {
	state sessionState
	at    time.Time
}

// localSession is what happens in a session on this server.
type localSession struct {
	stream *listener            // nil: none
	calls  map[string]*underWay // that wait, by id
}

func newSessions(s *Server) *sessions {
	return &sessions{server: s, notes: lru.New[string, seenNote](maxKnownSessions, nil), local: map[string]*localSession{}}
}

func (s *sessions) mail() *mail.Service { return s.server.projects.home.mail }

// open begins a session for a bearer and returns its id.
func (s *sessions) open(ctx context.Context, bearer string) (string, error) {
	secret, err := s.key(ctx, time.Time{})
	if err != nil {
		return "", err
	}
	t := newTicket(time.Now(), bearer)
	return t.seal(secret), nil
}

// errNoSession says that a session is not there, or no more: its client opens another.
var errNoSession = protocol.Errorf(protocol.NotFound, "session not found: call initialize again")

// errForeignSession says that a session is not the caller's.
var errForeignSession = protocol.Errorf(protocol.NotAllowed, "another bearer opened this session")

// enter finds the session of a request. errNoSession: there is none; errForeignSession: another caller opened it.
func (s *sessions) enter(ctx context.Context, id, bearer string) (ticket, error) {
	now := time.Now()
	secret, err := s.key(ctx, time.Time{})
	if err != nil {
		return ticket{}, err
	}
	t, genuine := readTicket(id, secret)
	if !genuine { // the store may be another one since
		if secret, err = s.key(ctx, now.Add(-sessionFresh)); err != nil {
			return ticket{}, err
		}
		t, genuine = readTicket(id, secret)
	}
	switch {
	case !genuine, now.Sub(t.issued) > s.server.options.SessionLife:
		return ticket{}, errNoSession
	case !t.of(bearer):
		return ticket{}, errForeignSession
	case s.state(ctx, t.key(), now).Ended:
		return ticket{}, errNoSession
	}
	return t, nil
}

// key returns the secret of the store, as it was read at some time or later. The first server makes it.
func (s *sessions) key(ctx context.Context, since time.Time) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.secret != nil && !s.read.Before(since) {
		return s.secret, nil
	}
	note, err := s.mail().ChangeNote(ctx, time.Now(), secretNote, "sessions", func(n *mail.Note) error {
		if len(n.Data) == secretSize {
			return unchangedError{n.Data}
		}
		n.Data = make([]byte, secretSize)
		rand.Read(n.Data) // it never fails
		return nil
	})
	if kept, ok := errors.AsType[unchangedError](err); ok {
		note.Data, err = kept.data, nil
	}
	if err != nil {
		return nil, err
	}
	s.secret, s.read = note.Data, time.Now()
	return s.secret, nil
}

// unchangedError says that a note is as it should be.
type unchangedError struct{ data []byte }

func (unchangedError) Error() string { return "nothing to change" }

// state is what is known about a session, by this server at least as of a moment ago. While the store does not
// answer a session is as it was.
func (s *sessions) state(ctx context.Context, key string, now time.Time) sessionState {
	seen, known := s.notes.Get(key)
	if known && now.Sub(seen.at) < sessionFresh {
		return seen.state
	}
	found, err := s.mail().Store().Notes(ctx, mail.NoteQuery{Project: s.mail().Project().ID, Kind: sessionNote, At: now,
		Keys: []string{key}})
	if err != nil {
		return seen.state
	}
	return s.learn(key, found, now)
}

// learn remembers what the store says about a session.
func (s *sessions) learn(key string, found []mail.Note, now time.Time) sessionState {
	var state sessionState
	for i := range found {
		if found[i].Key == key {
			state = readState(found[i].Data)
		}
	}
	s.notes.Put(key, seenNote{state, now})
	return state
}

func readState(data []byte) (state sessionState) {
	_ = json.Unmarshal(data, &state) // what cannot be read says nothing
	return state
}

// change changes the note of a session.
func (s *sessions) change(ctx context.Context, t ticket, edit func(*sessionState) error) error {
	now := time.Now()
	note, err := s.mail().ChangeNote(ctx, now, sessionNote, t.key(), func(n *mail.Note) error {
		state := readState(n.Data)
		if err := edit(&state); err != nil {
			return err
		}
		data, err := json.Marshal(state)
		if err == nil && bytes.Equal(data, n.Data) {
			return unchangedError{}
		}
		n.Data, n.Expires = data, t.issued.Add(s.server.options.SessionLife)
		return err
	})
	if _, same := errors.AsType[unchangedError](err); same {
		return nil
	}
	if err == nil {
		s.notes.Put(t.key(), seenNote{readState(note.Data), now})
	}
	return err
}

// end ends a session on every server.
func (s *sessions) end(ctx context.Context, t ticket) error {
	err := s.change(ctx, t, func(state *sessionState) error {
		*state = sessionState{Ended: true}
		return nil
	})
	if err == nil {
		s.follow(t.key(), sessionState{Ended: true})
	}
	return err
}

// subscribe notes that a session wants to hear of an address, from a place on.
func (s *sessions) subscribe(ctx context.Context, t ticket, uri string, from mail.Cursor) error {
	var state sessionState
	err := s.change(ctx, t, func(have *sessionState) error {
		if have.Subscriptions == nil {
			have.Subscriptions = map[string]mail.Cursor{}
		}
		if _, again := have.Subscriptions[uri]; !again {
			have.Subscriptions[uri] = from
		}
		if len(have.Subscriptions) > maxSubscriptions {
			return protocol.Errorf(protocol.NotAllowed, "a session has at most %d subscriptions", maxSubscriptions)
		}
		state = *have
		return nil
	})
	if err == nil {
		s.follow(t.key(), state)
	}
	return err
}

func (s *sessions) unsubscribe(ctx context.Context, t ticket, uri string) error {
	var state sessionState
	err := s.change(ctx, t, func(have *sessionState) error {
		delete(have.Subscriptions, uri)
		state = *have
		return nil
	})
	if err == nil {
		s.follow(t.key(), state)
	}
	return err
}

// cancel cancels a call that waits, here or on another server.
func (s *sessions) cancel(ctx context.Context, t ticket, id string) error {
	s.mu.Lock()
	here := s.local[t.key()]
	if here != nil && here.calls[id] != nil {
		here.calls[id].cancel()
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	return s.change(ctx, t, func(state *sessionState) error {
		if state.Cancelled = append(state.Cancelled, id); len(state.Cancelled) > maxCancelled {
			state.Cancelled = state.Cancelled[len(state.Cancelled)-maxCancelled:]
		}
		return nil
	})
}

// at returns what happens here in a session. The lock is held.
func (s *sessions) at(key string) *localSession {
	here := s.local[key]
	if here == nil {
		here = &localSession{calls: map[string]*underWay{}}
		s.local[key] = here
	}
	if !s.watching {
		s.watching = s.server.background(s.watch)
	}
	return here
}

// tidy forgets a session in which nothing happens here any more. The lock is held.
func (s *sessions) tidy(key string) {
	if here := s.local[key]; here != nil && here.stream == nil && len(here.calls) == 0 {
		delete(s.local, key)
	}
}

// watch looks, as long as a client listens or waits here, for what other servers were told about their sessions.
func (s *sessions) watch(ctx context.Context) {
	tick := time.NewTicker(sessionFresh / 2)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		keys := s.busy()
		if len(keys) == 0 {
			continue
		}
		now := time.Now()
		found, err := s.mail().Store().Notes(ctx, mail.NoteQuery{Project: s.mail().Project().ID, Kind: sessionNote, At: now, Keys: keys})
		if err != nil {
			continue // it is asked again in a moment
		}
		for i := range found {
			s.follow(found[i].Key, s.learn(found[i].Key, found[i:i+1], now))
		}
	}
}

// busy returns the sessions in which something happens here.
func (s *sessions) busy() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys := make([]string, 0, len(s.local))
	for key := range s.local {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// follow does what the note of a session says.
func (s *sessions) follow(key string, state sessionState) {
	s.mu.Lock()
	here := s.local[key]
	if here == nil {
		s.mu.Unlock()
		return
	}
	for id, call := range here.calls {
		if state.Ended || slices.Contains(state.Cancelled, id) {
			call.cancel()
		}
	}
	stream := here.stream
	s.mu.Unlock()
	switch {
	case stream == nil:
	case state.Ended:
		stream.end()
	default:
		stream.want(state.Subscriptions)
	}
}
