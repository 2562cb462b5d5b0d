package session

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/genealogy"
	"brenner/internal/mail"
	"brenner/internal/science"
)

// Session is a session at one revision, as a request holds it: the fold of its thread, the library of evidence, the graph of
// sessions where it refers to others, and what the registry says of its agents. It never changes, so that everything it tells is of
// one moment. What it works out it works out once, for all who hold the same revision.
//
// A read with a context asks for what no fold holds: texts of messages, older versions, files, and what agents do now.
type Session struct {
	*revision
	peers []*fold.View // the other sessions, as the graph has them; nil: nobody asked for them yet
}

// revision is what all who hold a session at the same revision share.
type revision struct {
	View   *fold.View
	Thread mail.Thread // its row in the log

	of      *Sessions
	library *evidence.Library
	broken  error            // why there is no library
	graph   *genealogy.Graph // nil: neither the artifact nor its latest version refers to other sessions
	agents  []science.Agent  // as registered
	heard   []int64          // questions to a convener that one has acknowledged
	memos
}

// memos are what a session has worked out.
type memos struct {
	reviewed once[science.Review]
	first    once[waits]
	believed once[*science.Account]
	ranked   once[science.Ranking]
	reasoned once[science.Reasons]

	mu         sync.Mutex
	judgements map[lintKey]*judgement
	contents   map[contentKey]*Content
	latest     *publishedText       // of the latest version, as far as it was read
	arranged   map[reflect.Type]any // what a surface made of the session, by its type
}

// once is a value that is made when it is first asked for.
type once[T any] struct {
	sync.Once
	value T
}

func (o *once[T]) get(build func() T) T {
	o.Do(func() { o.value = build() })
	return o.value
}

// Session takes the present revision of a thread. NOT_FOUND: there is no such thread; THREAD_ARCHIVED.
func (s *Sessions) Session(ctx context.Context, threadID string) (*Session, error) {
	thread, err := s.mail.Thread(ctx, threadID)
	if err != nil {
		return nil, err
	}
	v, err := s.threads.Read(ctx, thread)
	if err != nil {
		return nil, err
	}
	return s.hold(ctx, thread, v, s.threads.At)
}

// SessionAmong is Session of the revision that a request has taken already: the views that it holds, by thread. Those of other
// sessions that it needs are added to them.
func (s *Sessions) SessionAmong(ctx context.Context, views map[string]*fold.View, threadID string) (*Session, error) {
	g := gathering{of: s, views: views}
	return g.session(ctx, threadID)
}

// gathering takes each thread once for a request that looks into several sessions, which may refer to each other.
type gathering struct {
	of    *Sessions
	views map[string]*fold.View
}

func (s *Sessions) gather() *gathering { return &gathering{of: s, views: map[string]*fold.View{}} }

// at returns the fold of a thread as it was when it was first asked for.
func (g *gathering) at(ctx context.Context, thread mail.Thread) (*fold.View, error) {
	if v := g.views[thread.ID]; v != nil {
		return v, nil
	}
	v, err := g.of.threads.At(ctx, thread)
	if err == nil {
		g.views[thread.ID] = v
	}
	return v, err
}

// session is Session of the revision that was gathered.
func (g *gathering) session(ctx context.Context, threadID string) (*Session, error) {
	thread, err := g.of.mail.Thread(ctx, threadID)
	if err != nil {
		return nil, err
	}
	v, err := g.at(ctx, thread)
	if err != nil {
		return nil, err
	}
	return g.of.hold(ctx, thread, v, g.at)
}

// hold gathers what the reads of a snapshot ask for; look looks at other sessions. Who holds the same revision shares one session.
func (s *Sessions) hold(ctx context.Context, thread mail.Thread, v *fold.View, look looker) (*Session, error) {
	n := &Session{revision: &revision{View: v, Thread: thread, of: s}}
	n.library, n.broken = s.Library()
	var err error
	refers := refers(v) || v.Published() != nil && refers(v.Published())
	if refers || v.After != "" {
		if n.peers, err = s.peers(ctx, thread.ID, look); err != nil {
			return nil, err
		}
	}
	if refers {
		n.graph = s.graph.of(append(slices.Clip(n.peers), v))
	}
	if n.agents, err = s.registered(ctx, v.Participants); err != nil {
		return nil, err
	}
	if n.heard, err = s.acknowledged(ctx, openAsks(v)); err != nil {
		return nil, err
	}
	n.revision = s.threads.Beside(thread.ID, func(old *revision) *revision {
		if old != nil && old.same(n.revision) {
			return old
		}
		n.inherit(old)
		return n.revision
	})
	return n, nil
}

// ID names the thread.
func (s *revision) ID() string { return s.Thread.ID }

// same tells whether two revisions say the same.
func (s *revision) same(n *revision) bool {
	return s.View == n.View && s.library == n.library && s.graph == n.graph && s.broken == nil && n.broken == nil &&
		slices.Equal(s.agents, n.agents) && slices.Equal(s.heard, n.heard)
}

// maxInherited is how many versions, and how many judgements, a revision takes over from the one before.
const maxInherited = 16

// inherit takes over what still holds: versions never change, and a judgement holds as long as nothing of what it was made from did.
func (s *revision) inherit(old *revision) {
	s.judgements, s.contents, s.arranged = map[lintKey]*judgement{}, map[contentKey]*Content{}, map[reflect.Type]any{}
	if old == nil {
		return
	}
	old.mu.Lock()
	defer old.mu.Unlock()
	s.latest = old.latest
	for key, c := range old.contents {
		if !key.draft && len(s.contents) < maxInherited {
			s.contents[key] = c
		}
	}
	for key, j := range old.judgements {
		if key.library == s.library && len(s.judgements) < maxInherited {
			s.judgements[key] = j
		}
	}
}

// Arranged returns what a surface made of a session, made once; T names it.
func Arranged[T any](s *Session, build func() T) T {
	s.mu.Lock()
	slot, ok := s.arranged[reflect.TypeFor[T]()].(*once[T])
	if !ok {
		slot = &once[T]{}
		s.arranged[reflect.TypeFor[T]()] = slot
	}
	s.mu.Unlock()
	return slot.get(build)
}

// registered looks up agents in the registry, in the order of their names.
func (s *Sessions) registered(ctx context.Context, names []string) ([]science.Agent, error) {
	if len(names) == 0 {
		return nil, nil
	}
	found, err := s.store().Agents(ctx, s.project(), names...)
	agents := make([]science.Agent, 0, len(found))
	for _, a := range found {
		agents = append(agents, science.Agent{Name: a.Name, Program: a.Program, Model: a.Model})
	}
	return agents, err
}
