package science

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
)

// Step is one message of a thread as the registers see it: the message, what the merge did with
// it, and the artifact after it. Registers only read the artifact and keep none of it.
type Step struct {
	Place    int // of the message in the thread, from 1
	Message  *message.Message
	Report   *merge.MessageReport
	Artifact *artifact.Artifact
}

// Touched returns the items of a section that the message added, edited or killed, each once,
// as they are after it.
func (s *Step) Touched(section artifact.Section) []*artifact.Item {
	var items []*artifact.Item
	var seen map[*artifact.Item]bool // once there are many
	for _, t := range s.Report.Items {
		it := s.Artifact.Item(t.Item)
		if it == nil || it.Section != section || seen[it] || seen == nil && slices.Contains(items, it) {
			continue
		}
		if items = append(items, it); len(items) == few {
			seen = make(map[*artifact.Item]bool, 2*few)
			for _, other := range items {
				seen[other] = true
			}
		} else if seen != nil {
			seen[it] = true
		}
	}
	return items
}

// few is how many items are found faster by looking at each.
const few = 16
