package api

import (
	"context"
	"encoding/json"

	"brenner/internal/artifact/delta"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// Judging succeeds whatever the verdict: valid tells whether there is no error.

type valueRequest struct {
	Value string `json:"value"`
}

type threadIDVerdict struct {
	Value    string              `json:"value"`
	Kind     protocol.ThreadKind `json:"kind"`
	Valid    bool                `json:"valid"`
	Findings []protocol.Finding  `json:"findings"`
}

func (a *API) judgeThreadID(_ context.Context, _ Caller, in valueRequest) (threadIDVerdict, error) {
	findings := protocol.CheckThreadID(in.Value)
	return threadIDVerdict{in.Value, protocol.KindOf(in.Value), !protocol.HasErrors(findings), protocol.NonNil(findings)}, nil
}

type subjectVerdict struct {
	Type        *protocol.MessageType `json:"type"`      // null if the prefix is none
	Shorthand   *string               `json:"shorthand"` // the word in DELTA[…]
	Description string                `json:"description"`
	Valid       bool                  `json:"valid"`
	Findings    []protocol.Finding    `json:"findings"`
}

func (a *API) judgeSubject(_ context.Context, _ Caller, in valueRequest) (subjectVerdict, error) {
	subject, findings := protocol.ParseSubject(in.Value, protocol.Strict)
	v := subjectVerdict{Description: subject.Description, Valid: !protocol.HasErrors(findings), Findings: protocol.NonNil(findings)}
	if !subject.Valid {
		return v, nil
	}
	class := subject.Classify(false)
	v.Type = &class
	if subject.Prefix == protocol.TypeDelta {
		v.Shorthand = &subject.Shorthand
	}
	return v, nil
}

type messageVerdict struct {
	Type        protocol.MessageType `json:"type"`
	AckRequired bool                 `json:"ack_required"`
	Valid       bool                 `json:"valid"`
	Findings    []protocol.Finding   `json:"findings"`
	More        int                  `json:"more"` // findings that are counted only
	Receipt     *delta.Receipt       `json:"receipt"`
}

// judgeMessage asks the door. A draft without recipients, or with unknown ones, gets
// the findings of its text beside that.
func (a *API) judgeMessage(ctx context.Context, who Caller, in sendRequest) (messageVerdict, error) {
	from := in.From
	if from == "" {
		from = who.viewer()
	}
	if err := who.mayAct(from); err != nil {
		return messageVerdict{}, err
	}
	out, err := in.outgoing(from)
	if err != nil {
		return messageVerdict{}, err
	}
	out.Access = a.deps.Access(ctx)
	alone := message.Check(out.Draft, message.Facts{})
	v, err := a.deps.Sessions.Mail().Judge(ctx, out)
	switch code := protocol.CodeOf(err); {
	case err == nil, v.Findings != nil:
		return messageVerdict{v.Type, alone.AckRequired, !protocol.HasErrors(v.Findings), protocol.NonNil(v.Findings), v.More, v.Receipt},
			nil
	case code == protocol.UnknownAgent, code == protocol.AgentRetired, code == protocol.NotFound, code == protocol.InvalidInput:
		unknown := protocol.NewFinding(code, "%s.", err).As(protocol.SeverityError).In(blamed(code))
		alone.Add(unknown)
		return messageVerdict{alone.Type, alone.AckRequired, false, alone.Findings, alone.More, alone.Receipt}, nil
	default:
		return messageVerdict{}, err
	}
}

// blamed is the field that a failure of addressing is about.
func blamed(code protocol.Code) string {
	if code == protocol.NotFound {
		return "reply_to"
	}
	return "to"
}

type deltaRequest struct {
	Body string `json:"body_md"`
}

type deltaVerdict struct {
	Valid    bool               `json:"valid"`
	Receipt  *delta.Receipt     `json:"receipt"`
	Findings []protocol.Finding `json:"findings"`
	More     int                `json:"more"` // findings that are counted only
}

func (a *API) judgeDelta(_ context.Context, _ Caller, in deltaRequest) (deltaVerdict, error) {
	checked := message.Check(message.Draft{Subject: "DELTA[human]: validate", Body: in.Body}, message.Facts{})
	return deltaVerdict{!protocol.HasErrors(checked.Findings), checked.Receipt, protocol.NonNil(checked.Findings), checked.More}, nil
}

// judgeQuotes compares the quotations of a draft with their sources.
func (a *API) judgeQuotes(_ context.Context, _ Caller, in deltaRequest) (session.QuoteCheck, error) {
	return a.deps.Sessions.CheckWords(in.Body)
}

type rosterRequest struct {
	Roster     json.RawMessage `json:"roster" about:"[{agentName, role, program, model, notes}], or {entries, mode, name}"`
	Recipients []string        `json:"recipients" about:"who must have a role; not asked unless said"`
}

type rosterVerdict struct {
	Mode     protocol.RosterMode    `json:"mode"`
	Agents   []protocol.RosterEntry `json:"agents"`
	Valid    bool                   `json:"valid"`
	Findings []protocol.Finding     `json:"findings"`
}

func (a *API) judgeRoster(_ context.Context, _ Caller, in rosterRequest) (rosterVerdict, error) {
	text := in.Roster
	if len(text) == 0 {
		text = json.RawMessage("[]")
	}
	roster, findings := protocol.CheckRosterText(text, in.Recipients)
	if len(roster.Entries) > maxElements {
		return rosterVerdict{}, protocol.Errorf(protocol.InvalidRoster, "the roster has %d entries, more than %d", len(roster.Entries),
			maxElements)
	}
	valid := !protocol.HasErrors(findings)
	findings = inRoster(text, findings[:min(len(findings), maxElements)])
	v := rosterVerdict{roster.Mode, protocol.NonNil(roster.Entries), valid, protocol.NonNil(findings)}
	for _, name := range in.Recipients {
		_, listed := roster.Entry(name)
		if role, ok := roster.RoleOf(name); ok && !listed {
			v.Agents = append(v.Agents, protocol.RosterEntry{AgentName: name, Role: role})
		}
	}
	return v, nil
}

type startVerdict struct {
	Valid    bool               `json:"valid"`
	Findings []protocol.Finding `json:"findings"`
	ThreadID string             `json:"thread_id"` // that it would get
	Messages []session.Kickoff  `json:"messages"`
	Roster   protocol.Roster    `json:"roster"`
	Origins  []session.Origin   `json:"origins"`
}

// judgeStart is a dry run whose verdict is an answer, for a form that a person is filling in.
func (a *API) judgeStart(ctx context.Context, who Caller, in startRequest) (startVerdict, error) {
	in.DryRun = true
	req, findings, err := a.startRequest(who, in)
	if err != nil {
		return startVerdict{}, err
	}
	done, err := a.deps.Sessions.Start(ctx, req)
	if err != nil {
		class := protocol.CodeOf(err).Info().Class
		if class != protocol.ClassInvalid && class != protocol.ClassConflict && class != protocol.ClassNotFound {
			return startVerdict{}, err
		}
		if !protocol.HasErrors(done.Findings) {
			findings = append(findings, protocol.NewFinding(protocol.CodeOf(err), "%s.", err).As(protocol.SeverityError))
		}
	}
	findings = append(findings, done.Findings...)
	return startVerdict{
		!protocol.HasErrors(findings), protocol.NonNil(findings), done.ThreadID, protocol.NonNil(done.Messages), done.Roster.WithDefaults(),
		protocol.NonNil(done.Origins),
	}, nil
}
