package runner

// EventKind is a step of a run.
type EventKind string

// The steps, in the order in which they come.
const (
	RoundBegun    EventKind = "round_begun"    // its kickoffs are there
	AgentAdopted  EventKind = "agent_adopted"  // a program of an earlier runner is still at work
	AgentStarting EventKind = "agent_starting" // about to be started
	AgentStarted  EventKind = "agent_started"
	AgentEnded    EventKind = "agent_ended"
	AgentResting  EventKind = "agent_resting" // its service takes no more for now
	Posting       EventKind = "posting"       // about to post what an agent printed
	Posted        EventKind = "posted"
	Compiling     EventKind = "compiling"
	Compiled      EventKind = "compiled"
	RoundEnded    EventKind = "round_ended" // it is judged what comes next
	Opening       EventKind = "opening"     // about to send the kickoffs of the next round
	Paused        EventKind = "paused"      // by a person, whom Text names
	Asking        EventKind = "asking"      // a person, whether this round is to be played
	Ended         EventKind = "ended"
)

// Event is something that a run did or is about to do.
type Event struct {
	Kind  EventKind
	Round int
	Agent string
	Text  string
}

// tell passes an event on, one at a time.
func (r *run) tell(e Event) {
	if r.o.Tell == nil {
		return
	}
	r.telling.Lock()
	defer r.telling.Unlock()
	r.o.Tell(e)
}
