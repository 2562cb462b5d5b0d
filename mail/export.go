package mail

import (
	"context"
	"errors"
	"io"
)

// Export writes a thread as JSON Lines, with all that an import or a verification needs.
// NOT_FOUND: there is no such thread.
func (s *Service) Export(ctx context.Context, thread string, w io.Writer) error {
	return s.walk(ctx, thread, func(page []Message) error {
		ids := make([]int64, len(page))
		for i := range page {
			ids[i] = page[i].ID
		}
		deliveries, err := s.store.Deliveries(ctx, DeliveryQuery{Project: s.project.ID, Messages: ids})
		if err != nil {
			return err
		}
		byMessage := map[int64][]Delivery{}
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
func (s *Service) Lines(ctx context.Context, thread string, last int64) ([]Line, error) {
	var lines []Line
	err := s.walk(ctx, thread, func(page []Message) error {
		for i := range page {
			if page[i].ID <= last {
				l := NewLine(&page[i], nil)
				l.ID, l.OriginalID = l.OriginID(), 0
				lines = append(lines, l)
			}
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

var errLastLine = errors.New("the last line was read")

// walk hands out a thread page by page, the message without thread that it answers first.
func (s *Service) walk(ctx context.Context, thread string, visit func(page []Message) error) error {
	if thread == "" { // would be every message
		return noThread(thread)
	}
	q := MessageQuery{Project: s.project.ID, Thread: thread, Limit: pageSize}
	for {
		page, err := s.store.Messages(ctx, q)
		if err != nil {
			return err
		}
		if q.After == 0 && len(page) == 0 {
			return noThread(thread)
		}
		if len(page) == 0 {
			return nil
		}
		if q.After == 0 {
			root, err := s.root(ctx, thread, &page[0])
			if err != nil {
				return err
			}
			if root != nil {
				page = append([]Message{*root}, page...)
			}
		}
		if err := visit(page); err != nil {
			return err
		}
		q.After = page[len(page)-1].ID
	}
}
