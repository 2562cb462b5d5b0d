package session

import (
	"slices"

	"brenner/protocol"
)

// RosterSource is one place a roster can come from. Entries come whole from the highest source
// that has any; mode and name each from the highest source that sets them (PROTOCOL 12).
type RosterSource struct {
	Origin  string // as a person would name it: "--roster", "BRENNER_ROSTER", a file
	Entries []protocol.RosterEntry
	Mode    protocol.RosterMode
	Name    string
}

// PresetChoice is a preset asked for, and by whom.
type PresetChoice struct {
	ID      string
	Origin  string
	Default bool // the project's default, not somebody's wish for this session
}

// RoleChange gives one agent its role in whatever roster was chosen, or adds the agent.
type RoleChange struct {
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
	c.recipients()
	c.check()
	return c.choice, c.findings
}

type chooser struct {
	req      RosterRequest
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

// unusedPreset speaks up when a preset was asked for by name but stands below a roster: the
// order is the protocol's, but nobody would guess it.
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

func (c *chooser) changes() {
	entries := c.choice.Roster.Entries
	for _, change := range c.req.Changes {
		i := slices.IndexFunc(entries, func(e protocol.RosterEntry) bool {
			return protocol.SameAgent(e.AgentName, change.Agent)
		})
		if i < 0 {
			entries = append(entries, protocol.RosterEntry{AgentName: change.Agent, Role: change.Role})
		} else {
			entries[i].Role = change.Role
		}
		c.note("entries."+change.Agent, string(change.Role), change.Origin)
	}
	c.choice.Roster.Entries = entries
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
	if len(r.Entries) == 0 && r.Mode != protocol.ModeHeuristic && r.Mode != protocol.ModeRoleSeparated &&
		!protocol.HasErrors(c.findings) {
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
