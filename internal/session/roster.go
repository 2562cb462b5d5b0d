package session

import (
	"cmp"
	"slices"

	"brenner/internal/protocol"
	"brenner/internal/science"
)

// RosterSource is one place a roster can come from. Entries come whole from the highest source
// that has any; mode and name each from the highest source that sets them (PROTOCOL 12).
type RosterSource struct {
	Kind      SourceKind
	Origin    string // as a person would name it: "--roster", "BRENNER_ROSTER", a file
	Entries   []protocol.RosterEntry
	Mode      protocol.RosterMode
	Name      string
	CreatedAt string // goes with the entries
}

// SourceKind says who speaks in a source.
type SourceKind uint8

// The kinds that are told apart.
const (
	FromSettings    SourceKind = iota // the project file, or whatever else is no other kind
	FromFlags                         // the command line
	FromEnvironment                   // variables of this process
	FromForm                          // what a session's own request says: a web form, the API
)

// PresetChoice is a preset asked for, and by whom.
type PresetChoice struct {
	ID      string
	Origin  string
	Default bool // the project's default, not a choice for this session
}

// RoleChange gives one agent its role in whatever roster was chosen, or adds the agent.
type RoleChange struct {
	Kind   SourceKind
	Agent  string
	Role   protocol.Role
	Origin string
}

// RosterRequest is everything that can decide a roster.
type RosterRequest struct {
	Recipients []string          // --to, in order; empty: every entry is a recipient
	Sources    []RosterSource    // flags, environment, the session's own: highest first
	Project    RosterSource      // what the project file says, below all of those
	Choices    []PresetChoice    // highest first
	Presets    []protocol.Preset // of the project; built-in ones are known
	Changes    []RoleChange      // lowest first: a later one has the last word
	Described  []science.Agent   // program and model of agents, whatever roster is chosen
}

// decided tells whether flags or environment already say who takes part in which role.
func (r *RosterRequest) decided() bool {
	return len(r.Choices) > 0 && !r.Choices[0].Default ||
		slices.ContainsFunc(r.Sources, func(s RosterSource) bool { return len(s.Entries) > 0 })
}

func (r *RosterRequest) sources() []RosterSource { return append(slices.Clone(r.Sources), r.Project) }

// RosterChoice is the roster that was chosen, to whom the session goes, and why.
type RosterChoice struct {
	Roster     protocol.Roster
	Recipients []string
	Origins    []Origin
}

// Origin says where one value came from.
type Origin struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

// ChooseRoster applies the precedence of PROTOCOL 12 and checks the result.
func ChooseRoster(req RosterRequest) (RosterChoice, []protocol.Finding) {
	c := chooser{req: req}
	c.mode()
	c.name()
	c.entries()
	c.changes()
	c.describe()
	c.recipients()
	c.check()
	return c.choice, c.findings
}

type chooser struct {
	req      RosterRequest
	from     SourceKind // of the entries
	choice   RosterChoice
	findings []protocol.Finding
}

func (c *chooser) note(key, value, origin string) {
	c.choice.Origins = append(c.choice.Origins, Origin{key, value, origin})
}

func (c *chooser) mode() {
	for _, s := range c.req.sources() {
		if s.Mode != "" {
			c.choice.Roster.Mode = s.Mode
			c.note("mode", string(s.Mode), s.Origin)
			return
		}
	}
}

func (c *chooser) name() {
	for _, s := range c.req.sources() {
		if s.Name != "" {
			c.choice.Roster.Name = s.Name
			c.note("name", s.Name, s.Origin)
			return
		}
	}
}

func (c *chooser) entries() {
	for _, s := range c.req.sources() {
		if len(s.Entries) > 0 {
			c.take(s.Entries, s.Origin)
			c.choice.Roster.CreatedAt = s.CreatedAt
			c.from = s.Kind
			c.overridden(s)
			c.unusedPreset(s.Origin)
			return
		}
	}
	if len(c.req.Choices) > 0 {
		c.preset(c.req.Choices[0])
	}
}

func (c *chooser) take(entries []protocol.RosterEntry, origin string) {
	c.choice.Roster.Entries = slices.Clone(entries)
	for _, e := range entries {
		c.note("entries."+e.AgentName, string(e.Role), origin)
	}
}

// unusedPreset warns when a preset was asked for by name but a roster has precedence: the
// order is the protocol's, but it is hard to guess.
func (c *chooser) unusedPreset(origin string) {
	if len(c.req.Choices) > 0 && !c.req.Choices[0].Default {
		c.findings = append(c.findings, protocol.NewFinding(protocol.PresetNotUsed,
			"the roster comes from %s, so preset %s is not used", origin, c.req.Choices[0].ID))
	}
}

func (c *chooser) preset(choice PresetChoice) {
	p, findings := protocol.FindPreset(choice.ID, c.req.Presets)
	c.findings = append(c.findings, findings...)
	if protocol.HasErrors(findings) {
		return
	}
	roster, findings := p.Resolve(c.req.Recipients)
	c.findings = append(c.findings, findings...)
	origin := "preset " + p.ID + " (" + choice.Origin + ")"
	c.take(roster.Entries, origin)
	if c.choice.Roster.Name == "" {
		c.choice.Roster.Name = p.Name
		c.note("name", p.Name, origin)
	}
}

// overridden says so when the environment of the server has precedence over a form's roster.
func (c *chooser) overridden(chosen RosterSource) {
	form := slices.ContainsFunc(c.req.Sources, func(s RosterSource) bool { return s.Kind == FromForm && len(s.Entries) > 0 })
	if chosen.Kind == FromEnvironment && form {
		c.findings = append(c.findings, protocol.NewFinding(protocol.RosterEnvUsed,
			"the roster comes from %s of the server, not from the form", chosen.Origin))
	}
}

func (c *chooser) changes() {
	for _, change := range c.req.Changes {
		if change.Kind == FromEnvironment {
			change.Agent = spelled(change.Agent, c.known())
			if c.fixed(change) {
				continue
			}
		}
		c.change(change)
	}
}

func (c *chooser) change(change RoleChange) {
	r := &c.choice.Roster
	if i := c.entry(change.Agent); i >= 0 {
		r.Entries[i].Role = change.Role
	} else {
		r.Entries = append(r.Entries, protocol.RosterEntry{AgentName: change.Agent, Role: change.Role})
	}
	c.note("entries."+change.Agent, string(change.Role), change.Origin)
}

// describe writes program and model into the entries of the agents that they were given for.
func (c *chooser) describe() {
	for _, a := range c.req.Described {
		if i := c.entry(a.Name); i >= 0 {
			e := &c.choice.Roster.Entries[i]
			e.Program, e.Model = cmp.Or(a.Program, e.Program), cmp.Or(a.Model, e.Model)
		}
	}
}

// fixed tells whether flags gave the agent a role: a variable does not change that (PROTOCOL 12).
func (c *chooser) fixed(change RoleChange) bool {
	role, origin := protocol.Role(""), ""
	if i := c.entry(change.Agent); i >= 0 && c.from == FromFlags {
		role, origin = c.choice.Roster.Entries[i].Role, "the flags"
	}
	for _, other := range c.req.Changes {
		if other.Kind == FromFlags && protocol.SameAgent(other.Agent, change.Agent) {
			role, origin = other.Role, other.Origin
		}
	}
	if origin != "" && role != change.Role {
		c.findings = append(c.findings, protocol.NewFinding(protocol.RosterEnvIgnored,
			"%s does not change the role of %s: %s say %s", change.Origin, change.Agent, origin, role))
	}
	return origin != ""
}

func (c *chooser) entry(agent string) int {
	return slices.IndexFunc(c.choice.Roster.Entries, func(e protocol.RosterEntry) bool { return protocol.SameAgent(e.AgentName, agent) })
}

// known are the agents that a variable can mean.
func (c *chooser) known() []string {
	names := slices.Clone(c.req.Recipients)
	for _, e := range c.choice.Roster.Entries {
		names = append(names, e.AgentName)
	}
	for _, other := range c.req.Changes {
		if other.Kind != FromEnvironment {
			names = append(names, other.Agent)
		}
	}
	return names
}

func (c *chooser) recipients() {
	c.choice.Recipients = c.req.Recipients
	if len(c.req.Recipients) > 0 {
		return
	}
	for _, e := range c.choice.Roster.Entries {
		c.choice.Recipients = append(c.choice.Recipients, e.AgentName)
	}
}

// check settles the mode and judges the roster. Without any roster the session is unified,
// with a warning (PROTOCOL 12).
func (c *chooser) check() {
	r := &c.choice.Roster
	if len(r.Entries) == 0 && r.Mode != "" && !r.Mode.Valid() {
		c.findings = append(c.findings, r.CheckMode()...) // alone: what follows depends on it
		return
	}
	if len(r.Entries) == 0 && protocol.HasErrors(c.findings) {
		return // that is why there are none
	}
	if len(r.Entries) == 0 && r.Mode != protocol.ModeHeuristic && r.Mode != protocol.ModeRoleSeparated {
		r.Mode = protocol.ModeUnified
		c.findings = append(c.findings, protocol.NoRosterFinding())
		c.note("mode", string(r.Mode), "no roster given")
		return
	}
	if r.Mode == "" {
		r.Mode = protocol.ModeRoleSeparated
		c.note("mode", string(r.Mode), "default")
	}
	c.findings = append(c.findings, r.Check(c.choice.Recipients)...)
}
