package mcpserver

import (
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// outlook is what decides how tools are shown to a caller.
type outlook struct {
	profile Profile
	named   bool // the connection says who calls
	placed  bool // and on which thread it works
}

// spares tells whether a caller may leave a required argument out. Mail clients of every kind read the
// other profiles: those show the contract as it is.
func (o outlook) spares(f *field) bool {
	if o.profile != Session {
		return false
	}
	switch f.name {
	case "project_key", "human_key":
		return true
	case "agent_name", "sender_name":
		return o.named
	case "thread_id":
		return o.placed
	}
	return false
}

// listingFor returns tools/list for a caller, by name.
func (s *Server) listingFor(who caller) []*mcp.Tool {
	o := outlook{who.profile, who.agent != "", who.thread != ""}
	if list, ok := s.listings.Load(o); ok {
		return list.([]*mcp.Tool)
	}
	list := []*mcp.Tool{}
	for _, t := range s.tools {
		if who.profile.has(t) {
			list = append(list, t.describe(o))
		}
	}
	slices.SortFunc(list, func(a, b *mcp.Tool) int { return strings.Compare(a.Name, b.Name) })
	s.listings.Store(o, list)
	return list
}
