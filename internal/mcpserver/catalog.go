package mcpserver

import "slices"

// Profile is a choice of tools: every description costs a model room to think.
type Profile string

// The profiles, the smallest first. Session has what an agent of a session needs and no more; Core
// the mail tools, what takes part in a session, and the results, beliefs and advice of it.
const (
	Session Profile = "session"
	Core    Profile = "core"
	All     Profile = "all"
)

// Profiles returns the profiles.
func Profiles() []Profile { return []Profile{Session, Core, All} }

// ParseProfile reads a profile's name; empty is All.
func ParseProfile(name string) (Profile, bool) {
	if name == "" {
		return All, true
	}
	return Profile(name), slices.Contains(Profiles(), Profile(name))
}

// has tells whether a tool belongs to a profile; the empty one is All.
func (p Profile) has(t *tool) bool {
	switch p {
	case Session:
		return t.session
	case Core:
		return t.core
	}
	return true
}

// catalog returns the tools of a profile.
func catalog(p Profile) []*tool {
	all := slices.Concat(directoryTools(), sendTools(), inboxTools(), threadTools(), leaseTools(), macroTools(), sessionTools(),
		readingTools(), beliefTools(), agentTools(), artifactTool(), evidenceTools(), actingTools())
	return slices.DeleteFunc(all, func(t *tool) bool { return !p.has(t) })
}

// ToolNames lists all tools.
func ToolNames() []string {
	var names []string
	for _, t := range catalog(All) {
		names = append(names, t.name)
	}
	return names
}
