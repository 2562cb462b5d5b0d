package merge

import (
	"cmp"
	"fmt"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Window is the report on everything since the latest COMPILED message: what `compile` says
// about the version it would make (PROTOCOL 10).
type Window struct {
	Since        int // number of the latest version, 0 before the first
	Deltas       Counts
	Changes      Changes
	Contributors []Contributor
	Conflicts    []Conflict
	Findings     []protocol.Finding // of all messages; each names its message
	More         int                // findings that are counted only
	Messages     []*MessageReport   // those with something to report, without Changes
}

// Counts counts delta blocks: Found is Accepted plus Rejected, Accepted is Applied plus
// Skipped.
type Counts struct {
	Found    int `json:"found"`
	Accepted int `json:"accepted"`
	Rejected int `json:"rejected"`
	Applied  int `json:"applied"`
	Skipped  int `json:"skipped"`
}

// Changes lists the items that were added, edited and killed, in the order of the artifact.
// An item that was added and then edited is listed as added only.
type Changes struct {
	Added  []artifact.ItemID `json:"added"`
	Edited []artifact.ItemID `json:"edited"`
	Killed []artifact.ItemID `json:"killed"`
}

// Contributor is an agent with accepted blocks in the window.
type Contributor struct {
	Agent     string            `json:"agent"`
	Shorthand string            `json:"shorthand"`
	Deltas    int               `json:"deltas"` // accepted blocks
	Items     []artifact.ItemID `json:"items"`  // added, edited or killed
}

// Window returns the report on the open window. Its lists are never nil.
func (s *State) Window() Window {
	s.level()
	findings, more := findingsOf(s.window)
	return Window{
		Since:        s.latest().Number,
		Deltas:       s.pending,
		Changes:      changesOf(s.window),
		Contributors: s.contributorsOf(s.window),
		Conflicts:    s.conflicts(),
		Findings:     findings,
		More:         more,
		Messages:     slices.Clone(s.window),
	}
}

// Conflicts returns those of Window, without the work of the rest.
func (s *State) Conflicts() []Conflict {
	s.level()
	return s.conflicts()
}

// Reports are the messages of the open window that have something to report, oldest first: the Messages of
// Window, without the work of the rest. The slice is shared.
func (s *State) Reports() []*MessageReport { return slices.Clip(s.window) }

// Pending counts the delta blocks of the open window: the Deltas of Window, without the work of the rest.
func (s *State) Pending() Counts { return s.pending }

func countsOf(reports []*MessageReport) Counts {
	var c Counts
	for _, r := range reports {
		c.add(r)
	}
	return c
}

func (c *Counts) add(r *MessageReport) {
	if r.Receipt == nil {
		return
	}
	c.Found += r.Receipt.Found
	c.Accepted += r.Receipt.Accepted
	c.Rejected += r.Receipt.Rejected
	c.Applied += r.Applied
	c.Skipped += r.Skipped
}

func changesOf(reports []*MessageReport) Changes {
	var sets [KindKilled + 1]idSet
	for _, r := range reports {
		for _, t := range r.Items {
			sets[t.Kind].add(t.Item)
		}
	}
	return Changes{sets[KindAdded].ids(nil), sets[KindEdited].ids(&sets[KindAdded]), sets[KindKilled].ids(nil)}
}

// idSet is a set of item ids, by section and number.
type idSet [sections][]bool

func (s *idSet) add(id artifact.ItemID) {
	_, section, n, _ := artifact.ParseItemID(string(id))
	if n >= len(s[section]) {
		s[section] = append(s[section], make([]bool, n+1-len(s[section]))...)
	}
	s[section][n] = true
}

func (s *idSet) has(section, n int) bool { return n < len(s[section]) && s[section][n] }

// ids lists the set in the order of the artifact, without those of another set.
func (s *idSet) ids(without *idSet) []artifact.ItemID {
	list := []artifact.ItemID{}
	for section := range s {
		for n, in := range s[section] {
			if in && (without == nil || !without.has(section, n)) {
				list = append(list, artifact.NewItemID(artifact.Section(section), n))
			}
		}
	}
	return list
}

func compareIDs(a, b artifact.ItemID) int {
	_, as, an, _ := artifact.ParseItemID(string(a))
	_, bs, bn, _ := artifact.ParseItemID(string(b))
	return cmp.Or(cmp.Compare(as, bs), cmp.Compare(an, bn))
}

// contributorsOf lists who had accepted blocks, by first contribution in the window.
func (s *State) contributorsOf(reports []*MessageReport) []Contributor {
	list := []Contributor{}
	places := make(map[int]int)
	var items []*idSet
	for _, r := range reports {
		if r.Receipt == nil || r.Receipt.Accepted == 0 {
			continue
		}
		agent := s.agents.place(r.From)
		at, known := places[agent]
		if !known {
			at = len(list)
			places[agent] = at
			items = append(items, &idSet{})
			list = append(list, Contributor{Agent: r.From, Shorthand: r.Shorthand})
		}
		list[at].Deltas += r.Receipt.Accepted
		for _, t := range r.Items {
			items[at].add(t.Item)
		}
	}
	for at := range list {
		list[at].Items = items[at].ids(nil)
	}
	return list
}

// maxWindowFindings is how many findings the report on a window lists.
const maxWindowFindings = 5000

// findingsOf gathers the findings of all messages, as many of each as an answer lists, and counts
// the rest. A line alone would say nothing here: each finding begins with its message, and its
// block where it has one.
func findingsOf(reports []*MessageReport) (list []protocol.Finding, more int) {
	list = []protocol.Finding{}
	var told []*MessageReport // those with findings: of a long window few have any
	for _, r := range reports {
		if n := r.findings(); n > 0 {
			told, more = append(told, r), more+n
		}
	}
	room := protocol.NewRoom(maxWindowFindings, func(count func(protocol.Finding)) {
		for _, r := range told {
			for f := range r.listed() {
				count(f)
			}
		}
	})
	for _, r := range told {
		for f := range r.listed() {
			if room.Take(f) {
				list = append(list, f)
			}
		}
	}
	return list, more - len(list)
}

// findings is how many findings the message has, listed or not.
func (r *MessageReport) findings() int {
	n := len(r.Notes) + r.MoreNotes
	if r.Receipt != nil {
		n += r.Receipt.MoreFindings
		for i := range r.Receipt.Blocks {
			n += len(r.Receipt.Blocks[i].Findings)
		}
	}
	return n
}

// listed goes through the findings that an answer lists of the message.
func (r *MessageReport) listed() func(yield func(protocol.Finding) bool) {
	return func(yield func(protocol.Finding) bool) {
		room := protocol.NewRoom(protocol.MaxListed, func(count func(protocol.Finding)) {
			for f := range r.each() {
				count(f.Finding)
			}
		})
		for f := range r.each() {
			if room.Take(f.Finding) && !yield(f.named(r.MessageID)) {
				return
			}
		}
	}
}

// blockFinding is a finding with its block, 0 for one about the whole message.
type blockFinding struct {
	protocol.Finding
	block int
}

func (f blockFinding) named(message int64) protocol.Finding {
	if f.block > 0 {
		f.Message = fmt.Sprintf("Message %d, block %d: %s", message, f.block, f.Message)
	} else {
		f.Message = fmt.Sprintf("Message %d: %s", message, f.Message)
	}
	return f.Finding
}

func (r *MessageReport) each() func(yield func(blockFinding) bool) {
	return func(yield func(blockFinding) bool) {
		if r.Receipt != nil {
			for i := range r.Receipt.Blocks {
				b := &r.Receipt.Blocks[i]
				for _, f := range b.Findings {
					if !yield(blockFinding{f, b.Index}) {
						return
					}
				}
			}
		}
		for _, f := range r.Notes {
			if !yield(blockFinding{f, 0}) {
				return
			}
		}
	}
}
