package merge

import (
	"time"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

const sections = int(artifact.AdversarialCritique) + 1

// State is the fold of a thread's messages so far. It belongs to one goroutine.
type State struct {
	thread   string
	artifact *artifact.Artifact
	entries  [sections][]*entry // beside the artifact's items, by number
	uneven   []*entry           // those that may have overlays
	agents   directory
	seats    seating
	opening  opening // what the last KICKOFF said

	openers  nameSet // senders of KICKOFFs, the first one first
	rostered nameSet // whom the rosters of the thread name

	folded  int       // messages so far
	created time.Time // of the first message
	updated time.Time // of the last one that v(N) would cover
	closed  bool      // the session was completed

	roll
	contributors []contributor // by first contribution
	credits      map[int]int   // agent → place in contributors
	shorthands   []string      // by first contribution
	spoken       map[string]string

	versions  []Version
	numbers   map[int]int      // version → place in versions
	highest   int              // place of the version with the highest number
	since     int              // place of the last message that the latest version covers
	window    []*MessageReport // messages after it that have something to report
	pending   Counts           // of the window
	detail    int              // blocks and findings that the window keeps
	contested []contest        // units that several agents asked about in the window

	graveyard graveyard

	// What belongs to this state alone; the rest is shared with forks (fork.go).
	mark          *owner
	forked        bool           // nothing was folded since: nothing belongs to this state
	detached      [sections]bool // the slices of entries
	sealed        bool           // a fork has the artifact
	sharedCredits bool           // and contributors, credits, spoken
	sharedNumbers bool
}

// contest names a unit that may be in conflict.
type contest struct {
	item artifact.ItemID
	key  string
	path string
}

// New returns the state of a thread without messages.
func New(threadID string) *State {
	s := &State{thread: threadID, artifact: artifact.New(), mark: &owner{}}
	s.entries[artifact.ResearchThread] = []*entry{{item: s.artifact.Thread, owner: s.mark}}
	return s
}

// ThreadID is the thread that is folded.
func (s *State) ThreadID() string { return s.thread }

// Artifact returns the artifact as it is now. It is shared and changes with the next Fold:
// a caller that keeps it takes it from a Fork.
func (s *State) Artifact() *artifact.Artifact {
	s.level()
	return s.artifact
}

// Roster is the roster in force, from the last KICKOFF that had one.
func (s *State) Roster() (protocol.Roster, bool) { return s.seats.roster, s.seats.given }

// compiledPrefix begins the subject of every COMPILED message, and of nothing else: behind
// "Re: " it would be an INFO. The bodies of these messages are large, and the fold has no
// need to read them.
const compiledPrefix = string(protocol.TypeCompiled) + ":"

// Fold takes the next message of the thread, in the order of ids (PROTOCOL 1), and reports
// what it did.
func (s *State) Fold(m message.Message) MessageReport { return s.FoldRead(m, Read(&m)) }

// FoldRead is Fold for a message that was read before.
func (s *State) FoldRead(m message.Message, reading Reading) MessageReport {
	m.CreatedAt = m.CreatedAt.UTC()
	s.forked = false
	s.folded++
	if s.folded == 1 {
		s.created, s.updated = m.CreatedAt, m.CreatedAt
	}
	m.From = s.agents.spell(m.From).name
	r := &MessageReport{MessageID: m.ID, OriginID: m.OriginID(), From: m.From, Convener: s.Convener(m.From), place: s.folded}
	if reading.check == nil {
		r.Type = protocol.TypeCompiled
		s.foldCompiled(&m, r)
	} else {
		s.updated = m.CreatedAt
		s.take(&m, reading, r)
	}
	return s.keep(r)
}

// keep puts a report into the window if it has something to say, without its changes, and
// returns it with them.
func (s *State) keep(r *MessageReport) MessageReport {
	report := *r
	if r.Receipt != nil || len(r.Notes) > 0 || len(r.Items) > 0 {
		r.Changes, r.Text = nil, nil
		if s.detail+r.detail() > maxDetail {
			r.summarize()
		} else if r.Receipt != nil {
			r.Receipt = ownReceipt(r.Receipt)
		}
		s.detail += r.detail()
		s.window = append(s.window, r)
		s.pending.add(r)
	}
	return report
}
