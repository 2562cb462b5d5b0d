package runner

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"brenner/internal/turn"
)

// keptOutput is how much is kept of what a program prints to one file: half of it from the beginning, half
// from the end.
const keptOutput = 16 << 20

// squeezeSlack is room for the note in a file that was squeezed, which is not squeezed again.
const squeezeSlack = 1 << 10

// monitorPace is how often a runner looks at what a program prints.
const monitorPace = 200 * time.Millisecond

// weighPace is how often it is looked at what a silent program and the others have spent.
const weighPace = 2 * time.Second

// monitor watches a program while it works: that its output stays within bounds, and when it was last active.
type monitor struct {
	files      []string
	keep       int64
	still      time.Duration                           // how long it may be still; 0: as long as it likes
	acted      func(context.Context) (time.Time, bool) // when the agent last did something that it does not print
	size       int64
	lastActive time.Time

	out    string // the file that is metered
	read   int64  // so much of it was
	meter  turn.Meter
	spent  func(*turn.Turn) (string, bool) // hears what a turn has come to; true: it has to end, and why
	refuse func(*turn.Turn)                // hears whether its service refuses it
	why    string                          // it was ended

	weighed time.Time
}

// monitor starts the monitor of the program of an agent.
func (r *run) monitor(round int, p participant, rec *agentRecord) *monitor {
	prompt := r.folder.promptSize(round, p.name)
	return &monitor{
		out:    r.folder.output(round, p.name),
		spent:  func(t *turn.Turn) (string, bool) { return r.uses(p, t, prompt) },
		refuse: func(t *turn.Turn) { r.refused(p, rec, t) },
		files:  []string{r.folder.output(round, p.name), r.folder.file(round, p.name, ".err")}, keep: keptOutput, still: r.o.StalledAfter,
		acted: func(ctx context.Context) (time.Time, bool) { return r.lastAct(ctx, round, p.name) }, lastActive: time.Now(),
	}
}

// listen reads what the program has printed since. It is whole as long as the program works (see squeeze).
func (v *monitor) listen() (news bool) {
	f, err := os.Open(v.out)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= v.read {
		return false
	}
	n, _ := io.Copy(&v.meter, io.NewSectionReader(f, v.read, info.Size()-v.read)) // the rest is read at the next look
	v.read += n
	return n > 0
}

// look tells how the program has to end: it costs too much, its service does not know it, or it has been still for too long. Empty: it
// may go on. Failing to look is no reason to end it.
func (v *monitor) look(ctx context.Context, now time.Time) Ending {
	news := v.listen()
	if news {
		t := v.meter.Turn()
		v.refuse(t)
		if words, barred := t.Barred(""); barred && t.Format == "claude" {
			v.why = words
			return SignedOut
		}
	}
	if news || now.Sub(v.weighed) > weighPace { // others of the run spend too
		v.weighed = now
		if why, over := v.spent(v.meter.Turn()); over {
			v.why = why
			return OverBudget
		}
	}
	if v.stalled(ctx, now) {
		return Still
	}
	return ""
}

// stalled tells whether the program has been still for too long.
func (v *monitor) stalled(ctx context.Context, now time.Time) bool {
	var size int64
	for _, path := range v.files {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		size += info.Size()
		if info.Size() > 2*v.keep && punchHole(path, v.keep/2, info.Size()-v.keep/2) != nil {
			_ = squeeze(path, v.keep)
		}
	}
	if size != v.size {
		v.size, v.lastActive = size, now
	}
	if v.still == 0 || now.Sub(v.lastActive) < v.still {
		return false
	}
	if at, ok := v.acted(ctx); ok && at.After(v.lastActive) {
		v.lastActive = at
	}
	return now.Sub(v.lastActive) >= v.still
}

// over bounds the output of a program that has ended.
func (v *monitor) over() {
	for _, path := range v.files {
		_ = squeeze(path, v.keep) // what cannot be bounded is still there
	}
}

// squeeze leaves the beginning and the end of a file. A program that has it open goes on writing behind them, since
// output is opened for appending; what it writes in this very moment may be left out with the rest, so that this is
// done to files that are written to no more, or where nothing else helps.
func squeeze(path string, keep int64) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= keep+squeezeSlack || !info.Mode().IsRegular() {
		return err
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, info.Size()-keep/2, keep/2))
	if err != nil {
		return err
	}
	if at := bytes.IndexByte(tail, '\n'); at >= 0 {
		tail = tail[at+1:] // whole lines
	}
	if err := f.Truncate(keep / 2); err != nil {
		return err
	}
	note := fmt.Sprintf("\n… %d bytes were left out here …\n", info.Size()-keep/2-int64(len(tail)))
	_, err = f.Write(append([]byte(note), tail...))
	return err
}

// lastAct is when an agent last called a tool or wrote to the thread.
func (r *run) lastAct(ctx context.Context, round int, agent string) (time.Time, bool) {
	var last time.Time
	present, err := r.mail.Presences(ctx, agent)
	if err != nil {
		return last, false
	}
	for _, p := range present {
		for _, at := range []time.Time{p.LastCall, p.CallEnded, p.WaitingUntil} {
			if at.After(last) {
				last = at
			}
		}
	}
	if w, err := r.worked(ctx, round, agent); err == nil && w.last.After(last) {
		last = w.last
	}
	return last, !last.IsZero()
}
