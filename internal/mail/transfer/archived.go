package transfer

import (
	"bytes"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Covers proves that lines, as Lines returns them, are the first messages of a thread, byte for byte, and that the chain
// of the whole thread holds. It returns the id of the last message they cover. CHAIN_BROKEN: the thread does not
// match its chain; CRATE_MISMATCH: the lines are not those of the thread.
func Covers(messages []mail.Message, lines []Line) (int64, error) {
	if len(lines) == 0 || len(lines) > len(messages) {
		return 0, protocol.Errorf(protocol.CrateMismatch, "the crate has %s, the thread %s", protocol.Plural(len(lines), "message"),
			protocol.Plural(len(messages), "message"))
	}
	var chain canon.Hash
	for i := range messages {
		m := &messages[i]
		if i < len(lines) && !equal(lines[i], travelling(m)) {
			return 0, protocol.Errorf(protocol.CrateMismatch, "message %d of the thread is not the one of the crate", m.ID)
		}
		if chain = mail.ChainNext(chain, m); chain != m.ChainHash {
			return 0, protocol.Errorf(protocol.ChainBroken, "message %d does not match its chain hash", m.ID)
		}
	}
	return messages[len(lines)-1].ID, nil
}

// equal compares two lines as they are written.
func equal(a, b Line) bool {
	first, err := a.MarshalJSON()
	if err != nil {
		return false
	}
	second, err := b.MarshalJSON()
	return err == nil && bytes.Equal(first, second)
}

// Refill gives the messages of an archived thread their texts back, and proves them: they must be those of the lines,
// and give the chain that was archived. The codes are those of Covers.
func Refill(archived mail.ArchivedThread, messages []mail.Message, lines []Line) error {
	for i := range min(len(lines), len(messages)) {
		messages[i].Body = lines[i].Body
	}
	through, err := Covers(messages, lines)
	if err != nil {
		return err
	}
	if last := &messages[len(messages)-1]; through != archived.Through || last.ID != archived.HeadID ||
		last.ChainHash != archived.ChainHash {
		return protocol.Errorf(protocol.CrateMismatch,
			"the crate ends at message %d and the thread at %d; %s was archived with those of %d and %d",
			through, last.ID, archived.ID, archived.Through, archived.HeadID)
	}
	return nil
}
