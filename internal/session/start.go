package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/canon"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
)

// StartRequest is what an operator gives to begin a session or a further round of one.
type StartRequest struct {
	From        string
	Question    string
	Context     string
	Excerpt     string
	Hypotheses  string
	Constraints string
	Outputs     string
	Focus       string // of a later round
	After       string // the session that a new one goes on from; empty: none

	ThreadID string // an id of one's own; else
	Slug     string // RS-{today}-{slug}; else a slug from the question
	Round    int    // 0 or 1: a new session

	Roster RosterRequest
	DryRun bool

	// Key makes a start idempotent: each recipient gets its KICKOFF once, however often it is tried and
	// whatever has happened on the thread since. Empty: that of the context, if it has one (mail.WithKey).
	Key  string
	seal canon.Hash // of everything above; what the key stands for
}

// Started is what a start came to.
type Started struct {
	ThreadID string             `json:"thread_id"`
	Messages []Kickoff          `json:"messages"`
	Roster   protocol.Roster    `json:"roster"`
	Findings []protocol.Finding `json:"findings"`
	Origins  []Origin           `json:"origins"`
}

// Kickoff is one KICKOFF message, to one recipient.
type Kickoff struct {
	ID      *int64         `json:"id"` // null in a dry run
	To      string         `json:"to"`
	Role    *protocol.Role `json:"role"` // null without separate roles
	Subject string         `json:"subject"`
	Body    string         `json:"body_md"`
}

// Start sends one KICKOFF to each recipient, all of them or none. Any number of starts of the
// same question may run at once: each gets an id of its own (PROTOCOL 2).
func (s *Sessions) Start(ctx context.Context, req StartRequest) (Started, error) {
	if req.DryRun {
		req.Key = ""
	} else {
		req.Key = cmp.Or(req.Key, mail.NextKey(ctx))
	}
	req.seal = sealOf(req)
	for {
		started, err := s.start(ctx, req)
		if req.ThreadID != "" || !errors.Is(err, mail.ErrThreadExists) {
			return started, err
		}
		// Another start took the generated id after it was chosen: choose the next one.
	}
}

func (s *Sessions) start(ctx context.Context, req StartRequest) (Started, error) {
	previous, err := s.previous(ctx, &req)
	if err != nil {
		return Started{}, err
	}
	choice, findings := ChooseRoster(req.Roster)
	recipients, err := s.describe(ctx, &choice, req.Roster.Described)
	if err != nil {
		return Started{}, err
	}
	started := Started{Roster: choice.Roster.WithDefaults(), Origins: append([]Origin{}, choice.Origins...), Messages: []Kickoff{},
		Findings: findings}
	if len(choice.Recipients) == 0 && !protocol.HasErrors(findings) {
		started.Findings = append(started.Findings, protocol.NewFinding(protocol.EmptyRoster, "there is no one to receive the kickoff").
			WithFix("name agents, or give a roster or a preset").Doing(protocol.Given("to")))
	}
	if done, err := s.startedBefore(ctx, req, &started); done || err != nil {
		return started, err
	}
	id, more, err := s.threadFor(ctx, req)
	started.ThreadID = id
	started.Findings = append(started.Findings, more...)
	if err != nil {
		return started, err
	}
	if protocol.HasErrors(started.Findings) {
		return started, invalid("the session cannot start", started.Findings)
	}
	from, err := previous.origin(req)
	if err != nil {
		return started, err
	}
	for _, name := range choice.Recipients {
		started.Messages = append(started.Messages, s.kickoff(req, from, choice.Roster, name))
	}
	unknown, err := s.admit(ctx, req.From, choice.Recipients)
	switch {
	case err != nil:
		return started, err
	case req.DryRun:
		err = started.check(req)
	default:
		err = s.sendKickoffs(ctx, req, &started, admitted{recipients, unknown})
	}
	started.take(s.UnknownFamilies(recipients...))
	return started, err
}

// previous is the session that a further round continues, or that a new session goes on from; nil for neither. The request gets
// question and context of that session where the operator gives no others.
func (s *Sessions) previous(ctx context.Context, req *StartRequest) (*Session, error) {
	switch {
	case req.Round > 1 && req.After != "":
		return nil, protocol.Errorf(protocol.Usage, "a further round continues its own session; only a new session goes on from another")
	case req.Round <= 1 && req.After == "":
		return nil, nil
	}
	id := req.After
	if id == "" {
		id = req.ThreadID
	}
	of, err := s.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	req.Question = cmp.Or(req.Question, of.View.Question)
	if req.After != "" {
		req.Context = cmp.Or(req.Context, of.context(), fmt.Sprintf("This session goes on from %s.", of.ID()))
	}
	return of, s.continued(ctx, of.View, req)
}

// context is the background that the session began with.
func (s *Session) context() string {
	if rt := s.View.Fold.Artifact().Thread; rt != nil {
		return rt.Text(artifact.Context)
	}
	return ""
}

// origin is where a round, or a session, begins: all that its KICKOFFs tell of what was before.
type origin struct {
	round    *roundState
	ancestor *prompt.Ancestor
}

// origin is nothing for a session that begins anew. NOT_ALLOWED: the sender may open no round.
func (s *Session) origin(req StartRequest) (origin, error) {
	switch {
	case s == nil:
		return origin{}, nil
	case req.After != "":
		return origin{ancestor: s.ancestor()}, nil
	}
	return origin{round: s.roundState(req.Focus)}, MayOpenRounds(s.View, req.From)
}

// admit looks up who is to take part, before any agent is registered: recipients may be new, but not
// retired; the sender must be there, unless it is the operator, who is made on first use
// (PROTOCOL 11, 12). The result are the new ones.
func (s *Sessions) admit(ctx context.Context, from string, recipients []string) ([]string, error) {
	names := append([]string{from}, recipients...)
	agents, err := s.store().Agents(ctx, s.project(), names...)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for i, name := range names {
		at := slices.IndexFunc(agents, func(a mail.Agent) bool { return protocol.SameAgent(a.Name, name) })
		switch {
		case at >= 0 && agents[at].Retired():
			return nil, mail.AgentRetired(agents[at].Name)
		case at >= 0:
		case i == 0 && !protocol.SameAgent(name, mail.Operator):
			return nil, mail.UnknownAgent(name)
		case !protocol.ValidAgentName(name):
			return nil, protocol.Errorf(protocol.InvalidInput, "%q cannot be an agent's name: letters, digits, _ and -, at most 64", name)
		default:
			unknown = append(unknown, name)
		}
	}
	return unknown, nil
}

func invalid(what string, findings []protocol.Finding) error {
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			return protocol.Errorf(f.Code, "%s: %s", what, f.Message).WithFindings(findings)
		}
	}
	return protocol.Errorf(protocol.ValidationFailed, "%s", what).WithFindings(findings)
}

// continued fills in who takes part in a further round, or in a session that goes on from another: the roster of before, unless flags
// or environment name another; without any roster, those who wrote and received so far.
func (s *Sessions) continued(ctx context.Context, v *fold.View, req *StartRequest) error {
	r := &req.Roster
	if r.decided() {
		return nil
	}
	if previous, ok := v.Fold.Roster(); ok && len(previous.Entries) > 0 {
		before := "the round before"
		if req.After != "" {
			before = "the session before"
		}
		r.Sources = append(slices.Clone(r.Sources), RosterSource{
			Origin: before, Entries: previous.Entries, Mode: previous.Mode, Name: previous.Name,
		})
		return nil
	}
	if len(r.Recipients) > 0 || len(r.Project.Entries) > 0 || len(r.Choices) > 0 {
		return nil
	}
	var err error
	r.Recipients, err = s.mail.Receivers(ctx, v.Participants, req.From)
	return err
}

// threadFor decides the thread's id. A thread that exists takes a further round, never a
// second start.
func (s *Sessions) threadFor(ctx context.Context, req StartRequest) (string, []protocol.Finding, error) {
	taken := func(id string) bool {
		_, err := s.mail.Thread(ctx, id)
		return err == nil
	}
	switch {
	case req.ThreadID != "":
		if taken(req.ThreadID) && req.Round <= 1 {
			return req.ThreadID, nil, protocol.Errorf(protocol.Conflict,
				"%s exists already; the number of a round opens a further one", req.ThreadID).Doing(protocol.Given("round"))
		}
		return req.ThreadID, append(protocol.CheckThreadID(req.ThreadID), s.beadFinding(ctx, req.ThreadID)...), nil
	case req.Slug != "":
		id, findings := protocol.ThreadIDFromSlug(req.Slug, s.now(), taken)
		return id, findings, nil
	default:
		return protocol.GenerateThreadID(req.Question, s.now(), taken), nil, nil
	}
}

// beadFinding: MB-124 for an engineering thread, which is named after a bead. No beads at all is fine.
func (s *Sessions) beadFinding(ctx context.Context, id string) []protocol.Finding {
	if s.settings.Bead == nil || protocol.KindOf(id) != protocol.Engineering {
		return nil
	}
	if _, ok := s.settings.Bead(ctx, id); ok {
		return nil
	}
	return []protocol.Finding{protocol.NewFinding(protocol.MB124, "there is no bead %s", id)}
}

// kickoff writes the message to one recipient.
func (s *Sessions) kickoff(req StartRequest, from origin, roster protocol.Roster, to string) Kickoff {
	role := roleIn(roster, to)
	text, _ := prompt.For(role, s.settings.Prompts[role])
	subject := kickoffSubject(req)
	k := Kickoff{To: to, Subject: subject, Body: prompt.Kickoff{
		Title: strings.TrimPrefix(subject, "KICKOFF: "), Question: req.Question, Context: req.Context, Excerpt: req.Excerpt,
		Hypotheses: req.Hypotheses, Constraints: req.Constraints, Outputs: req.Outputs,
		Roster: roster.WithDefaults(), Role: role, RolePrompt: text, Round: req.Round, State: from.round.of(to), Ancestor: from.ancestor,
	}.Body()}
	if role != prompt.RoleUnified {
		k.Role = &role
	}
	return k
}

// roleIn is the role that a kickoff gives a recipient.
func roleIn(roster protocol.Roster, to string) protocol.Role {
	if r, ok := roster.RoleOf(to); ok && roster.Mode != protocol.ModeUnified {
		return r
	}
	return prompt.RoleUnified
}

func kickoffSubject(req StartRequest) string {
	const maxTitle = 80
	text := strings.Join(strings.Fields(req.Question), " ")
	if req.Round > 1 {
		text = strings.TrimSpace(fmt.Sprintf("Round %d %s", req.Round, text))
	}
	return "KICKOFF: " + protocol.Fit(text, maxTitle)
}

// check judges the messages without sending them.
func (st *Started) check(req StartRequest) error {
	for i, k := range st.Messages {
		place := message.FirstKickoff
		if i > 0 || req.Round > 1 {
			place = message.LaterKickoff
		}
		report := message.Check(st.draft(req, k), message.Facts{Kickoff: place})
		st.take(report.Findings)
		if report.Refused() {
			return invalid("the kickoff is refused", report.Findings)
		}
	}
	return nil
}

func (st *Started) draft(req StartRequest, k Kickoff) message.Draft {
	yes := true
	return message.Draft{
		ThreadID: st.ThreadID, From: req.From, To: []string{k.To}, Subject: k.Subject, Body: k.Body,
		AckRequired: &yes, Importance: message.Normal,
	}
}

// take adds findings that are not there yet: each recipient's message would repeat them.
func (st *Started) take(findings []protocol.Finding) {
	for _, f := range findings {
		if f.Code == protocol.MB101 { // no one writes this body by hand
			f = f.WithFix("give passages of the transcript as the excerpt").Doing(protocol.Given("excerpt"))
		}
		if !slices.Contains(st.Findings, f) {
			st.Findings = append(st.Findings, f)
		}
	}
}

// admitted are the recipients of a start, and the names of those who are new.
type admitted struct {
	recipients []mail.Agent
	unknown    []string
}

// sendKickoffs registers who is new, and sends all messages in one go. What the roster or the request says of a
// recipient's program and model holds for one that is known as well.
func (s *Sessions) sendKickoffs(ctx context.Context, req StartRequest, st *Started, who admitted) error {
	if err := s.mail.EnsureAgents(ctx, req.From); err != nil {
		return err
	}
	for _, a := range who.recipients {
		if !slices.Contains(who.unknown, a.Name) && a.Program+a.Model == "" {
			continue
		}
		if _, err := s.mail.Register(ctx, mail.Registration{Name: a.Name, Program: a.Program, Model: a.Model,
			Appointed: true}); err != nil {
			return err
		}
	}
	outgoing := make([]mail.Outgoing, len(st.Messages))
	for i, k := range st.Messages {
		outgoing[i] = mail.Outgoing{Draft: st.draft(req, k), Opens: req.Round <= 1}
		if req.Key != "" {
			outgoing[i].Key, outgoing[i].Seal = kickoffKey(req.Key, i), req.seal
		}
	}
	sent, err := s.mail.SendAll(ctx, outgoing...)
	for i, m := range sent {
		st.take(m.Findings)
		if id := m.Message.ID; id != 0 {
			st.Messages[i].ID = &id
		}
	}
	return err
}
