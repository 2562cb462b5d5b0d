package mcpserver

import (
	"context"

	"brenner/internal/mail"
)

// access is what a caller may read of a project.
func (s *Server) access(who caller, p *project) mail.Access {
	if agent, strict := s.strictly(who); strict {
		return p.mail.AccessOf(agent)
	}
	return p.mail.FullAccess()
}

// strictly tells whether a caller is one agent, which sees and writes what is its own (PROTOCOL 16).
func (s *Server) strictly(who caller) (agent string, strict bool) {
	return who.agent, s.options.Strict && !who.anyone
}

// threadProject is project, for tools that show a thread: NOT_FOUND if the caller may not read it.
func (c *call) threadProject(ctx context.Context, thread string) (*project, error) {
	p, err := c.project(ctx)
	if err == nil && thread != "" {
		err = c.server.access(c.caller, p).CheckThread(ctx, thread)
	}
	return p, err
}

// messageProject is project, for tools that answer a message: NOT_FOUND if the caller may not read it.
func (c *call) messageProject(ctx context.Context, id int64) (*project, error) {
	p, err := c.project(ctx)
	if err == nil {
		err = c.server.access(c.caller, p).CheckMessage(ctx, id)
	}
	return p, err
}
