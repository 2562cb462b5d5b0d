package mcpserver

import (
	"context"
	"fmt"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// leaseTools hold advisory leases on files.
func leaseTools() []*tool {
	return []*tool{
		{
			name: "file_reservation_paths", effect: idempotent, core: true,
			about: "Lease paths (globs) so that others see who works there. Advisory; overlaps with another's exclusive lease come back " +
				"as conflicts.",
			in: []field{
				projectField, agentField, namesField("paths", "globs below the project").must(), numberField("ttl_seconds", "for how long").
					or("600"),
				flagField("exclusive", "nobody else is to work there").or("false"), textField("reason", "what you do there"),
			},
			out: "granted:array conflicts:array", run: reservePaths,
		},
		{
			name: "release_file_reservations", about: "End your leases: on these paths, or all.", effect: idempotent, core: true,
			in:  []field{projectField, agentField, pathsField},
			out: "released:integer", run: releasePaths,
		},
		{
			name: "renew_file_reservations", about: "Extend your leases: on these paths, or all.", effect: idempotent, core: true,
			in:  []field{projectField, agentField, pathsField, numberField("new_ttl_seconds", "from now on").or("600")},
			out: "renewed:integer file_reservations:array", run: renewPaths,
		},
	}
}

// The bounds of a lease, in seconds.
const (
	defaultTTL = 600
	maxTTL     = 365 * 24 * 60 * 60
)

type leaseObject struct {
	ID        int64   `json:"id"`
	Agent     string  `json:"agent"`
	Path      string  `json:"path"`
	Exclusive bool    `json:"exclusive"`
	Reason    *string `json:"reason"`
	CreatedTS string  `json:"created_ts"`
	ExpiresTS string  `json:"expires_ts"`
}

func leaseObjects(leases []mail.Reservation) []leaseObject {
	list := make([]leaseObject, len(leases))
	for i, l := range leases {
		list[i] = leaseObject{
			ID: l.ID, Agent: l.Agent, Path: l.Path, Exclusive: l.Exclusive,
			CreatedTS: mail.FormatTime(l.CreatedAt), ExpiresTS: mail.FormatTime(l.ExpiresAt),
		}
		if l.Reason != "" {
			list[i].Reason = &leases[i].Reason
		}
	}
	return list
}

type leaseAnswer struct {
	Granted   []leaseObject   `json:"granted"`
	Conflicts []leaseConflict `json:"conflicts"`
}

type leaseConflict struct {
	Path    string        `json:"path"`
	Code    protocol.Code `json:"code"`
	Message string        `json:"message"`
	Holders []leaseObject `json:"holders"`
}

func reservePaths(ctx context.Context, c *call) (any, error) {
	r := mail.LeaseRequest{
		Agent: c.actor("agent_name"), Paths: c.names("paths"), TTL: c.ttl("ttl_seconds"),
		Exclusive: c.flag("exclusive"), Reason: c.text("reason"),
	}
	if len(r.Paths) == 0 {
		c.missing("paths")
	}
	p, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	return p.reserve(ctx, r)
}

func (c *call) ttl(name string) time.Duration {
	seconds := c.integer(name, defaultTTL, 0, maxTTL)
	if seconds == 0 {
		c.complain(name, "%s is at least one second.", name)
	}
	return time.Duration(seconds) * time.Second
}

func (p *project) reserve(ctx context.Context, r mail.LeaseRequest) (leaseAnswer, error) {
	granted, conflicts, err := p.mail.Reserve(ctx, r)
	if err != nil {
		return leaseAnswer{}, err
	}
	answer := leaseAnswer{leaseObjects(granted), []leaseConflict{}}
	for _, c := range conflicts {
		answer.Conflicts = append(answer.Conflicts, leaseConflict{
			Path: c.Path, Code: protocol.FileReservationConflict,
			Message: fmt.Sprintf("%s holds %s exclusively until %s", c.Holder.Agent, c.Holder.Path, mail.FormatTime(c.Holder.ExpiresAt)),
			Holders: leaseObjects([]mail.Reservation{c.Holder}),
		})
	}
	return answer, nil
}

type released struct {
	Released int `json:"released"`
}

func releasePaths(ctx context.Context, c *call) (any, error) {
	agent, paths := c.actor("agent_name"), c.names("paths")
	p, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	n, err := p.mail.Release(ctx, agent, paths)
	if err != nil {
		return nil, err
	}
	return released{n}, nil
}

type renewed struct {
	Renewed int           `json:"renewed"`
	Leases  []leaseObject `json:"file_reservations"`
}

func renewPaths(ctx context.Context, c *call) (any, error) {
	agent, paths, ttl := c.actor("agent_name"), c.names("paths"), c.ttl("new_ttl_seconds")
	p, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	leases, err := p.mail.Renew(ctx, agent, paths, ttl)
	if err != nil {
		return nil, err
	}
	return renewed{len(leases), leaseObjects(leases)}, nil
}
