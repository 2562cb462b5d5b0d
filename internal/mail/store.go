package mail

import (
	"context"
	"time"
)

// Store is the port to one engine. Every method is safe for concurrent use, by any number of
// goroutines and, for engines that share their data, of processes. Slices and pointers passed
// in are not kept or changed after the call; what comes back belongs to the caller.
//
// Errors are *protocol.Error. Beyond the codes named at each method: STORE_UNAVAILABLE when the
// engine cannot be reached, read or written (nothing is half-written, and a later call may succeed
// without opening the store again), NOT_FOUND for a project that is not there, INTERNAL for what
// cannot happen. A context that ends gives its own error (errors.Is context.Canceled or
// DeadlineExceeded); whether a write then took place is unknown unless the entry has a Key.
//
// Names of agents are matched ignoring case; agents and deliveries have them as registered, messages
// as they were written. Times come back in UTC with microseconds. Text passed in is UTF-8 without NUL.
type Store interface {
	Reader
	Directory
	Log
	Mailbox
	Feed
	Projections
	Attendance
	Notes

	// Reservations returns the leases of a project that are active at the time now, in the order of
	// their ids. If change is not nil it gets those leases and returns the ones to write (an ID
	// of 0 adds one, another replaces it), in one transaction that no other change of this
	// project's leases can interleave with; the result is what is active afterwards. change must
	// be quick, must not call the store, and may run more than once.
	Reservations(ctx context.Context, project ProjectID, now time.Time,
		change func(standing []Reservation) ([]Reservation, error)) ([]Reservation, error)

	// Status describes the store, and proves by a small write that it can be written now.
	Status(ctx context.Context) (Status, error)

	// Close ends the store's goroutines, waits for them and for calls under way, and
	// releases its files or connections. Calls after it fail with STORE_UNAVAILABLE.
	// Closing twice is harmless.
	Close() error
}

// Reader is what can be asked both of a store and inside a transaction.
type Reader interface {
	// Agents returns agents of a project by id: the named ones (unknown names are left
	// out, the order is that of registration), or all of them if no name is given.
	Agents(ctx context.Context, project ProjectID, names ...string) ([]Agent, error)

	// Messages returns messages by id, in the order asked for. Every message with an id
	// below one that was seen is visible: no reader sees n+1 before n. THREAD_ARCHIVED: the thread asked for is archived.
	Messages(ctx context.Context, q MessageQuery) ([]Message, error)

	// Threads returns summaries, most recently active first.
	Threads(ctx context.Context, q ThreadQuery) ([]Thread, error)

	// Deliveries returns delivery states by message id; those of one message in the order
	// of its recipients: to, cc, bcc.
	Deliveries(ctx context.Context, q DeliveryQuery) ([]Delivery, error)
}

// Directory is the role that knows projects and agents.
type Directory interface {
	// EnsureProject returns the project of a path, making it at the given time if it is
	// not there. CONFLICT: another path has the same slug.
	EnsureProject(ctx context.Context, humanKey string, at time.Time) (Project, error)

	// Projects returns all projects by id.
	Projects(ctx context.Context) ([]Project, error)

	// PutAgent registers an agent (ID 0; its Name must be free ignoring case, else
	// CONFLICT) or, with an ID, writes everything of it but name, project and inception
	// (NOT_FOUND if there is none). The result is the agent as stored.
	PutAgent(ctx context.Context, agent Agent) (Agent, error)
}

// Finder is a store that cannot list its projects, and is asked for one by its path instead. Nothing is made.
type Finder interface {
	FindProject(ctx context.Context, humanKey string) (project Project, found bool, err error)
}

// Log is the role that writes messages. Both methods write all their entries or none, durably
// before they return, and give each message
//
//   - the next id of the store, in commit order and without gaps inside one call;
//   - its time: at, or one microsecond after the last message the store accepted itself,
//     whichever is later (strictly increasing); an import keeps its own;
//   - its chain hash (ChainNext) after the last message of its thread; a message without
//     thread starts a chain of its own;
//   - a delivery for each recipient, an event (two for a COMPILED), its place in the
//     summary of its thread; its sender's LastActiveAt moves unless it is an import.
//
// The results are in the order of the entries. UNKNOWN_AGENT and AGENT_RETIRED: a sender or
// recipient that is not there or no longer takes part (of an entry that is not imported).
// THREAD_ARCHIVED: an entry's thread is archived. IDEMPOTENCY_CONFLICT, ErrThreadOpened, ErrVersionTaken: see Entry. After any
// error nothing of the call is there.
type Log interface {
	// Append writes entries that are ready. Calls of many goroutines share one durable
	// commit where the engine can; one that fails does not fail the others.
	Append(ctx context.Context, project ProjectID, at time.Time, entries ...Entry) ([]Message, error)

	// Compose writes what compose returns, which reads inside the inserting transaction:
	// nothing can land between what it sees and what it writes. Versions are taken this way
	// (PROTOCOL 10). compose must be quick and pure, must use tx only while it runs and
	// never the store itself, and may run more than once for one call; it may return no
	// entries. Its error is returned as it is, and nothing is written.
	Compose(ctx context.Context, project ProjectID, at time.Time,
		compose func(ctx context.Context, tx Tx) ([]Entry, error)) ([]Message, error)
}

// Tx is the inside of a Compose.
type Tx interface {
	Reader

	// NextID is the id of the first entry that compose returns; the others follow.
	NextID() int64

	// Time is the time of the first entry that is not imported; the others of this call
	// follow by a microsecond each.
	Time() time.Time
}

// Mailbox is the role that delivers.
type Mailbox interface {
	// Inbox returns what an agent received, newest first unless the query says otherwise. It changes
	// no state.
	// UNKNOWN_AGENT: no such agent.
	Inbox(ctx context.Context, q InboxQuery) ([]Received, error)

	// Mark moves deliveries forward, durably, with an event for each that changed, and
	// returns them all as they are now, in the order asked for. A state reached before
	// keeps its time. NOT_FOUND: the agent did not receive one of the messages; nothing
	// is changed then.
	Mark(ctx context.Context, mark Mark) ([]Delivery, error)

	// Search returns the matching messages: best first where few match, newest first
	// where many do. A message is found from the moment its Append returned.
	Search(ctx context.Context, q SearchQuery) ([]Message, error)
}

// Feed is the role that tells what happened.
type Feed interface {
	// Events returns events in the order of their sequence. As with messages, no reader
	// sees n+1 before n.
	Events(ctx context.Context, q EventQuery) ([]Event, error)

	// Wait returns nil as soon as the project has an event after the cursor, from any
	// process, and the context's error when that ends first. It neither polls
	// busily nor holds a connection for each waiter.
	Wait(ctx context.Context, project ProjectID, after Cursor) error
}

// Projections is the role that keeps derived data.
type Projections interface {
	// Projection returns kept data, or NOT_FOUND.
	Projection(ctx context.Context, project ProjectID, kind ProjectionKind, key string) (Projection, error)

	// PutProjection keeps data unless what is kept already goes further (Through).
	PutProjection(ctx context.Context, project ProjectID, p Projection) error

	// Rebuild drops all kept data and makes the search index and the thread summaries
	// again from the messages. Kept data and summaries that know of messages which are gone stay: they are all that
	// tells of the loss (PROTOCOL 14).
	Rebuild(ctx context.Context) error
}

// Status describes a store.
type Status struct {
	Engine   string // "sqlite", "postgres", "memory", …
	Location string // for a person: a path, or an address without secrets
	Schema   int    // version of its schema
	Messages int64  // id of the last message
	Indexed  int64  // id of the last message in the search index
	Cursor   Cursor // of the last event
	Shared   bool   // other processes may use the same data
	Atomic   bool   // Compose is really one transaction (a foreign server has none)
}

// Lag is how many messages the search index is behind. Search looks at those one by one, so
// that the lag costs time, not results.
func (s Status) Lag() int64 { return max(0, s.Messages-s.Indexed) }
