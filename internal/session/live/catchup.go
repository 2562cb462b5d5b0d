package live

import (
	"context"
	"errors"

	"brenner/internal/fold"
	"brenner/internal/mail"
)

// errReplaced says that the log is not the one that was folded.
var errReplaced = errors.New("the log was replaced")

// catchUp folds the messages of a thread after a fold's position. Each page begins with the
// last message folded, so that a log that was replaced is noticed: errReplaced.
func (t *Threads[F, B]) catchUp(ctx context.Context, r mail.Reader, threadID string, f F) error {
	for limit := mail.FirstPage; ; {
		at := f.Position()
		messages, err := r.Messages(ctx, mail.MessageQuery{
			Project: t.project, Thread: threadID, After: max(at.Message-1, 0), Limit: limit,
		})
		if err != nil {
			return err
		}
		full := len(messages) == limit
		limit = max(mail.NextPage(messages), 2) // the first of them is known
		if at != (fold.Position{}) {
			if len(messages) == 0 || (fold.Position{Message: messages[0].ID, Chain: messages[0].ChainHash}) != at {
				return errReplaced
			}
			messages = messages[1:]
		}
		t.kind.Add(f, messages...)
		if !full {
			return nil
		}
	}
}
