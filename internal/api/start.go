package api

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

// startRequest is what begins a session. A roster is what --roster takes: a list of entries, or an
// object with entries, mode and name.
type startRequest struct {
	From        string          `json:"from" about:"who asks; the caller unless said"`
	Question    string          `json:"question"`
	Context     string          `json:"context"`
	Excerpt     string          `json:"excerpt"`
	Hypotheses  string          `json:"hypotheses"`
	Constraints string          `json:"constraints"`
	Outputs     string          `json:"outputs"`
	Focus       string          `json:"focus" about:"of a further round"`
	After       string          `json:"after" about:"the session that a new one goes on from"`
	ThreadID    string          `json:"thread_id" about:"an id of one's own, or the session to continue"`
	Slug        string          `json:"slug" about:"for RS-, today, and this"`
	Round       int             `json:"round" about:"2 and more continue thread_id"`
	To          []string        `json:"to" about:"who receives it; the whole roster unless said"`
	Roster      json.RawMessage `json:"roster" about:"[{agentName, role, program, model, notes}], or {entries, mode, name}"`
	Preset      string          `json:"preset" about:"a roster to fill with the agents of to"`
	Mode        string          `json:"mode" choices:"role_separated,unified,heuristic"`
	Changes     []roleChange    `json:"agent_roles" about:"roles that some agents have in whatever roster is chosen"`
	DryRun      bool            `json:"dry_run"`
	Trial       bool            `query:"dry_run" json:"-" about:"the same as dry_run"`
}

type roleChange struct {
	Agent string `json:"agentName"`
	Role  string `json:"role"`
}

// Dry tells whether nothing is to be sent.
func (r startRequest) Dry() bool { return r.DryRun || r.Trial }

type started struct {
	session.Started
	DryRun bool `json:"dry_run"`
}

func (a *API) start(ctx context.Context, who Caller, in startRequest) (started, error) {
	req, findings, err := a.startRequest(who, in)
	if err != nil {
		return started{}, err
	}
	if protocol.HasErrors(findings) {
		return started{}, firstError("the session cannot start", findings)
	}
	done, err := a.deps.Sessions.Start(ctx, req)
	if err != nil {
		return started{}, err
	}
	if !req.DryRun {
		arose(ctx, done.ThreadID)
	}
	done.Findings = protocol.NonNil(append(findings, done.Findings...))
	return started{done, req.DryRun}, nil
}

// startRequest translates a request. The findings are about its own fields.
func (a *API) startRequest(who Caller, in startRequest) (session.StartRequest, []protocol.Finding, error) {
	from := in.From
	if from == "" {
		from = who.viewer()
	}
	if err := who.mayAct(from); err != nil {
		return session.StartRequest{}, nil, err
	}
	findings := in.missing()
	roster, wrong := a.rosterRequest(in)
	if err := in.affordable(roster); err != nil {
		return session.StartRequest{}, nil, err
	}
	return session.StartRequest{
		From: from, Question: in.Question, Context: in.Context, Excerpt: in.Excerpt, Hypotheses: in.Hypotheses,
		Constraints: in.Constraints, Outputs: in.Outputs, Focus: in.Focus, ThreadID: in.ThreadID, Slug: in.Slug,
		After: in.After, Round: in.Round, Roster: roster, DryRun: in.Dry(),
	}, append(findings, wrong...), nil
}

// maxStart bounds what a start makes of a request: every recipient gets the whole text.
const maxStart = 32 << 20

// affordable refuses more copies of more text than one request may ask for. What one message may hold
// is judged at the door.
func (r *startRequest) affordable(roster session.RosterRequest) error {
	text := len(r.Question) + len(r.Context) + len(r.Excerpt) + len(r.Hypotheses) + len(r.Constraints) + len(r.Outputs) + len(r.Focus)
	copies := len(r.To)
	for _, source := range roster.Sources {
		copies = max(copies, len(source.Entries))
	}
	if copies > maxElements || text*copies > maxStart {
		return protocol.Errorf(protocol.MessageTooLarge, "%d bytes for each of %d agents are too much for one request", text, copies)
	}
	return nil
}

// missing demands what a person must say. What goes on from something repeats what was said before.
func (r *startRequest) missing() []protocol.Finding {
	var findings []protocol.Finding
	demand := func(field, value, why string) {
		if strings.TrimSpace(value) == "" {
			findings = append(findings, protocol.NewFinding(protocol.MissingRequiredField, "%s", why).In(field).As(protocol.SeverityError))
		}
	}
	if r.Round > 1 {
		demand("thread_id", r.ThreadID, "A further round continues a session: name its thread.")
		return findings
	}
	if r.After != "" {
		return nil
	}
	demand("question", r.Question, "A session needs its research question, in one sentence.")
	demand("context", r.Context, "A session needs its background, in two to four sentences.")
	return findings
}

// rosterRequest is everything that can decide the roster: the server's environment, the request, then the
// project's settings (PROTOCOL 12).
func (a *API) rosterRequest(in startRequest) (session.RosterRequest, []protocol.Finding) {
	req := a.deps.Roster
	req.Sources = slices.Clone(req.Sources)
	req.Choices = slices.Clone(req.Choices)
	req.Recipients = in.To
	if in.Mode != "" {
		req.Sources = append(req.Sources, session.RosterSource{Kind: session.FromForm, Origin: "mode", Mode: protocol.RosterMode(in.Mode)})
	}
	var findings []protocol.Finding
	if len(in.Roster) > 0 {
		roster, wrong := protocol.ParseRoster(in.Roster)
		findings = inRoster(in.Roster, wrong)
		req.Sources = append(req.Sources, session.RosterSource{
			Kind: session.FromForm, Origin: "roster", Entries: roster.Entries, Mode: roster.Mode, Name: roster.Name,
			CreatedAt: roster.CreatedAt,
		})
	}
	if in.Preset != "" {
		behind := slices.IndexFunc(req.Choices, func(c session.PresetChoice) bool { return c.Default })
		if behind < 0 {
			behind = len(req.Choices)
		}
		req.Choices = slices.Insert(req.Choices, behind, session.PresetChoice{ID: in.Preset, Origin: "preset"})
	}
	var changes []session.RoleChange
	for _, c := range in.Changes {
		changes = append(changes, session.RoleChange{Kind: session.FromForm, Agent: c.Agent, Role: protocol.Role(c.Role),
			Origin: "agent_roles"})
	}
	req.Changes = append(changes, req.Changes...) // the environment has the last word
	return req, findings
}

// inRoster gives findings about a roster their place in the request.
func inRoster(text []byte, findings []protocol.Finding) []protocol.Finding {
	list := make([]protocol.Finding, len(findings))
	for i, f := range findings {
		path := "roster"
		switch {
		case f.Path == "":
		case bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")):
			path += strings.TrimPrefix(f.Path, "entries")
		default:
			path += "." + f.Path
		}
		list[i] = f.In(path)
	}
	return list
}

// firstError is the failure that findings amount to.
func firstError(what string, findings []protocol.Finding) error {
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			return protocol.Errorf(protocol.ValidationFailed, "%s: %s", what, f.Message).WithFindings(findings)
		}
	}
	return nil
}
