package mail

import (
	"time"

	"brenner/internal/canon"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Message is a message as a store holds it: what was written, and what the store recorded
// with it. It never changes once it is there.
//
// ReplyTo (of the embedded message) is an id of this store, 0 if the message it answers is not
// here. ReplyOrigin is the same reference as it travels: the origin id of that message. Chain
// and export use ReplyOrigin, so that an import reproduces them. Names of agents are kept as they
// were written, for the same reason.
type Message struct {
	message.Message
	Project      ProjectID
	SenderID     AgentID
	Type         protocol.MessageType // what it classified as at the door
	Version      int                  // of a COMPILED message; 0 otherwise
	ReplyOrigin  int64
	ChainHash    canon.Hash
	ArtifactHash canon.Hash // of the version a COMPILED message publishes; zero if it names none
	Key          string     // idempotency key; empty if none was given
	Payload      canon.Hash // of what was sent under Key
}

// Entry is a message on its way into the log. The store gives it its id, its chain hash and,
// unless it is an import, its time.
type Entry struct {
	Message      message.Message // ID is ignored; CreatedAt too unless Imported
	Type         protocol.MessageType
	Version      int
	ReplyOrigin  int64
	ArtifactHash canon.Hash
	Text         *message.Text // what was read of the body under the message's intake; nil: it is read when that is needed

	// Key makes the entry idempotent in its project: if a message with this key is there
	// and has the same Payload, that message is the result and nothing is written; with
	// another payload the entry fails with IDEMPOTENCY_CONFLICT.
	Key     string
	Payload canon.Hash

	// Imported keeps CreatedAt, registers senders and recipients that are unknown, and takes
	// retired ones. Deliveries then gives states that came with the message; recipients it
	// does not name start as sent.
	Imported   bool
	Deliveries []Delivery

	// Acks are acknowledged in the same transaction, at the time of the message. One that
	// names a message the agent never received changes nothing.
	Acks []Ack

	// Opens says that the entry was judged as the first message of its thread. If the
	// thread has messages by now, nothing is written: ErrThreadOpened.
	Opens bool

	// Member demands that the sender is a member of the thread, if that has messages (PROTOCOL 16); otherwise
	// nothing is written: NOT_FOUND.
	Member bool

	// Gapless demands that Version is exactly one more than the thread's latest (AP-002);
	// otherwise nothing is written: ErrVersionTaken.
	Gapless bool

	// Follows is the last message of the thread that the entry was compared with, 0: none in
	// particular. If another one is the last by now, nothing is written: ErrThreadMoved.
	Follows int64
}

// ErrThreadExists refuses a message that was meant to open its thread (Outgoing.Opens).
var ErrThreadExists error = protocol.Errorf(protocol.Conflict, "the thread exists already")

// ErrThreadOpened, ErrVersionTaken and ErrThreadMoved say that a thread moved between the judgement of an
// entry and its insertion. The caller judges again on what is there now.
var (
	ErrThreadOpened error = protocol.Errorf(protocol.Conflict, "the thread was opened by another message meanwhile")
	ErrThreadMoved  error = protocol.Errorf(protocol.Conflict, "the thread got another message meanwhile")
	ErrVersionTaken error = protocol.Errorf(protocol.Conflict, "the version is not the next one of its thread")
)

// MessageQuery selects messages of a project. Zero fields do not restrict.
type MessageQuery struct {
	Project ProjectID
	IDs     []int64  // these; unknown ones are left out
	Keys    []string // with these idempotency keys
	Thread  string
	Types   []protocol.MessageType
	From    string    // ignoring case
	At      time.Time // created at exactly
	After   int64     // id greater than
	Before  int64     // id less than
	Order   Order
	Limit   int // 0: all

	// Archived selects from the messages of archived threads instead. Most have lost their text.
	Archived bool
}

// Order is the direction of a listing by id.
type Order uint8

// OldestFirst is the order of a thread; NewestFirst that of an inbox.
const (
	OldestFirst Order = iota
	NewestFirst
)

// Truncate brings a time to the form that messages carry: UTC, microseconds (PROTOCOL 1).
func Truncate(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
