package ahead_test

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"brenner/internal/ahead"
)

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Results come in the order of the items, however long each takes.
func TestResultsComeInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 3, 1000} {
		got := slices.Collect(ahead.Map(slices.Values(numbers(n)), func(i int) int {
			for range (n - i) % 7 {
				runtime.Gosched()
			}
			return 2 * i
		}))
		if len(got) != n || !slices.IsSorted(got) || n > 0 && got[n-1] != 2*(n-1) {
			t.Errorf("%d items became %v", n, got)
		}
	}
}

// Work is bounded, and none of it goes on when the consumer has left.
func TestNothingRunsOn(t *testing.T) {
	var running, begun atomic.Int64
	for r := range ahead.Map(slices.Values(numbers(1000)), func(i int) int {
		running.Add(1)
		defer running.Add(-1)
		begun.Add(1)
		runtime.Gosched()
		return i
	}) {
		if r == 10 {
			break
		}
	}
	if running.Load() != 0 {
		t.Error("work goes on behind the consumer's back")
	}
	if most := int64(11 + 2*runtime.GOMAXPROCS(0)); begun.Load() > most {
		t.Errorf("%d of 1000 items were worked on for 11 results, want at most %d", begun.Load(), most)
	}
}
