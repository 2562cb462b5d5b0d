package session

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// RoundMessage is a message of a session with what the session knows of it.
type RoundMessage struct {
	mail.Message
	Round  int           // to which it belongs (PROTOCOL 11, round)
	Calls  bool          // it is a KICKOFF that a convener sent: its recipients are asked to contribute
	Merged *Contribution // of a DELTA with blocks; nil for every other message
}

// Contribution is what became of the blocks of a DELTA.
type Contribution struct {
	Receipt  *delta.Receipt // of the merge
	Readable int            // blocks that the door accepts, whatever the merge made of them
	Blocks   []BlockText
}

// BlockText is a block with its text.
type BlockText struct {
	delta.Block
	Raw  string
	Text string // without the blanks that say nothing
}

// RoundMessages returns the messages of the session behind a message, with the rounds to which they belong.
func (s *Session) RoundMessages(ctx context.Context, after int64) ([]RoundMessage, error) {
	found, err := s.of.store().Messages(ctx, mail.MessageQuery{Project: s.of.project(), Thread: s.Thread.ID, After: after})
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(m mail.Message) bool { return m.ID > s.View.Head }) // they belong to the next revision
	receipts, err := s.mergedDeltas(ctx, found)
	if err != nil {
		return nil, err
	}
	list := make([]RoundMessage, len(found))
	for i := range found {
		m := &found[i]
		list[i] = RoundMessage{Message: *m, Round: s.View.Settled.At(m.ID), Calls: m.Type == protocol.TypeKickoff &&
			s.View.Fold.Convener(m.From)}
		if m.Type == protocol.TypeDelta {
			list[i].Merged = contributionOf(m, receipts[m.ID])
		}
	}
	return list, nil
}

// mergedDeltas asks what the merge made of the DELTAs among messages.
func (s *Session) mergedDeltas(ctx context.Context, messages []mail.Message) (map[int64]*delta.Receipt, error) {
	deltas := slices.DeleteFunc(slices.Clone(messages), func(m mail.Message) bool { return m.Type != protocol.TypeDelta })
	if len(deltas) == 0 {
		return nil, nil
	}
	return s.Merged(ctx, deltas)
}

func contributionOf(m *mail.Message, merged *delta.Receipt) *Contribution {
	checked := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
	if checked.Receipt == nil {
		return nil
	}
	if merged == nil {
		merged = checked.Receipt
	}
	return &Contribution{Receipt: merged, Readable: checked.Receipt.Accepted, Blocks: blockTexts(checked.Document, merged)}
}

// blockTexts puts the receipt of each block beside its text.
func blockTexts(doc *markup.Document, receipt *delta.Receipt) []BlockText {
	var list []BlockText
	for _, f := range doc.Fences() { // both are in the order of the text
		if len(list) == len(receipt.Blocks) || receipt.Blocks[len(list)].Line != f.Line {
			continue
		}
		b := BlockText{Block: receipt.Blocks[len(list)], Raw: f.Content, Text: strings.TrimSpace(f.Content)}
		var compact bytes.Buffer
		if json.Compact(&compact, []byte(f.Content)) == nil {
			b.Text = compact.String()
		}
		list = append(list, b)
	}
	return list
}
