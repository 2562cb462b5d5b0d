package science

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Lifelines is the life of a thread's hypotheses: which message added, edited or killed each of them, and where
// versions were published in between. Like its neighbours it is a register: Advance takes each message once, and a
// Snapshot never changes. The zero value is that of an empty thread.
type Lifelines struct {
	IDs      List[int64]   // of the messages, by place
	Versions List[Version] // that were published, by place
	Touches  List[Touch]   // of all hypotheses, oldest first
	Latest   List[int]     // by the number of a hypothesis: its latest touch, from 1; 0 for none
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
	Before    int `json:",omitzero"` // the touch before it of the same hypothesis, from 1; 0 for none
}

// Advance takes the next message of the thread.
func (r *Lifelines) Advance(s Step) {
	r.IDs.append(s.Message.ID)
	if s.Report.Type == protocol.TypeCompiled {
		if n := message.CompiledVersion(s.Message); n > 0 {
			r.Versions.append(Version{n, s.Place, s.Message.ID, s.Message.CreatedAt})
		}
	}
	for _, touch := range s.Report.Items {
		_, section, n, ok := artifact.ParseItemID(string(touch.Item))
		if ok && section == artifact.HypothesisSlate && touch.Kind != merge.KindOverruled {
			r.touch(n, Touch{Place: s.Place, MessageID: s.Message.ID, By: s.Report.From, Kind: touch.Kind})
		}
	}
}

// touch notes an event; an edit beside another event of the same message adds nothing.
func (r *Lifelines) touch(number int, t Touch) {
	t.Before = r.Latest.At(number)
	if t.Kind == merge.KindEdited && r.Touches.At(t.Before).Place == t.Place {
		return
	}
	r.Touches.append(t)
	r.Latest.put(number, r.Touches.Len())
}

// Place returns where a message is in the thread, from 1; 0 if it is not of the thread.
func (r *Lifelines) Place(id int64) int {
	if at, found := slices.BinarySearch(r.IDs.All(), id); found {
		return at + 1
	}
	return slices.Index(r.IDs.All(), id) + 1 // lines of a file need not be in the order of their ids
}

// Of returns what happened to a hypothesis, oldest first.
func (r *Lifelines) Of(id artifact.ItemID) []Touch {
	var list []Touch
	for at := r.Latest.At(id.Number()); at > 0; at = r.Touches.At(at).Before {
		list = append(list, r.Touches.At(at))
	}
	slices.Reverse(list)
	return list
}

// Snapshot returns the register as it is now. It is never changed by what the register learns later. A copy
// of the register may be taken as well until it learns something.
func (r *Lifelines) Snapshot() *Lifelines {
	return &Lifelines{r.IDs.snapshot(), r.Versions.snapshot(), r.Touches.snapshot(), r.Latest.snapshot()}
}
