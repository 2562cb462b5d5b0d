package mcpserver

import (
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// caller is on whose behalf a request comes.
type caller struct {
	agent  string // who it is; empty if that is not known
	anyone bool   // it may act for every agent: an operator, or no proof is asked for
	local  bool   // it sits at the other end of stdio

	operator string // name of the operator's token; empty if it showed none
	from     string // the address of such a caller

	profile Profile // of the tools it is offered
	thread  string  // on which it works; empty if that is not known
}

// source is the way by which it acts.
func (c caller) source() mail.Source {
	if c.local {
		return mail.SourceStdio
	}
	return mail.SourceHTTP
}

// bearer names who holds the token of a request, empty if it showed none: sessions of one are closed to others.
func (c caller) bearer() string {
	if c.agent != "" && c.anyone {
		return "operator " + c.agent
	}
	return c.agent
}

// may tells whether the caller may act as an agent. Identity is optional by default; where it
// is known, or demanded, no agent acts for another.
func (c caller) may(agent string) error {
	switch {
	case c.anyone || c.agent != "" && mail.NameKey(c.agent) == mail.NameKey(agent):
		return nil
	case c.agent == "":
		return protocol.Errorf(protocol.NotAllowed, "this server demands proof of identity: show the token of agent %q", agent)
	default:
		return protocol.Errorf(protocol.NotAllowed, "you are agent %q and cannot act as %q", c.agent, agent)
	}
}

// mayVisit tells whether the caller may look into a project. An agent proved its identity
// with a token of the home project: an agent of that name elsewhere is another one.
func (s *Server) mayVisit(who caller, p *project) error {
	if who.anyone || p == s.projects.home {
		return nil
	}
	return protocol.Errorf(protocol.NotAllowed, "you belong to project %s and have no part in %s", s.projects.home.key(), p.key())
}
