package mcpserver

import "slices"

// Profile is a choice of tools: every description costs a model room to think.
type Profile string

// The profiles. Core has the mail tools and what an agent needs to take part in a session.
const (
	Core Profile = "core"
	All  Profile = "all"
)

// Profiles returns the profiles.
func Profiles() []Profile { return []Profile{Core, All} }

// catalog returns the tools of a profile.
func catalog(p Profile) []*tool {
	all := slices.Concat(directoryTools(), sendTools(), inboxTools(), threadTools(), leaseTools(), macroTools(), sessionTools(), beliefTools(), agentTools(), artifactTools(), evidenceTools())
	if p != Core {
		return all
	}
	return slices.DeleteFunc(all, func(t *tool) bool { return !t.core })
}
