package transfer

import (
	"cmp"
	"slices"
)

// Arrange brings lines that arrive together into the order in which they are taken in (PROTOCOL
// 1): by time, then by original id; but lines of our own export keep their order,
// which is that of their thread. Threads are woven together by time.
func Arrange(lines []Line) []Line {
	if inOrder(lines) {
		return lines
	}
	type stream struct {
		thread   string
		exported bool
	}
	queues := map[stream][]Line{}
	var names []stream
	for _, l := range lines {
		s := stream{l.ThreadID, l.Exported()}
		if queues[s] == nil {
			names = append(names, s)
		}
		queues[s] = append(queues[s], l)
	}
	h := make(lineHeap, 0, len(names))
	for _, s := range names {
		if !s.exported {
			slices.SortStableFunc(queues[s], func(a, b Line) int { return compareLines(&a, &b) })
		}
		h.push(queues[s])
	}
	ordered := make([]Line, 0, len(lines))
	for len(h) > 0 {
		ordered = append(ordered, h.next())
	}
	return ordered
}

// inOrder tells whether lines are arranged already, as those of one thread mostly are.
func inOrder(lines []Line) bool {
	for i := 1; i < len(lines); i++ {
		a, b := &lines[i-1], &lines[i]
		if a.ThreadID != b.ThreadID || a.Exported() != b.Exported() || !a.Exported() && compareLines(a, b) > 0 {
			return false
		}
	}
	return true
}

func compareLines(a, b *Line) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.OriginID(), b.OriginID()), cmp.Compare(a.Number, b.Number))
}

// lineHeap is a heap of queues by their first line.
type lineHeap [][]Line

func (h lineHeap) less(i, j int) bool { return compareLines(&h[i][0], &h[j][0]) < 0 }

func (h *lineHeap) push(queue []Line) {
	*h = append(*h, queue)
	for i := len(*h) - 1; i > 0 && h.less(i, (i-1)/2); i = (i - 1) / 2 {
		(*h)[i], (*h)[(i-1)/2] = (*h)[(i-1)/2], (*h)[i]
	}
}

// next takes the first line of the first queue.
func (h *lineHeap) next() Line {
	q := *h
	line := q[0][0]
	if q[0] = q[0][1:]; len(q[0]) == 0 {
		q[0] = q[len(q)-1]
		*h = q[:len(q)-1]
	}
	h.sink()
	return line
}

func (h lineHeap) sink() {
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(h) && h.less(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
