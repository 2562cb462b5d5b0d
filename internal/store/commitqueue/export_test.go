package commitqueue

// Waiting is how many calls are in the queue.
func Waiting[Tx any](q *Queue[Tx]) int { return len(q.calls) }
