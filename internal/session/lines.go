package session

import (
	"io"
	"slices"
	"strings"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/protocol"
)

// maxFolded is how many messages of a file are folded at a time.
const maxFolded = 1000

// FoldLines folds the message lines of one thread, in the order in which an import would take them. It needs no store. Where a finding
// is an error nothing is folded, and there is no view.
func FoldLines(r io.Reader) (*fold.View, []protocol.Finding, error) {
	lines, findings, err := transfer.ReadLines(r)
	if err != nil || protocol.HasErrors(findings) {
		return nil, findings, err
	}
	thread, err := oneThread(lines)
	if err != nil {
		return nil, findings, err
	}
	view := fold.NewDraft(thread)
	messages := make([]mail.Message, 0, maxFolded)
	for page := range slices.Chunk(transfer.Arrange(lines), maxFolded) {
		messages = messages[:0]
		for i := range page {
			messages = append(messages, mail.Message{Message: page[i].Message()})
			page[i].Body = "" // what matters of it is folded
		}
		Fold(view, messages...)
	}
	return view, findings, nil
}

// oneThread returns the thread of all lines; lines of several are an error that names them.
func oneThread(lines []transfer.Line) (string, error) {
	var threads []string
	for i := range lines {
		if id := lines[i].ThreadID; !slices.Contains(threads, id) {
			threads = append(threads, id)
		}
	}
	switch len(threads) {
	case 0:
		return "", protocol.Errorf(protocol.InvalidInput, "the thread file has no messages")
	case 1:
		return threads[0], nil
	}
	return "", protocol.Errorf(protocol.InvalidInput, "the file holds messages of %d threads (%s); compile takes one",
		len(threads), strings.Join(threads, ", "))
}
