package merge

import (
	"maps"
	"slices"
	"strings"

	"brenner/internal/kept"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Convener tells whether an agent convenes the thread (PROTOCOL 3). Completion, rounds and rebuttals take their weight
// from it.
func (s *State) Convener(agent string) bool {
	first := ""
	if len(s.openers.names) > 0 {
		first = s.openers.names[0]
	}
	return protocol.Convenes(first, agent)
}

// MayKickoff tells whether an agent may send the thread's next KICKOFF: the first is anybody's, a later one a convener's
// (PROTOCOL 3).
func (s *State) MayKickoff(agent string) bool { return len(s.openers.names) == 0 || s.Convener(agent) }

// HonoursHuman tells whether a DELTA[human] of an agent resolves conflicts: it does for a convener, for the sender of any
// KICKOFF, and for a sender that no roster of the thread names (PROTOCOL 3).
func (s *State) HonoursHuman(agent string) bool {
	return s.Convener(agent) || s.openers.has(agent) || !s.rostered.has(agent)
}

// Completes tells whether a message is the record of a completed session: exactly its subject, of a
// version that exists, from a convener (PROTOCOL 10).
func (s *State) Completes(from, subject string) bool {
	version, ok := message.CompletedVersion(subject)
	return ok && s.exists(version) && s.Convener(from)
}

// Closed tells whether the session is complete, and was not reopened by a convener's KICKOFF.
func (s *State) Closed() bool { return s.closed }

// nameSet is a set of agents' names, ignoring case, in the order of their first mention.
type nameSet struct {
	names []string // in lower case
	in    map[string]bool

	shared bool // with a fork: add copies first
}

func (n *nameSet) has(name string) bool { return n.in[strings.ToLower(name)] }

func (n *nameSet) add(name string) {
	if n.has(name) {
		return
	}
	name = strings.Clone(strings.ToLower(name))
	if n.shared {
		n.names, n.in, n.shared = slices.Clip(n.names), maps.Clone(n.in), false
	}
	if n.in == nil {
		n.in = make(map[string]bool)
	}
	n.in[name] = true
	n.names = append(n.names, name)
}

func (c *codec) nameSet(n *nameSet) {
	names := n.names
	kept.List(c.Form, &names, c.Text)
	if c.Reading() {
		for _, name := range names {
			n.add(name)
		}
	}
}
