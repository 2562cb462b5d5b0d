package mergetest

import (
	"fmt"
	"strings"
	"time"

	"brenner/internal/message"
	"brenner/internal/protocol"

	"pgregory.net/rapid"
)

// ThreadID is the thread of all messages made here.
const ThreadID = "RS-20251230-random-thread"

// Message is a random message; a DELTA's body can be made again from its blocks.
type Message struct {
	message.Message
	Head   string   // the body before the blocks
	Blocks []string // JSON texts, or what a careless author takes for one
}

// WithBlocks returns the message with other blocks.
func (m Message) WithBlocks(blocks []string) message.Message {
	var b strings.Builder
	b.WriteString(m.Head)
	for _, block := range blocks {
		fmt.Fprintf(&b, "\n```delta\n%s\n```\n", block)
	}
	out := m.Message
	out.Body = b.String()
	return out
}

// Messages returns the plain messages.
func Messages(thread []Message) []message.Message {
	list := make([]message.Message, len(thread))
	for i, m := range thread {
		list[i] = m.Message
	}
	return list
}

var agents = []string{"BlueLake", "GreenValley", "RedSky", "Operator", "bluelake", "GrayFox", "PinkHill"}

// Thread makes a thread of up to most messages.
func Thread(t *rapid.T, most int) []Message {
	g := &generator{t: t, now: time.Date(2025, 12, 30, 10, 0, 0, 0, time.UTC)}
	n := rapid.IntRange(1, most).Draw(t, "messages")
	for range n {
		g.message()
	}
	return g.thread
}

type generator struct {
	t       *rapid.T
	thread  []Message
	now     time.Time
	version int
	counts  [7]int // how many items may be there
}

// chance is true in n of 100 cases.
func (g *generator) chance(n int) bool { return rapid.IntRange(0, 99).Draw(g.t, "chance") < n }

func (g *generator) message() {
	if g.chance(45) {
		g.now = g.now.Add(time.Duration(rapid.IntRange(-1, 3).Draw(g.t, "seconds")) * time.Second)
	}
	m := Message{Message: message.Message{
		ID: int64(len(g.thread)*3 + 5), ThreadID: ThreadID, CreatedAt: g.now,
		From:   rapid.SampledFrom(agents).Draw(g.t, "from"),
		Intake: rapid.SampledFrom([]protocol.Intake{protocol.Strict, protocol.Lenient}).Draw(g.t, "intake"),
	}}
	switch kind := rapid.IntRange(0, 99).Draw(g.t, "kind"); {
	case kind < 75:
		g.delta(&m)
	case kind < 85:
		g.kickoff(&m)
	case kind < 95:
		g.compiled(&m)
	case kind < 97:
		m.Subject, m.Body = fmt.Sprintf("INFO: Session complete at v%d", g.version), "Done."
	default:
		m.Subject, m.Body = "CRITIQUE: of something", "# Critique\n\n## Target\n- **Artifact Version**: v1\n\n## Attack\nNo.\n"
	}
	g.thread = append(g.thread, m)
}

func (g *generator) kickoff(m *Message) {
	m.Subject = "KICKOFF: go"
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", rapid.SampledFrom([]string{"Title", "Other title", "Round 2 Kickoff"}).Draw(g.t, "title"))
	for _, section := range []string{"Research Question", "Context"} {
		if g.chance(70) {
			fmt.Fprintf(&b, "\n## %s\n%s\n", section, g.words())
		}
	}
	if g.chance(60) {
		b.WriteString("\n" + message.RenderSessionConfiguration(g.roster()))
	}
	m.Body = b.String()
}

func (g *generator) roster() protocol.Roster {
	r := protocol.Roster{Mode: protocol.ModeRoleSeparated}
	for _, agent := range agents[:4] {
		if g.chance(50) {
			r.Entries = append(r.Entries, protocol.RosterEntry{AgentName: agent, Role: protocol.RoleTestDesigner})
		}
	}
	if g.chance(50) {
		for i, j := 0, len(r.Entries)-1; i < j; i, j = i+1, j-1 {
			r.Entries[i], r.Entries[j] = r.Entries[j], r.Entries[i]
		}
	}
	return r
}

func (g *generator) compiled(m *Message) {
	g.version++
	m.Subject = fmt.Sprintf("COMPILED: v%d random", g.version)
	m.Body = fmt.Sprintf("# Compiled Artifact v%d\n", g.version)
	if n := len(g.thread); n > 0 && g.chance(30) {
		last := g.thread[rapid.IntRange(max(0, n-4), n-1).Draw(g.t, "through")]
		m.Body += fmt.Sprintf("\n## Metadata\n- **Through message**: #%d\n", last.ID)
	}
}

func (g *generator) words() string {
	return rapid.SampledFrom([]string{"one", "two", "three", "one and two", "", "<b>|`§1`"}).Draw(g.t, "words")
}

// Claims makes an ADD of a hypothesis, then messages of several agents that all edit its
// claim at one later instant, each agent once.
func Claims(t *rapid.T) []message.Message {
	at := time.Date(2025, 12, 30, 12, 0, 0, 0, time.UTC)
	delta := func(from, block string, at time.Time) message.Message {
		return message.Message{
			ThreadID: ThreadID, From: from, Subject: "DELTA[gpt]: claim", CreatedAt: at, Intake: protocol.Lenient,
			Body: "```delta\n" + block + "\n```\n",
		}
	}
	claims := []message.Message{delta("Operator",
		`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","claim":"old","mechanism":"m"}}`, at)}
	for _, agent := range rapid.Permutation([]string{"BlueLake", "GreenValley", "RedSky", "GrayFox", "PinkHill"}).Draw(t, "agents") {
		if rapid.Bool().Draw(t, "claims") {
			value := rapid.SampledFrom([]string{"old", "one", "two"}).Draw(t, "value")
			claims = append(claims, delta(agent,
				fmt.Sprintf(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":%q}}`, value),
				at.Add(time.Second)))
		}
	}
	return claims
}
