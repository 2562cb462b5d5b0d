package mail

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"brenner/internal/canon"
	"brenner/internal/protocol"
)

// Registration asks for an agent to take part.
type Registration struct {
	Name                 string // empty or unusable: one is assigned
	Program, Model, Task string // empty: what is registered stays
	Operator             bool   // the caller has proved to be the operator
	Appointed            bool   // another agent registers it: that is no sign of it
}

// Register makes an agent, or brings one that is there up to date and back from retirement. A
// well-formed name is honoured as it is, ignoring case; of another the safe characters are kept unless
// that is the name of another agent; otherwise a name is assigned (NameFindings says so).
//
// The name of the operator convenes every thread: where agents have tokens, only a caller who proved to be
// the operator registers it (PROTOCOL 3); NOT_ALLOWED otherwise.
// Names are identifiers (PROTOCOL 16). INVALID_INPUT: a program or model is none, or a name could be a
// flag or a command.
func (s *Service) Register(ctx context.Context, r Registration) (Agent, error) {
	if err := r.check(); err != nil {
		return Agent{}, err
	}
	if err := s.mayRegister(ctx, r); err != nil {
		return Agent{}, err
	}
	for {
		a, err := s.register(ctx, r)
		if protocol.CodeOf(err) != protocol.Conflict {
			return a, err
		}
		// Another caller registered the same name meanwhile: take it as it is now, or another.
	}
}

func (r Registration) check() error {
	findings := append(protocol.CheckIdentifier(r.Program, "program"), protocol.CheckIdentifier(r.Model, "model")...)
	// A name that is merely decorated is cleaned; one that could be a flag or a command is not meant as a name.
	if name := strings.TrimSpace(r.Name); strings.HasPrefix(name, "-") || strings.HasPrefix(name, "_") ||
		strings.ContainsAny(name, "$`;|&<>(){}[]\\'\"") || strings.ContainsFunc(name, unicode.IsControl) {
		findings = append(findings, protocol.CheckIdentifier(name, "name")...)
	}
	if len(findings) == 0 {
		return nil
	}
	return protocol.Errorf(protocol.InvalidInput, "%s", findings[0].Message).WithFindings(findings)
}

func (s *Service) mayRegister(ctx context.Context, r Registration) error {
	if r.Operator || !protocol.SameAgent(SafeName(r.Name), Operator) {
		return nil
	}
	inUse, err := s.tokensInUse(ctx)
	if err == nil && inUse {
		err = protocol.Errorf(protocol.NotAllowed, "%s is the operator's name: registering it takes the operator's token", Operator)
	}
	return err
}

// tokensInUse tells whether bearer tokens were given: in notes, or by an earlier release with an agent.
func (s *Service) tokensInUse(ctx context.Context) (bool, error) {
	notes, err := s.store.Notes(ctx, NoteQuery{Project: s.project.ID, Kind: TokenNotes, At: s.Now(), Limit: 1})
	if err != nil || len(notes) > 0 {
		return len(notes) > 0, err
	}
	all, err := s.store.Agents(ctx, s.project.ID)
	return slices.ContainsFunc(all, func(a Agent) bool { return a.TokenHash != canon.Hash{} }), err
}

func (s *Service) register(ctx context.Context, r Registration) (Agent, error) {
	now := s.Now()
	name := SafeName(r.Name)
	var found []Agent
	var err error
	if name != "" {
		found, err = s.store.Agents(ctx, s.project.ID, name)
	}
	if err == nil && (name == "" || len(found) > 0 && name != strings.TrimSpace(r.Name)) {
		name, err = s.freeName(ctx) // what is left of the name is free, or another agent's
		found = nil
	}
	if err != nil {
		return Agent{}, err
	}
	if len(found) == 0 {
		return s.store.PutAgent(ctx, Agent{
			Project: s.project.ID, Name: name,
			Program: r.Program, Model: r.Model, Task: r.Task, InceptionAt: now, LastActiveAt: now,
		})
	}
	a := found[0]
	for _, field := range []struct {
		to  *string
		new string
	}{{&a.Program, r.Program}, {&a.Model, r.Model}, {&a.Task, r.Task}} {
		if field.new != "" {
			*field.to = field.new
		}
	}
	a.RetiredAt = Agent{}.RetiredAt
	if !r.Appointed {
		a.LastActiveAt = now
	}
	return s.store.PutAgent(ctx, a)
}

// freeName chooses a name that no agent has.
func (s *Service) freeName(ctx context.Context) (string, error) {
	all, err := s.store.Agents(ctx, s.project.ID)
	if err != nil {
		return "", err
	}
	return assignName(s.options.Pick, all), nil
}

// NameFindings tells a caller who asked for a name that the agent has another one.
func NameFindings(asked string, a Agent) []protocol.Finding {
	if NameKey(strings.TrimSpace(asked)) == NameKey(a.Name) {
		return []protocol.Finding{}
	}
	return []protocol.Finding{protocol.NewFinding(protocol.InvalidInput, "%.70q is not a name for an agent: it is registered as %s.", asked,
		a.Name).
		As(protocol.SeverityWarning).In("name").WithFix("Use %s from now on; a name has letters, digits, _ and -, at most %d.", a.Name,
		maxName)}
}

// EnsureAgents registers those of the names that are unknown, and leaves the others alone.
func (s *Service) EnsureAgents(ctx context.Context, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	found, err := s.store.Agents(ctx, s.project.ID, names...)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, a := range found {
		known[NameKey(a.Name)] = true
	}
	for _, name := range names {
		if known[NameKey(name)] {
			continue
		}
		r := Registration{Name: name, Operator: true} // the caller has checked who may act under the name
		if NameKey(name) == NameKey(s.options.Operator) {
			r.Program = "operator"
		}
		if _, err := s.Register(ctx, r); err != nil {
			return err
		}
		known[NameKey(name)] = true
	}
	return nil
}

// Agent returns an agent by name, or UNKNOWN_AGENT.
func (s *Service) Agent(ctx context.Context, name string) (Agent, error) {
	if name == "" {
		return Agent{}, UnknownAgent(name)
	}
	found, err := s.store.Agents(ctx, s.project.ID, name)
	if err != nil {
		return Agent{}, err
	}
	if len(found) == 0 {
		return Agent{}, UnknownAgent(name)
	}
	return found[0], nil
}

// Agents returns all agents of the project, retired ones included.
func (s *Service) Agents(ctx context.Context) ([]Agent, error) {
	return s.store.Agents(ctx, s.project.ID)
}

// Retire ends an agent's part: nothing can be sent to or as it any more. Doing so again is
// harmless.
func (s *Service) Retire(ctx context.Context, name string) (Agent, error) {
	a, err := s.Agent(ctx, name)
	if err != nil || a.Retired() {
		return a, err
	}
	a.RetiredAt = s.Now()
	return s.store.PutAgent(ctx, a)
}
