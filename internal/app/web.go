package app

import (
	"context"
	"net/http"
	"strings"

	"brenner/internal/api"
	"brenner/internal/config"
	"brenner/internal/mail"
	"brenner/internal/server"
	"brenner/internal/session"
	"brenner/internal/transcript"
	"brenner/internal/web"
)

// pages is everything a person's browser asks for: the JSON API and the pages that use it.
type pages struct {
	api *api.API
	web *web.Web

	identified func(ctx context.Context) context.Context // with strict identity
}

// ServeHTTP implements http.Handler.
func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(p.identified(r.Context()))
	if forAPI(r) {
		p.api.ServeHTTP(w, r)
		if r.Method == http.MethodPost && !strings.HasPrefix(r.URL.Path, "/api/v1/validate/") {
			p.web.Forget()
		}
		return
	}
	p.web.ServeHTTP(w, r)
}

// serves tells whether there is something to show at a request's address.
func (p *pages) serves(r *http.Request) bool {
	if forAPI(r) {
		return p.api.Has(r)
	}
	return p.web.Serves(r)
}

func forAPI(r *http.Request) bool { return strings.HasPrefix(r.URL.Path+"/", "/api/v1/") }

func (p *pages) close() { p.api.Close() }

// strictly tells whether a request is one agent's, which sees and writes what is its own (PROTOCOL 16).
func (o *ServeOptions) strictly(ctx context.Context) (agent string, strict bool) {
	who := server.IdentityOf(ctx)
	return who.Agent, o.Strict && !who.Operator && !who.Reader
}

// access is what a request may read.
func (a *App) access(o ServeOptions) func(context.Context) mail.Access {
	return func(ctx context.Context) mail.Access {
		if agent, strict := o.strictly(ctx); strict {
			return a.Mail.AccessOf(agent)
		}
		return a.Mail.FullAccess()
	}
}

// identified says whose mail is sent by a request.
func identified(o ServeOptions) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context {
		if agent, strict := o.strictly(ctx); strict {
			return mail.WithStrictIdentity(ctx, agent)
		}
		return ctx
	}
}

func (a *App) pages(o ServeOptions, roster session.RosterRequest) *pages {
	return &pages{
		identified: identified(o),
		api: api.New(api.Deps{
			Sessions: a.Sessions, Roster: roster,
			Caller: func(ctx context.Context) api.Caller {
				who := server.IdentityOf(ctx)
				return api.Caller{Name: who.Agent, Operator: who.Operator}
			},
			Access: a.access(o), Admitted: server.StillAdmitted, Cosign: a.cosigner(o.Cosign),
			Sources: packOf{a.Evidence, o.Now},
		}, api.Options{Lab: o.Lab, Remote: !server.Loopback(o.Addr), Version: o.Version, Now: o.Now, Logger: o.Logger}),
		web: web.New(web.Deps{
			Sessions: a.Sessions, Presets: a.Config.Roster.Presets, Environment: variables(roster), Transcript: a.transcript(),
			Access: a.access(o), Downloads: a.downloads(o), Turns: turnsIn(a.Project.Root),
			Viewer: func(ctx context.Context) web.Viewer {
				who := server.IdentityOf(ctx)
				return web.Viewer{Name: who.Agent, Operator: who.Operator, SignedIn: who.SignedIn}
			},
		}, web.Options{Lab: o.Lab, Version: o.Version, Tour: o.Tour, Now: o.Now, Logger: o.Logger}),
	}
}

// transcript is what the project can quote. That it can be read was found out when the project was
// opened; one that vanished since quotes nothing.
func (a *App) transcript() *transcript.Transcript {
	if a.Config.Transcript == (config.File{}) {
		return nil
	}
	text, err := a.Config.ReadTranscript()
	if err != nil {
		return nil
	}
	return transcript.Parse(text)
}
