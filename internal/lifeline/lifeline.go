// Package lifeline keeps how the hypotheses of a thread came about: which message added, edited or
// killed each of them, and where versions were published in between. Like its neighbours it is a register:
// Advance takes each message once, and a Snapshot never changes.
package lifeline

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/experiment"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Register is the life of a thread's hypotheses. The zero value is that of an empty thread.
type Register struct {
	IDs        []int64   // of the messages, by place
	Versions   []Version // that were published, by place
	Hypotheses [][]Touch // by number; what happened to each, oldest first

	shared bool // Hypotheses belongs to a snapshot as well
}

// Version is a COMPILED message.
type Version struct {
	Number    int
	Place     int
	MessageID int64
	At        time.Time
}

// Touch is what one message did to a hypothesis.
type Touch struct {
	Place     int
	MessageID int64
	By        string
	Kind      merge.ChangeKind
}

// Advance takes the next message of the thread.
func (r *Register) Advance(s experiment.Step) {
	r.IDs = append(r.IDs, s.Message.ID)
	if s.Report.Type == protocol.TypeCompiled {
		if n := message.CompiledVersion(s.Message); n > 0 {
			r.Versions = append(r.Versions, Version{n, s.Place, s.Message.ID, s.Message.CreatedAt})
		}
	}
	for _, touch := range s.Report.Items {
		_, section, n, ok := artifact.ParseItemID(string(touch.Item))
		if ok && section == artifact.HypothesisSlate && touch.Kind != merge.KindOverruled {
			r.touch(n, Touch{s.Place, s.Message.ID, s.Report.From, touch.Kind})
		}
	}
}

// touch notes an event; an edit beside another event of the same message adds nothing.
func (r *Register) touch(number int, t Touch) {
	r.own()
	for len(r.Hypotheses) < number {
		r.Hypotheses = append(r.Hypotheses, nil)
	}
	events := r.Hypotheses[number-1]
	if n := len(events); n > 0 && events[n-1].Place == t.Place && t.Kind == merge.KindEdited {
		return
	}
	r.Hypotheses[number-1] = append(events, t)
}

// own makes the lists the register's own before it changes them: each is copied by the next append, once.
func (r *Register) own() {
	if !r.shared {
		return
	}
	r.Hypotheses, r.shared = slices.Clone(r.Hypotheses), false
	for i := range r.Hypotheses {
		r.Hypotheses[i] = slices.Clip(r.Hypotheses[i])
	}
}

// Place returns where a message is in the thread, from 1; 0 if it is not of the thread.
func (r *Register) Place(id int64) int {
	if at, found := slices.BinarySearch(r.IDs, id); found {
		return at + 1
	}
	return slices.Index(r.IDs, id) + 1 // lines of a file need not be in the order of their ids
}

// Of returns what happened to a hypothesis, oldest first.
func (r *Register) Of(id artifact.ItemID) []Touch {
	if n := id.Number(); n > 0 && n <= len(r.Hypotheses) {
		return r.Hypotheses[n-1]
	}
	return nil
}

// Snapshot returns the register as it is now. It is never changed by what the register learns later. A copy
// of the register may be taken as well until it learns something.
func (r *Register) Snapshot() *Register {
	r.IDs, r.Versions, r.shared = slices.Clip(r.IDs), slices.Clip(r.Versions), true
	copied := *r
	return &copied
}
