package journal

import (
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Recorder gives the messages of a project their leaves, in the order of the store's ids.
type Recorder struct {
	Head
	stories map[string]*Story
}

// Letter is a message as the recorder needs it.
type Letter struct {
	*message.Message
	Type    protocol.MessageType
	Version int
	Chain   string // its chain hash
	Time    string // its created_ts
}

// Next is the leaf of the next message, if it has one. A candidate kind that is known already spares reading its text.
func (r *Recorder) Next(m Letter, candidate Kind) (Leaf, bool) {
	if m.ThreadID == "" {
		return Leaf{}, false
	}
	if r.stories == nil {
		r.stories = map[string]*Story{}
	}
	story := r.stories[m.ThreadID]
	if story == nil {
		story = &Story{}
		r.stories[m.ThreadID] = story
	}
	kind := story.Kind(candidate, m.Message)
	defer story.Tell(m.From, m.Type, m.Version, kind)
	if kind == None {
		return Leaf{}, false
	}
	return r.Head.Next(m.Leaf(kind), story), true
}

// Leaf is what the message itself says of its leaf.
func (m Letter) Leaf(kind Kind) Leaf {
	return Leaf{
		ThreadID: m.ThreadID, MessageID: m.OriginID(), ChainHash: m.Chain, Kind: kind, At: m.Time, Imported: m.Imported,
	}
}
