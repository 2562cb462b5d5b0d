package app

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"brenner/internal/audit"
	"brenner/internal/crate"
	"brenner/internal/mcpserver"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/server"
	"brenner/internal/web"
)

// ServeOptions are the settings of a server.
type ServeOptions struct {
	Addr      string
	Hosts     []string      // further names under which it may be asked for
	Strict    bool          // a client needs a token, and acts as its agent only
	Proxies   []string      // addresses of proxies that say from where a request comes
	Secret    string        // of the proxy that says who asks; empty: none does
	Operators []string      // people, as those name them, who may act for all
	Cosign    *crate.Signer // signs checkpoints of colleagues; nil: nobody does
	Lab       bool          // the web app may write; MCP and its tokens do not depend on it
	Tools     mcpserver.Profile
	Version   string
	Tour      []web.Stop // that the web app leads through; nil: none
	Logger    *slog.Logger
	Limits    server.Limits
	Now       func() time.Time
	Environ   []string       // NAME=value: what the server's environment says about rosters counts
	Waiting   func(error)    // told once why connections are not accepted yet
	Listening func(net.Addr) // told once, when connections are accepted
}

// Serve answers HTTP until the context ends, and has stopped everything when it returns. If its store fails over just
// now it waits before it begins.
func (a *App) Serve(ctx context.Context, o ServeOptions) error {
	var s *server.Server
	if err := whenReady(ctx, a.dsn, o.Waiting, func() (err error) {
		s, err = a.Server(ctx, o)
		return err
	}); err != nil {
		return err
	}
	l, err := s.Listen(ctx)
	if err != nil {
		return err
	}
	if o.Listening != nil {
		o.Listening(l.Addr())
	}
	return s.Serve(ctx, l)
}

// Server puts the HTTP server together.
func (a *App) Server(ctx context.Context, o ServeOptions) (*server.Server, error) {
	roster, err := a.rosterDefaults(o.Environ)
	if err != nil {
		return nil, err
	}
	status, err := a.Store.Status(ctx)
	if err != nil {
		return nil, err
	}
	if !status.Atomic {
		return nil, protocol.Errorf(protocol.NotAllowed, "a server needs a store of our own, not another server: %s", status.Location)
	}
	metrics := server.NewMetrics(o.Now)
	mcp := a.MCP(mcpserver.Options{
		Version: o.Version, Profile: o.Tools, Strict: o.Strict, Logger: o.Logger, Begin: a.beginner(o.Logger),
		Observe: func(c mcpserver.Call) { metrics.ToolCall(c.Tool, c.Took, c.Code) },
		Identity: func(r *http.Request) (mcpserver.Identity, error) {
			who := server.IdentityOf(r.Context())
			return mcpserver.Identity{Name: who.Name, Agent: who.Agent, Operator: who.Operator}, nil
		},
		Admitted: server.StillAdmitted,
	})
	pages := a.pages(o, roster)
	drain := func() {
		mcp.Drain()
		pages.close()
	}
	s, err := server.New(ctx, server.Deps{
		Mail: a.Mail, Acks: a.runAcks, MCP: mcp.Handler(), Drain: drain, Close: mcp.Close, Waiters: mcp.Waiters, Metrics: metrics,
		Web: pages, Serves: pages.serves,
	}, server.Options{
		Addr: o.Addr, Hosts: o.Hosts, Strict: o.Strict, Proxies: o.Proxies,
		PeopleSecret: o.Secret, Operators: o.Operators, Limits: o.Limits, Logger: o.Logger,
		Now: o.Now,
	})
	if err != nil {
		drain()
		_ = mcp.Close() // the first error says what is wrong
	}
	return s, err
}

// beginner writes into the audit log what operators call that may change something.
func (a *App) beginner(logger *slog.Logger) func(context.Context, mcpserver.Act) (func(protocol.Code), error) {
	return func(ctx context.Context, c mcpserver.Act) (func(protocol.Code), error) {
		from, _, _ := net.SplitHostPort(c.From)
		act, err := audit.Begin(ctx, a.Mail, audit.Entry{
			Who: c.Operator, Via: audit.MCP, From: from, Act: c.Tool, Thread: c.Thread, Agent: c.Agent,
		})
		if err != nil {
			return nil, err
		}
		return func(code protocol.Code) { act.EndLogged(ctx, cmp.Or(string(code), audit.OK), logger) }, nil
	}
}

// MCP puts an MCP server on the project. Close it.
func (a *App) MCP(o mcpserver.Options) *mcpserver.Server {
	o.Process = serverProcess()
	if noted := runner.NoteFailures(a.Project.Root); o.Failed == nil {
		o.Failed = func(f mcpserver.Failure) { noted(f.Agent, f.Tool, f.Thread, f.Err) }
	}
	return mcpserver.New(mcpserver.Deps{Home: a.Sessions, Root: a.Project.Root, Open: a.neighbour, Prompts: a.prompts}, o)
}
