package session

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/prediction"
	"brenner/internal/protocol"
)

// Phase is how far a session has come (PROTOCOL 11).
type Phase string

// The phases.
const (
	PhaseKickoff    Phase = "kickoff"    // no delta yet
	PhaseCollecting Phase = "collecting" // deltas that no version covers
	PhaseCompiled   Phase = "compiled"
	PhaseCritique   Phase = "critique" // open critiques on the latest version
	PhaseComplete   Phase = "complete"
	PhaseArchived   Phase = "archived" // complete, and no longer in the store
)

// Over tells whether nobody is waited for any more.
func (p Phase) Over() bool { return p == PhaseComplete || p == PhaseArchived }

// Phase returns the phase of the session.
func (v *View) Phase() Phase {
	pending := v.Fold.Pending().Applied > 0
	switch {
	case v.Complete(): // only a KICKOFF reopens it, no late delta (PROTOCOL 10)
		return PhaseComplete
	case pending, v.latest() == 0 && v.Deltas > 0:
		return PhaseCollecting
	case v.latest() == 0:
		return PhaseKickoff
	case slices.ContainsFunc(v.Critiques, v.concernsLatest):
		return PhaseCritique
	default:
		return PhaseCompiled
	}
}

// concernsLatest tells whether a critique is open and attacks the latest version: the one it
// names, else the one that was the latest when it was sent.
func (v *View) concernsLatest(c Critique) bool {
	version := c.Target.Version
	if version == 0 {
		version = c.Version
	}
	return version >= v.latest() && v.Open(&c)
}

// Summary is what a list shows of a session.
type Summary struct {
	ThreadID      string               `json:"thread_id"`
	Phase         Phase                `json:"phase"`
	Round         int                  `json:"round"`
	LatestVersion int                  `json:"latest_version"`
	PendingDeltas int                  `json:"pending_deltas"`
	Roles         map[string]*RoleWork `json:"roles"`
	Acks          AckStatus            `json:"acks"`
	OpenCritiques []OpenCritique       `json:"open_critiques"`
	Findings      []protocol.Finding   `json:"findings"` // of the messages since the latest version
	More          int                  `json:"more"`     // of those, how many are counted only
	Question      string               `json:"question"`
	Bead          *Bead                `json:"bead"`
	Messages      int                  `json:"messages"`
	UpdatedAt     string               `json:"updated_at"`
	Persistence   Persistence          `json:"persistence"`
	Liveness      []AgentState         `json:"liveness"` // of those who take part
	Predictions   prediction.Counts    `json:"predictions"`

	Members []Member `json:"-"` // in the order of the roster, for their marks
}

// Status is the detail of one session with what a person would do before any test.
type Status struct {
	Detail
	First []ToDo `json:"first"`
}

// RoleWork is what the agents of a role have done.
type RoleWork struct {
	Agents []string `json:"agents"`
	Deltas int      `json:"deltas"` // accepted blocks
}

// AckStatus counts acknowledgements of the thread's messages.
type AckStatus struct {
	Required     int          `json:"required"`
	Acknowledged int          `json:"acknowledged"`
	Pending      []PendingAck `json:"pending"`
}

// PendingAck is an acknowledgement that is owed.
type PendingAck struct {
	MessageID int64   `json:"message_id"`
	Agent     string  `json:"agent"`
	Deadline  *string `json:"deadline"` // null: a reminder or imported mail has none
	Overdue   bool    `json:"overdue"`
	SettledBy *int64  `json:"settled_by"` // the message that settled it; null: none did
}

// OpenCritique is a challenge without an answer: a CRITIQUE message, or a C item.
type OpenCritique struct {
	MessageID int64   `json:"message_id"`
	Item      *string `json:"item"`
	From      string  `json:"from"`
	Severity  *string `json:"severity"`
	Title     string  `json:"title"`
	Target    *string `json:"target"`
	CreatedTS string  `json:"created_ts"`
	Promoted  bool    `json:"promoted"` // a CRITIQUE message and its item in one
}

// Critical tells whether it is of the gravest kind.
func (c OpenCritique) Critical() bool { return c.Severity != nil && message.Critical(*c.Severity) }

// Status looks at a session. NOT_FOUND: there is none.
func (s *Sessions) Status(ctx context.Context, threadID string) (Status, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return Status{}, err
	}
	d, err := s.detail(ctx, v, TimelineQuery{ThreadID: threadID})
	if err != nil {
		return Status{}, err
	}
	d.Bead = s.bead(ctx, threadID)
	first, err := s.first(ctx, v)
	return Status{d, first}, err
}

// bead looks up the issue that an engineering thread is named after, nil if there is none.
func (s *Sessions) bead(ctx context.Context, threadID string) *Bead {
	if s.settings.Bead == nil || protocol.KindOf(threadID) != protocol.Engineering {
		return nil
	}
	if bead, ok := s.settings.Bead(ctx, threadID); ok {
		return &bead
	}
	return nil
}

// summary is what the messages alone say.
func (v *View) summary() Summary {
	window := v.Fold.Window()
	return Summary{
		ThreadID: v.Fold.ThreadID(), Phase: v.Phase(), Round: v.Round, LatestVersion: v.latest(),
		PendingDeltas: window.Deltas.Applied, Roles: v.roles(), OpenCritiques: v.OpenCritiques(),
		Findings: protocol.NonNil(window.Findings), More: window.More, Question: v.Question,
		Messages: v.Messages, UpdatedAt: formatTime(v.Fold.UpdatedAt()),
		Predictions: v.Science.Predictions.Counts(&v.Science.Results), Members: v.members(),
	}
}

// roles counts accepted deltas by role; agents outside the roster count as "unassigned".
func (v *View) roles() map[string]*RoleWork {
	roles := map[string]*RoleWork{}
	work := func(role string) *RoleWork {
		if roles[role] == nil {
			roles[role] = &RoleWork{Agents: []string{}}
		}
		return roles[role]
	}
	if roster, ok := v.Fold.Roster(); ok {
		for _, e := range roster.Entries {
			w := work(roleName(string(e.Role)))
			w.Agents = append(w.Agents, e.AgentName)
		}
	}
	for _, d := range v.Fold.Contributors() {
		w := work(roleName(d.Role))
		w.Deltas += d.Deltas
		if !slices.ContainsFunc(w.Agents, func(a string) bool { return protocol.SameAgent(a, d.Agent) }) {
			w.Agents = append(w.Agents, d.Agent)
		}
	}
	return roles
}

func roleName(role string) string {
	if role == "" {
		return "unassigned"
	}
	return role
}

// ackStatus counts the deliveries of messages that ask for an acknowledgement.
func ackStatus(deliveries []mail.Delivery, pending []*mail.PendingAck) AckStatus {
	status := AckStatus{Pending: []PendingAck{}}
	for _, d := range deliveries {
		if d.Kind == mail.Bcc { // owes nothing
			continue
		}
		status.Required++
		if !d.Owes() {
			status.Acknowledged++
		}
	}
	for _, p := range pending {
		entry := PendingAck{MessageID: p.Message.ID, Agent: p.Agent, Overdue: p.Overdue}
		if p.SettledBy != 0 {
			entry.SettledBy = &p.SettledBy
		}
		if !p.Deadline.IsZero() {
			deadline := formatTime(p.Deadline)
			entry.Deadline = &deadline
		}
		status.Pending = append(status.Pending, entry)
	}
	return status
}

// OpenCritiques lists what waits for an answer: CRITIQUE messages, then C items that none of them was
// promoted to.
func (v *View) OpenCritiques() []OpenCritique {
	list := []OpenCritique{}
	joined := map[artifact.ItemID]bool{}
	for i := range v.Critiques {
		c := &v.Critiques[i]
		joined[c.Item] = true
		if v.Open(c) {
			list = append(list, c.entry())
		}
	}
	for _, it := range v.Fold.Artifact().Active(artifact.AdversarialCritique) {
		if openItem(it) && !joined[it.ID] {
			list = append(list, itemEntry(it))
		}
	}
	return list
}

// openItem tells whether a C item waits for an answer.
func openItem(it *artifact.Item) bool {
	return it.Active() && !settled(it.Text(artifact.CurrentStatus))
}

// settled: a C item is open until its status begins with one of these words (PROTOCOL 11).
func settled(status string) bool {
	status = strings.ToLower(strings.TrimSpace(status))
	return slices.ContainsFunc([]string{"resolved", "rejected", "accepted"}, func(word string) bool {
		return strings.HasPrefix(status, word)
	})
}

func (c *Critique) entry() OpenCritique {
	return OpenCritique{
		MessageID: c.MessageID, Item: protocol.OrNull(string(c.Item)), Promoted: c.Item != "", From: c.From, Severity: protocol.OrNull(c.Severity), Title: c.Title,
		Target: protocol.OrNull(targetText(c.Target)), CreatedTS: formatTime(c.CreatedAt),
	}
}

func itemEntry(it *artifact.Item) OpenCritique {
	id := string(it.ID)
	entry := OpenCritique{Item: &id, Title: it.Title()}
	if src := it.Source(artifact.Attack); src != nil {
		entry.MessageID, entry.From, entry.CreatedTS = src.MessageID, src.Agent, formatTime(src.At)
	}
	return entry
}

func targetText(t message.Target) string {
	var parts []string
	if t.Item != "" {
		parts = append(parts, t.Item)
	}
	if t.Section != "" {
		parts = append(parts, t.Section)
	}
	if t.Version > 0 {
		parts = append(parts, "v"+formatID(int64(t.Version)))
	}
	return strings.Join(parts, ", ")
}
