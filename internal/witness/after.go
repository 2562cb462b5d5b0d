package witness

import (
	"context"
	"slices"
	"time"

	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

const (
	// patience is how long a checkpoint that nobody asked for may keep the answer to a letter.
	patience = 20 * time.Second
	// attempts is how often it is made again when another process moved the ref meanwhile.
	attempts = 5
)

// After makes a checkpoint with git when one of the messages, which are in the log, has a leaf of one of the kinds (checkpoint.on,
// SCIENCE 11). A failure is a finding: the messages stay.
func (k Keeper) After(ctx context.Context, kinds []journal.Kind, messages []mail.Message) []protocol.Finding {
	var of []int64
	for i := range messages {
		if slices.Contains(kinds, journal.Candidate(&messages[i].Message, messages[i].Type, nil)) {
			of = append(of, messages[i].ID)
		}
	}
	if len(of) == 0 {
		return nil
	}
	// Whoever sent the letter may be gone; the checkpoint is made all the same.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := k.after(ctx, kinds, of)
	for n := 1; n < attempts && protocol.CodeOf(err) == protocol.Conflict; n++ {
		err = k.after(ctx, kinds, of)
	}
	if err == nil {
		return nil
	}
	return []protocol.Finding{protocol.NewFinding(protocol.CodeOf(err),
		"the message is in the log, but no checkpoint of the journal was made: %v", err).
		As(protocol.SeverityWarning).WithFix("mend what is in the way, then make the checkpoint yourself")}
}

// after makes the checkpoint if the journal has a leaf of one of the kinds for one of the messages. A later KICKOFF, for one,
// starts nothing.
func (k Keeper) after(ctx context.Context, kinds []journal.Kind, messages []int64) error {
	tree, due := &journal.Tree{}, false
	if err := k.Mail.Leaves(ctx, func(l *mail.LeafRow) {
		tree.Add(l.Line())
		due = due || slices.Contains(kinds, l.Kind) && slices.Contains(messages, l.Message)
	}); err != nil || !due {
		return err
	}
	_, err := k.make(ctx, tree, Request{Git: true})
	return err
}
