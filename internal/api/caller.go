package api

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Caller is who asks.
type Caller struct {
	Name     string // empty: anonymous
	Operator bool
}

// agent tells whether the caller is one agent only. Without a name it is the person
// at this machine: the server asks all others for a token.
func (c Caller) agent() bool { return c.Name != "" && !c.Operator }

// viewer is the name whose mail the caller sees as its own.
func (c Caller) viewer() string {
	if c.agent() {
		return c.Name
	}
	return mail.Operator
}

// is tells whether the caller may act under a name.
func (c Caller) is(name string) bool { return !c.agent() || protocol.SameAgent(c.Name, name) }

// mayRead refuses what belongs to another agent.
func (c Caller) mayRead(agent string) error {
	if c.is(agent) {
		return nil
	}
	return protocol.Errorf(protocol.NotAllowed, "the token is %s's, and the inbox is %s's", c.Name, agent)
}

// mayAct refuses to act as another agent.
func (c Caller) mayAct(as string) error {
	if c.is(as) {
		return nil
	}
	return protocol.Errorf(protocol.NotAllowed, "the token is %s's: it cannot act as %s", c.Name, as)
}

// mayWrite is the one gate in front of everything that writes.
func (a *API) mayWrite(c Caller, e effect) error {
	switch {
	case !a.options.Lab:
		return protocol.Errorf(protocol.NotAllowed,
			"this server only shows: writing from the web app is off. Its operator starts it in lab mode to switch it on; the command "+
				"line and MCP write without it").
			Doing(protocol.Operation("serve").Giving("lab"))
	case a.options.Remote && !c.Operator:
		return protocol.Errorf(protocol.NotAllowed,
			"other machines can reach this server, so writing from the web app takes the operator's token").
			Doing(protocol.Operation("token.create").Giving("operator"))
	case e == governs && c.agent():
		return protocol.Errorf(protocol.NotAllowed,
			"the token is %s's; starting, compiling, persisting and closing sessions here takes the operator's", c.Name)
	}
	return nil
}

// actor is the name that a request acts under: the one it gives, else the caller's own, else the
// operator's. The operator is registered on first use (PROTOCOL 11).
func (a *API) actor(ctx context.Context, c Caller, as string) (string, error) {
	if as == "" {
		as = c.viewer()
	}
	if err := c.mayAct(as); err != nil {
		return "", err
	}
	if protocol.SameAgent(as, mail.Operator) {
		return as, a.deps.Sessions.Mail().EnsureAgents(ctx, as)
	}
	return as, nil
}
