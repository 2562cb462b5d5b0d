package mail

import "context"

// Waited is what a wait came to. Both empty: the time is over.
type Waited struct {
	Mail  []Received // oldest first
	Taken []int64    // what came meanwhile and another call for the agent fetched, oldest first
}

// Done tells whether there is something to say before the time is over.
func (w *Waited) Done() bool { return len(w.Mail)+len(w.Taken) > 0 }

// Newest returns the id of the last message of a selection, 0 if there is none. Who waits asks before the first look: Taken
// tells what became of mail that came later.
func (s *Service) Newest(ctx context.Context, q InboxQuery) (int64, error) {
	newest, err := s.Inbox(ctx, InboxQuery{Agent: q.Agent, Thread: q.Thread, Types: q.Types, Limit: 1})
	if err != nil || len(newest) == 0 {
		return 0, err
	}
	return newest[0].Message.ID, nil
}

// maxTaken is how many messages that were taken are named.
const maxTaken = 100

// Taken returns the messages of a selection after an id that were fetched by somebody, oldest first: of several waiters
// for one agent one gets a message, and the others hear of it. Ids are compared and no times, which differ between nodes.
func (s *Service) Taken(ctx context.Context, q InboxQuery, after int64) ([]int64, error) {
	came, err := s.Inbox(ctx, InboxQuery{Agent: q.Agent, Thread: q.Thread, Types: q.Types, After: after, Oldest: true, Limit: maxTaken})
	var taken []int64
	for i := range came {
		if came[i].Delivery.State() >= Delivered && !came[i].Message.Imported { // an import comes with what was done elsewhere
			taken = append(taken, came[i].Message.ID)
		}
	}
	return taken, err
}
