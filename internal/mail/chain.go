package mail

import (
	"crypto/sha256"
	"strconv"
	"time"

	"brenner/internal/canon"
	"brenner/internal/message"
)

// TimeLayout is how a message's time is written: RFC 3339, UTC, six decimals (PROTOCOL 1).
const TimeLayout = "2006-01-02T15:04:05.000000Z"

// FormatTime writes a time as messages carry it.
func FormatTime(t time.Time) string { return t.UTC().Format(TimeLayout) }

// ChainLine is the line of a message in the canonical form of RFC 8785, complete but for the id
// and the time that a store gives it. Making one is most of the work of a chain hash and
// needs no transaction.
type ChainLine struct {
	head, middle, tail []byte // around created_ts and id
}

// NewChainLine writes the line that the chain covers (PROTOCOL 14): origin ids, intake and bcc,
// neither delivery state nor hashes.
func NewChainLine(m *message.Message, replyOrigin int64) ChainLine {
	// The keys are in the order that RFC 8785 sorts them in.
	head := make([]byte, 0, len(m.Body)+len(m.Body)/16+128)
	head = append(head, `{"ack_required":`...)
	head = strconv.AppendBool(head, m.AckRequired)
	head = appendNames(append(head, `,"bcc":`...), m.Bcc)
	head = canon.AppendString(append(head, `,"body_md":`...), m.Body)
	head = appendNames(append(head, `,"cc":`...), m.Cc)
	head = append(head, `,"created_ts":"`...)

	middle := canon.AppendString([]byte(`","from":`), m.From)
	middle = append(middle, `,"id":`...)

	tail := canon.AppendString([]byte(`,"importance":`), string(m.Importance))
	tail = canon.AppendString(append(tail, `,"intake":`...), string(m.Intake))
	tail = appendID(append(tail, `,"reply_to":`...), replyOrigin)
	tail = canon.AppendString(append(tail, `,"subject":`...), m.Subject)
	tail = append(tail, `,"thread_id":`...)
	if m.ThreadID == "" {
		tail = append(tail, "null"...)
	} else {
		tail = canon.AppendString(tail, m.ThreadID)
	}
	tail = appendNames(append(tail, `,"to":`...), m.To)
	return ChainLine{head, middle, append(tail, '}')}
}

// Chain hashes the line behind the hash of the message before it in the thread, which is zero
// for the first.
func (p *ChainLine) Chain(previous canon.Hash, originID int64, createdAt time.Time) canon.Hash {
	var number [32]byte
	sum := sha256.New()
	sum.Write(previous[:])
	sum.Write(p.head)
	sum.Write(createdAt.UTC().AppendFormat(number[:0], TimeLayout))
	sum.Write(p.middle)
	sum.Write(strconv.AppendInt(number[:0], originID, 10))
	sum.Write(p.tail)
	var h canon.Hash
	sum.Sum(h[:0])
	return h
}

// ChainNext is the chain hash of a message behind the one before it in its thread.
func ChainNext(previous canon.Hash, m *Message) canon.Hash {
	line := NewChainLine(&m.Message, m.ReplyOrigin)
	return line.Chain(previous, m.OriginID(), m.CreatedAt)
}

func appendID(to []byte, id int64) []byte {
	if id == 0 {
		return append(to, "null"...)
	}
	return strconv.AppendInt(to, id, 10)
}

func appendNames(to []byte, names []string) []byte {
	to = append(to, '[')
	for i, name := range names {
		if i > 0 {
			to = append(to, ',')
		}
		to = canon.AppendString(to, name)
	}
	return append(to, ']')
}
