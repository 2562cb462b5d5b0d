package transfer

import (
	"context"
	"errors"
	"io"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Export writes a thread as JSON Lines, with all that an import or a verification needs.
// NOT_FOUND: there is no such thread.
func Export(ctx context.Context, s *mail.Service, thread string, w io.Writer) error {
	return s.Walk(ctx, thread, func(page []mail.Message) error {
		ids := make([]int64, len(page))
		for i := range page {
			ids[i] = page[i].ID
		}
		deliveries, err := s.Store().Deliveries(ctx, mail.DeliveryQuery{Project: s.Project().ID, Messages: ids})
		if err != nil {
			return err
		}
		byMessage := map[int64][]mail.Delivery{}
		for _, d := range deliveries {
			byMessage[d.Message] = append(byMessage[d.Message], d)
		}
		for i := range page {
			if err := WriteLine(w, NewLine(&page[i], byMessage[page[i].ID])); err != nil {
				return err
			}
		}
		return nil
	})
}

// Lines returns a thread up to and with a message, as it travels everywhere: with origin ids, and without what
// became of the messages. Two stores that hold the same thread give the same lines. NOT_FOUND: there is
// no such thread.
func Lines(ctx context.Context, s *mail.Service, thread string, last int64) ([]Line, error) {
	var lines []Line
	cost := 0
	err := s.Walk(ctx, thread, func(page []mail.Message) error {
		for i := range page {
			if page[i].ID > last {
				continue
			}
			if cost += len(page[i].Body) + lineBytes; cost > maxFileBytes { // nobody could read it back
				return protocol.Errorf(protocol.InvalidInput, "%s has more than %d MiB of text: no file may cost as much",
					thread, maxFileBytes>>20)
			}
			lines = append(lines, travelling(&page[i]))
		}
		if page[len(page)-1].ID >= last {
			return errLastLine
		}
		return nil
	})
	if errors.Is(err, errLastLine) {
		err = nil
	}
	return lines, err
}

// travelling is the line of a message as Lines returns it.
func travelling(m *mail.Message) Line {
	l := NewLine(m, nil)
	l.ID, l.OriginalID = l.OriginID(), 0
	return l
}

var errLastLine = errors.New("the last line was read")
