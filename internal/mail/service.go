package mail

import (
	"cmp"
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"brenner/internal/canon"
	"brenner/internal/fold"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Mode is what the door does about errors in mail to a thread under the protocol (PROTOCOL 3).
type Mode string

// The modes. In every mode mail that could not be kept (its encoding, its size, a thread id that
// cannot be a file name) is refused.
const (
	Enforce Mode = "enforce" // refuses the message
	Warn    Mode = "warn"    // accepts it, with the findings as warnings
	Off     Mode = "off"     // accepts it without findings
)

// Operator is the name under which a person acts who gives none.
const Operator = protocol.Operator

// Door adds what only the folded state of a thread, or other sessions, can tell: to the judgement of a
// message targets that are unknown or killed, sections at their limit, ideas proposed again,
// references that form a cycle; to that of acknowledgements, what settled them.
type Door interface {
	// Judge adds findings to the report and notes to the blocks of its receipt. It is called
	// before a message to a thread under the protocol is accepted, for a COMPILED on any thread, and
	// must not write.
	Judge(ctx context.Context, thread Thread, draft message.Draft, report *message.Report) (Ruling, error)

	// Settlements returns what the messages of a thread settled, and whether its session is complete. What it has
	// not taken is read from the log. The caller owns the copy.
	Settlements(ctx context.Context, thread Thread) (fold.Settlements, error)
}

// Ruling is what a Door found out about a message.
type Ruling struct {
	ArtifactHash canon.Hash // of a COMPILED: of its version, if the message holds the fold of its thread
	Follows      int64      // of a COMPILED: the last message of the thread that it was compared with

	// Accepted hears of the message when it is in the log, so that what was read of it need not be read
	// again. May be nil. It must not wait for anything.
	Accepted func(m Message)
}

// Options are the settings of a Service. The zero value is ready to use.
type Options struct {
	Now        func() time.Time // nil: time.Now
	Mode       Mode             // empty: Enforce
	Operator   string           // empty: Operator
	Acks       AckPolicy
	Pick       func(n int) int                      // chooses among n names of agents; nil: at random
	Door       Door                                 // nil: text and directory alone decide
	BeadExists func(id string) (exists, known bool) // nil: no beads
	// Refused hears of each message that the door refuses: nothing else remembers it. May be nil.
	Refused func(draft message.Draft, v Verdict)
	// Accepted hears of messages once they are in the log, and returns what is to be told to their sender. It cannot refuse them.
	// May be nil.
	Accepted func(ctx context.Context, messages []Message) []protocol.Finding
}

// Service is the mail of one project: the one way in which surfaces send, read, acknowledge,
// import and export, with any engine. It is safe for concurrent use.
type Service struct {
	store   Store
	project Project
	options Options

	arriving sync.Map // name key of an agent → *sync.Mutex, held while its arrivals are claimed
}

// NewService makes the mail of a project that is in the store.
func NewService(store Store, project Project, options Options) *Service {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Mode == "" {
		options.Mode = Enforce
	}
	if options.Pick == nil {
		options.Pick = rand.IntN
	}
	if options.Operator == "" {
		options.Operator = Operator
	}
	return &Service{store: store, project: project, options: options}
}

// Accepted tells whoever listens of messages that are in the log now, and returns what their sender is to be told.
func (s *Service) Accepted(ctx context.Context, messages ...Message) []protocol.Finding {
	if s.options.Accepted == nil || len(messages) == 0 {
		return nil
	}
	return s.options.Accepted(ctx, messages)
}

// Store returns the store below.
func (s *Service) Store() Store { return s.store }

// Project returns the project.
func (s *Service) Project() Project { return s.project }

// Now returns the time by the service's clock.
func (s *Service) Now() time.Time { return Truncate(s.options.Now()) }

// Message returns one message. NOT_FOUND: there is none of this id in the project. THREAD_ARCHIVED comes with what is kept
// of the message.
func (s *Service) Message(ctx context.Context, id int64) (Message, error) {
	return one(ctx, s.store, s.project.ID, id)
}

func one(ctx context.Context, r Reader, project ProjectID, id int64) (Message, error) {
	found, err := r.Messages(ctx, MessageQuery{Project: project, IDs: []int64{id}})
	if err != nil {
		return Message{}, err
	}
	if len(found) == 0 {
		return archivedOne(ctx, r, project, id)
	}
	return found[0], nil
}

// archivedOne is one for what is not in the log.
func archivedOne(ctx context.Context, r Reader, project ProjectID, id int64) (Message, error) {
	found, err := r.Messages(ctx, MessageQuery{Project: project, IDs: []int64{id}, Archived: true})
	if err != nil || len(found) == 0 {
		return Message{}, cmp.Or(err, noMessage(id))
	}
	thread, err := threadOf(ctx, r, project, found[0].ThreadID)
	if err != nil {
		return Message{}, err
	}
	return found[0], cmp.Or(thread.CheckPresent(), noMessage(id))
}

// withArchived returns messages of the log and of archived threads.
func (s *Service) withArchived(ctx context.Context, q MessageQuery) ([]Message, error) {
	found, err := s.store.Messages(ctx, q)
	if err != nil || len(found) == len(q.IDs)+len(q.Keys) {
		return found, err
	}
	q.Archived = true
	archived, err := s.store.Messages(ctx, q)
	return append(found, archived...), err
}

func noMessage(id int64) error {
	return protocol.Errorf(protocol.NotFound, "there is no message %d", id)
}

// Thread returns the summary of a thread. NOT_FOUND: it has no messages.
func (s *Service) Thread(ctx context.Context, id string) (Thread, error) {
	t, err := threadOf(ctx, s.store, s.project.ID, id)
	if err == nil && t.Messages == 0 {
		err = NoThread(id)
	}
	return t, err
}

// threadOf returns the summary of a thread, an empty one if it has no messages.
func threadOf(ctx context.Context, r Reader, project ProjectID, id string) (Thread, error) {
	if id == "" {
		return Thread{Project: project}, nil
	}
	found, err := r.Threads(ctx, ThreadQuery{Project: project, IDs: []string{id}})
	if err != nil || len(found) == 0 {
		return Thread{Project: project, ID: id}, err
	}
	return found[0], nil
}

// Threads returns the summaries of all threads, most recently active first.
func (s *Service) Threads(ctx context.Context) ([]Thread, error) {
	return s.store.Threads(ctx, ThreadQuery{Project: s.project.ID})
}
