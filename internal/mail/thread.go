package mail

import (
	"time"

	"brenner/internal/canon"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Thread sums up one thread. It is derived from the thread's messages, and from its archiving.
type Thread struct {
	Project       ProjectID
	ID            string
	Messages      int
	FirstID       int64
	FirstType     protocol.MessageType
	HeadID        int64      // id of the last message
	ChainHash     canon.Hash // of the last message
	LatestVersion int        // highest version of its COMPILED messages; 0 if none
	CreatedAt     time.Time  // time of the first message
	UpdatedAt     time.Time  // time of the last message
	Crate         string     // file with its texts, if it is archived; else empty
}

// Enforced tells whether the thread is under the protocol (PROTOCOL 3).
func (t *Thread) Enforced() bool { return message.Enforced(t.ID, t.FirstType) }

// ThreadQuery selects thread summaries of a project, most recently active first.
type ThreadQuery struct {
	Project ProjectID
	IDs     []string // these; unknown ones are left out. nil: every thread
	Member  string   // only those that this agent is a member of (Members), ignoring case
	Before  int64    // HeadID less than: the next page
	Limit   int      // 0: all
}

// Extend moves a summary on by the thread's next message.
func (t *Thread) Extend(m *Message) {
	if t.Messages == 0 {
		t.FirstID, t.FirstType, t.CreatedAt = m.ID, m.Type, m.CreatedAt
	}
	t.Messages++
	t.HeadID, t.ChainHash, t.UpdatedAt = m.ID, m.ChainHash, m.CreatedAt
	t.LatestVersion = max(t.LatestVersion, m.Version)
}
