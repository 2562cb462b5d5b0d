package mail

import "context"

// Walk hands out a thread page by page, the message without thread that it answers first. NOT_FOUND: there is no such
// thread.
func (s *Service) Walk(ctx context.Context, thread string, visit func(page []Message) error) error {
	if thread == "" { // would be every message
		return NoThread(thread)
	}
	q := MessageQuery{Project: s.project.ID, Thread: thread, Limit: FirstPage}
	for {
		page, err := s.store.Messages(ctx, q)
		if err != nil {
			return err
		}
		if q.After == 0 && len(page) == 0 {
			return NoThread(thread)
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
		q.After, q.Limit = page[len(page)-1].ID, NextPage(page)
	}
}
