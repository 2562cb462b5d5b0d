package api

import (
	"context"

	"brenner/internal/session"
	"brenner/internal/usecase"
)

func (a *API) recordResult(ctx context.Context, who Caller, in usecase.RecordRequest) (done session.RecordedResult, err error) {
	if in.As, err = a.actor(ctx, who, in.As); err != nil {
		return done, err
	}
	return usecase.RecordResult.Do(ctx, usecase.At{Sessions: a.deps.Sessions}, in)
}

func (a *API) withdrawResult(ctx context.Context, who Caller, in usecase.WithdrawRequest) (done session.WithdrawnResult, err error) {
	if in.As, err = a.actor(ctx, who, in.As); err != nil {
		return done, err
	}
	return usecase.WithdrawResult.Do(ctx, usecase.At{Sessions: a.deps.Sessions}, in)
}
