package api

import (
	"context"

	"brenner/internal/genealogy"
)

type genealogyQuery struct {
	Focus string `query:"focus" about:"a session or an item (T#H2): only what is related to it"`
}

func (a *API) showGenealogy(ctx context.Context, _ Caller, in genealogyQuery) (genealogy.Report, error) {
	readable, err := a.deps.Access(ctx).ThreadSet(ctx)
	if err != nil {
		return genealogy.Report{}, err
	}
	graph, err := a.deps.Sessions.Genealogy(ctx, readable)
	if err == nil && in.Focus != "" {
		graph, err = graph.Focus(in.Focus)
	}
	if err != nil {
		return genealogy.Report{}, err
	}
	return graph.Report(), nil
}
