package science

import (
	"encoding/binary"
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Lifelines is the life of a thread's hypotheses: which message added, edited or killed each of them, and where
// versions were published in between. Like its neighbours it is a register: Advance takes each message once, and a
// Snapshot never changes. The zero value is that of an empty thread. What happened is a log of a few bytes for each message, which
// only those read who show it: see Lives.
type Lifelines struct {
	Log      []byte        // for each message its id, after that of the one before, and its touches
	Last     int64         // the id of the last message
	Agents   []string      // whom the log names by their number
	Versions List[Version] // that were published, by place
	Latest   List[int]     // by the number of a hypothesis: where its latest touch is; 0 for none
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
func (r *Lifelines) Advance(s Step) {
	if s.Report.Type == protocol.TypeCompiled {
		if n := message.CompiledVersion(s.Message); n > 0 {
			r.Versions.append(Version{n, s.Place, s.Message.ID, s.Message.CreatedAt})
		}
	}
	r.Log = binary.AppendVarint(r.Log, s.Message.ID-r.Last)
	r.Last = s.Message.ID
	var room [32]byte
	count, touches := 0, room[:0]
	for _, touch := range s.Report.Items {
		_, section, n, ok := artifact.ParseItemID(string(touch.Item))
		if ok && section == artifact.HypothesisSlate && touch.Kind != merge.KindOverruled && r.touch(n, s.Place, touch.Kind) {
			count++
			touches = binary.AppendUvarint(touches, uint64(n)<<kindBits|uint64(touch.Kind))
		}
	}
	r.Log = binary.AppendUvarint(r.Log, uint64(count))
	if count > 0 {
		r.Log = append(binary.AppendUvarint(r.Log, r.agent(s.Report.From)), touches...)
	}
}

// kindBits is how many bits of a touch in the log say its kind; the others are the number of the hypothesis.
const kindBits = 2

// touch notes an event. It returns false for an edit beside another event of the same message, which adds nothing.
func (r *Lifelines) touch(number, place int, kind merge.ChangeKind) bool {
	if kind == merge.KindEdited && r.Latest.At(number) == place {
		return false
	}
	r.Latest.put(number, place)
	return true
}

// agent returns the number of an agent in the log.
func (r *Lifelines) agent(name string) uint64 {
	at := slices.Index(r.Agents, name)
	if at < 0 {
		at = len(r.Agents)
		r.Agents = append(r.Agents, name)
	}
	return uint64(at)
}

// Snapshot returns the register as it is now. It is never changed by what the register learns later. A copy
// of the register may be taken as well until it learns something.
func (r *Lifelines) Snapshot() *Lifelines {
	r.Log, r.Agents = slices.Clip(r.Log), slices.Clip(r.Agents)
	return &Lifelines{r.Log, r.Last, r.Agents, r.Versions.snapshot(), r.Latest.snapshot()}
}
