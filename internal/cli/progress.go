package cli

import (
	"fmt"
	"sync"
	"time"
)

// progress tells a person at a terminal how far long work has come, on one line that goes away
// when the work is done. It says nothing for the first moments, and nothing into pipes.
type progress struct {
	app   *app
	doing string
	next  time.Time
	shown bool
}

const progressPace = 200 * time.Millisecond

func (a *app) progress(doing string) *progress {
	return &progress{app: a, doing: doing, next: time.Now().Add(progressPace)}
}

// at shows that n things are done, unless that was said just now.
func (p *progress) at(n int) {
	if !p.app.streams.ErrIsTerminal || p.app.flags.quiet || time.Now().Before(p.next) {
		return
	}
	p.next = time.Now().Add(progressPace)
	p.shown = true
	fmt.Fprintf(p.app.streams.Err, "\r%s… %d\x1b[K", p.doing, n)
}

// done clears the line.
func (p *progress) done() {
	if p.shown {
		fmt.Fprint(p.app.streams.Err, "\r\x1b[K")
	}
}

// busyAfter is how long a command may be silent before it says that it is still at work.
const busyAfter = time.Second

// busy tells a person at a terminal how long work goes on that cannot be counted. stop ends it and
// clears the line; it must be called before anything is printed.
func (a *app) busy(doing string) (stop func()) {
	if !a.streams.ErrIsTerminal || a.flags.quiet {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		a.tick(doing, quit)
	}()
	return sync.OnceFunc(func() {
		close(quit)
		<-done
	})
}

func (a *app) tick(doing string, quit <-chan struct{}) {
	begin, shown := time.Now(), false
	ticker := time.NewTicker(busyAfter)
	defer ticker.Stop()
	for {
		select {
		case <-quit:
			if shown {
				fmt.Fprint(a.streams.Err, "\r\x1b[K")
			}
			return
		case now := <-ticker.C:
			shown = true
			fmt.Fprintf(a.streams.Err, "\r%s… %d s\x1b[K", doing, int(now.Sub(begin).Seconds()))
		}
	}
}
