package api

import (
	"context"

	"brenner/internal/session"
)

type repairRequest struct {
	Thread string `path:"thread" json:"-"`
	As     string `json:"as" about:"who repairs; the operator unless said"`
	DryRun bool   `json:"dry_run" about:"post nothing"`
}

// Dry tells whether nothing is to be posted.
func (r repairRequest) Dry() bool { return r.DryRun }

func (a *API) repair(ctx context.Context, who Caller, in repairRequest) (session.Diagnosis, error) {
	d, err := a.deps.Sessions.Diagnose(ctx, in.Thread, session.ShowRepairs)
	if err != nil || in.DryRun || len(d.Fixes) == 0 {
		return d, err
	}
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return d, err
	}
	return d, a.deps.Sessions.ApplyFixes(ctx, &d, as)
}
