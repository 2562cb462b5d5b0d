package markup

import "sync/atomic"

// watcher hears of every text that is parsed. It is nil outside of tests that count.
var watcher atomic.Pointer[func(text string)]

// Watch has a function told of every text that is parsed, from any goroutine, until stop is called. Tests count with it how often
// a request parses the same message; no result depends on it.
func Watch(told func(text string)) (stop func()) {
	watcher.Store(&told)
	return func() { watcher.Store(nil) }
}

func watched(text string) {
	if told := watcher.Load(); told != nil {
		(*told)(text)
	}
}
