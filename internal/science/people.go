package science

import (
	"slices"
	"strings"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Roll is what the messages of a thread say about the programs and models of its agents.
type Roll struct {
	Opener   string   // who sent the first KICKOFF
	Given    []Agent  // with what the latest roster of a convener says that gives them a program or a model
	Named    []string // whom a roster names
	Senders  []string // in order of appearance
	Version  int      // the latest that was published
	Compiled []Agent  // of whom its table of contributors says something
	Past     []Known  `json:",omitzero"` // what was known of the agents, and since when
}

// Known is what a thread told of its agents from a message on.
type Known struct {
	Mark
	Given    []Agent
	Named    []string
	Compiled []Agent
}

// Advance takes the next message of the thread.
func (r *Roll) Advance(s Step) {
	r.Senders = withName(r.Senders, s.Report.From)
	switch s.Report.Type {
	case protocol.TypeKickoff:
		r.kickoff(s)
		r.remember(s)
	case protocol.TypeCompiled:
		r.compiled(s.Message)
		r.remember(s)
	}
}

// remember keeps what is known from a message on, if it is something new.
func (r *Roll) remember(s Step) {
	r.Given, r.Named, r.Compiled = slices.Clip(r.Given), slices.Clip(r.Named), slices.Clip(r.Compiled)
	if last := len(r.Past) - 1; last >= 0 {
		old := &r.Past[last]
		if slices.Equal(old.Given, r.Given) && len(old.Named) == len(r.Named) && slices.Equal(old.Compiled, r.Compiled) {
			return
		}
	}
	r.Past = append(slices.Clip(r.Past), Known{s.mark(), r.Given, r.Named, r.Compiled})
}

func (r *Roll) kickoff(s Step) {
	if r.Opener == "" {
		r.Opener = s.Report.From
	}
	if s.Report.Text == nil {
		return
	}
	roster, ok := message.ParseSessionConfiguration(s.Report.Text.Document)
	if !ok {
		return
	}
	convener := protocol.Convenes(r.Opener, s.Report.From)
	for _, e := range roster.Entries {
		r.Named = withName(r.Named, e.AgentName)
		if !convener || e.Program+e.Model == "" {
			continue
		}
		r.Given = slices.DeleteFunc(slices.Clone(r.Given), func(a Agent) bool { return protocol.SameAgent(a.Name, e.AgentName) })
		r.Given = append(r.Given, Agent{Name: strings.Clone(e.AgentName), Program: strings.Clone(e.Program), Model: strings.Clone(e.Model)})
	}
}

// compiled takes the table of contributors of the latest version. Bodies of other makers say nothing of programs and models.
func (r *Roll) compiled(m *message.Message) {
	n := message.CompiledVersion(m)
	if n < r.Version || n == 0 {
		return
	}
	r.Version, r.Compiled = n, nil
	for _, c := range message.Contributions(m.Body) {
		if c.Program+c.Model != "" {
			r.Compiled = append(r.Compiled, Agent{Name: strings.Clone(c.Agent), Program: strings.Clone(c.Program),
				Model: strings.Clone(c.Model)})
		}
	}
}

// Unrostered are the senders whom no roster of the thread names.
func (r *Roll) Unrostered() []string {
	return slices.DeleteFunc(slices.Clone(r.Senders), func(name string) bool { return hasName(r.Named, name) })
}

func (r *Roll) snapshot() Roll {
	r.Named, r.Senders = slices.Clip(r.Named), slices.Clip(r.Senders)
	return *r
}

func hasName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return protocol.SameAgent(n, name) })
}

func withName(names []string, name string) []string {
	if hasName(names, name) {
		return names
	}
	return append(names, strings.Clone(name))
}

// People are the agents of a thread, as its messages and the registry describe them.
type People struct {
	roll       *Roll
	registered []Agent
	family     func(Agent) string
}

// People describes the agents of the thread. registered is what the registry says of them; family is Agent.Family with what the
// project file says.
func (s *State) People(registered []Agent, family func(Agent) string) People {
	return People{&s.Roll, registered, family}
}

// At are the agents as the thread cut behind a place describes them.
func (p People) At(place int) People {
	roll := &Roll{}
	for _, k := range slices.Backward(p.roll.Past) {
		if k.Place <= place {
			roll = &Roll{Given: k.Given, Named: k.Named, Compiled: k.Compiled}
			break
		}
	}
	return People{roll, p.registered, p.family}
}

// Agent describes an agent (SCIENCE 8, family): by the latest of a convener's rosters that gives it a program or a model; one
// that no roster names by the table of contributors of the latest version; else by the registry.
func (p People) Agent(name string) Agent {
	sources := [][]Agent{p.roll.Given, p.roll.Compiled, p.registered}
	if hasName(p.roll.Named, name) {
		sources = [][]Agent{p.roll.Given, p.registered}
	}
	for _, agents := range sources {
		for _, a := range agents {
			if protocol.SameAgent(a.Name, name) && a.Program+a.Model != "" {
				a.Name = name
				return a
			}
		}
	}
	return Agent{Name: name}
}

// Family is the family of an agent.
func (p People) Family(name string) string { return p.family(p.Agent(name)) }
