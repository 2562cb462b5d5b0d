package api

import "context"

type nothing struct{}

type welcome struct {
	Version  string `json:"version"`
	Project  string `json:"project"`
	Lab      bool   `json:"lab"`
	Agent    string `json:"agent"`     // the name under which the caller acts unless it gives another
	MayWrite bool   `json:"may_write"` // as that agent
	OpenAPI  string `json:"openapi"`
}

func (a *API) welcome(_ context.Context, who Caller, _ nothing) (welcome, error) {
	return welcome{
		Version: a.options.Version, Project: a.deps.Sessions.Mail().Project().HumanKey, Lab: a.options.Lab,
		Agent: who.viewer(), MayWrite: a.mayWrite(who, acts) == nil, OpenAPI: prefix + "/openapi.json",
	}, nil
}
