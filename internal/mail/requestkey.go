package mail

import (
	"context"
	"strconv"
	"sync/atomic"
)

type requestKey struct{}

// request is an act of a caller that may send several messages, and may be tried again as a whole.
type request struct {
	key  string
	sent atomic.Int64
}

// WithKey gives every message that Send sends under a context an idempotency key of its own, made from one key and
// the order of sending, unless it has one: an act that is tried again after its answer was lost sends nothing twice.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, requestKey{}, &request{key: key})
}

// NextKey is the key of the next message, or of several that are sent together, under a context; empty: none.
func NextKey(ctx context.Context) string {
	r, _ := ctx.Value(requestKey{}).(*request)
	if r == nil {
		return ""
	}
	return r.key + "/" + strconv.FormatInt(r.sent.Add(1), 10)
}
