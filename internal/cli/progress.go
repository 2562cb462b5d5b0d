package cli

import (
	"fmt"
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
