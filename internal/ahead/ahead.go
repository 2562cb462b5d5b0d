// Package ahead does work on all cores ahead of a consumer that takes the results in order.
package ahead

import (
	"iter"
	"runtime"
)

// Map yields f of each item, in the order of the items. f runs in goroutines of Map's own, a few items ahead
// of the consumer; all of them have ended when the loop over the results ends. The items are asked for by the
// consumer's goroutine. An item should be worth some microseconds of work.
func Map[T, R any](items iter.Seq[T], f func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		most := 2 * runtime.GOMAXPROCS(0)
		pending := make([]chan R, 0, most) // oldest first
		defer func() {
			for _, result := range pending {
				<-result
			}
		}()
		first := func() bool {
			r := <-pending[0]
			pending = append(pending[:0], pending[1:]...)
			return yield(r)
		}
		for item := range items {
			if len(pending) == most && !first() {
				return
			}
			result := make(chan R, 1)
			go func() { result <- f(item) }()
			pending = append(pending, result)
		}
		for len(pending) > 0 {
			if !first() {
				return
			}
		}
	}
}
