package fold

import (
	"strconv"

	"brenner/internal/canon"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Message is a message of the log with what the log knows of it beside its text.
type Message struct {
	*message.Message
	Type   protocol.MessageType // what it classified as at the door
	Chain  canon.Hash           // its chain hash; zero on a foreign server, which has none
	Notice bool                 // a reminder or an escalation, which answers nothing
}

// Position is a place in a log. Two logs that share one share every message of the thread up to it.
type Position struct {
	Message int64      // its id
	Chain   canon.Hash // its chain hash; zero on a foreign server, which has none
}

// FormatID writes the id of a message.
func FormatID(id int64) string { return strconv.FormatInt(id, 10) }
