package session

import (
	"iter"

	"brenner/internal/ahead"
	"brenner/internal/artifact/merge"
	"brenner/internal/canon"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
)

// A batch of messages is read by one goroutine at a time. It has so many messages or bytes that starting the
// goroutine does not count, and so few that the memory for what was read ahead of the fold is bounded.
const (
	batchMessages = 64
	batchBytes    = 64 << 10
)

// batches cuts messages into batches.
func batches(messages []mail.Message) iter.Seq[[]mail.Message] {
	return func(yield func([]mail.Message) bool) {
		for len(messages) > 0 {
			n, size := 0, 0
			for n < len(messages) && n < batchMessages && size < batchBytes {
				size += len(messages[n].Body)
				n++
			}
			if !yield(messages[:n]) {
				return
			}
			messages = messages[n:]
		}
	}
}

// readBatch is a batch with the reading of each message.
type readBatch struct {
	messages []mail.Message
	readings []merge.Reading
}

// readAll reads the messages of a batch.
func readAll(messages []mail.Message) readBatch {
	b := readBatch{messages, make([]merge.Reading, len(messages))}
	for i := range messages {
		b.readings[i] = merge.Read(&messages[i].Message)
	}
	return b
}

// Fold adds the next messages of a thread to its fold. They are read on all cores, ahead of the fold, which takes them in order.
func Fold(v *fold.View, messages ...mail.Message) {
	for batch := range ahead.Map(batches(messages), readAll) {
		for i := range batch.messages {
			v.Take(batch.messages[i].Folded(), batch.readings[i])
		}
	}
}

// take folds a message that was just accepted, with what the door read of it. Where its thread is not in memory,
// or another message came first, it is read from the log when it is needed.
func (s *Sessions) take(m *mail.Message, text *message.Text) {
	s.threads.Offer(m.ThreadID, func(v *fold.View) bool {
		if m.ChainHash == (canon.Hash{}) || mail.ChainNext(v.Chain, m) != m.ChainHash {
			return false
		}
		v.Take(m.Folded(), merge.ReadAgain(&m.Message, text))
		return true
	})
}
