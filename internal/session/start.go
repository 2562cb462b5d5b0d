package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	var previous *fold.View // of a further round
	if req.Round > 1 {
		of, err := s.Session(ctx, req.ThreadID)
		if err != nil {
			return Started{}, err
		}
		previous = of.View
		if err := s.continued(ctx, previous, &req); err != nil {
			return Started{}, err
		}
	}
	choice, findings := ChooseRoster(req.Roster)
	started := Started{Roster: choice.Roster.WithDefaults(), Origins: append([]Origin{}, choice.Origins...), Messages: []Kickoff{}, Findings: findings}
	if len(choice.Recipients) == 0 && !protocol.HasErrors(findings) {
		started.Findings = append(started.Findings, protocol.NewFinding(protocol.EmptyRoster, "there is no one to receive the kickoff").
			WithFix("name agents with --to, or give a roster or a preset"))
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
	if previous != nil {
		if err := MayOpenRounds(previous, req.From); err != nil {
			return started, err
		}
	}
	state := earlier(previous, req)
	for _, name := range choice.Recipients {
		started.Messages = append(started.Messages, s.kickoff(req, previous, state, choice.Roster, name))
	}
	unknown, err := s.admit(ctx, req.From, choice.Recipients)
	switch {
	case err != nil:
		return started, err
	case req.DryRun:
		return started, started.check(req)
	}
	return started, s.sendKickoffs(ctx, req, &started, unknown)
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

// continued fills in for a further round who takes part: the roster of the round before, unless flags
// or environment name another; without any roster, those who wrote and received so far.
func (s *Sessions) continued(ctx context.Context, v *fold.View, req *StartRequest) error {
	r := &req.Roster
	if r.decided() {
		return nil
	}
	if previous, ok := v.Fold.Roster(); ok && len(previous.Entries) > 0 {
		r.Sources = append(slices.Clone(r.Sources), RosterSource{
			Origin: "the round before", Entries: previous.Entries, Mode: previous.Mode, Name: previous.Name,
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
				"%s exists already; --round N opens a further round of it", req.ThreadID)
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

// earlier is what a further round builds on.
func earlier(v *fold.View, req StartRequest) *prompt.State {
	if v == nil {
		return nil
	}
	state := &prompt.State{BaseArtifact: v.Latest(), Focus: req.Focus}
	for _, c := range v.OpenCritiques() {
		name := "#" + formatID(c.MessageID)
		if c.Item != nil {
			name = *c.Item
		}
		state.OpenCritiques = append(state.OpenCritiques, name)
	}
	return state
}

// kickoff writes the message to one recipient. A further round repeats the question where the
// operator gives no new one.
func (s *Sessions) kickoff(req StartRequest, previous *fold.View, state *prompt.State, roster protocol.Roster, to string) Kickoff {
	if previous != nil && req.Question == "" {
		req.Question = previous.Question
	}
	role := roleIn(roster, to)
	text, _ := prompt.For(role, s.settings.Prompts[role])
	subject := kickoffSubject(req)
	k := Kickoff{To: to, Subject: subject, Body: prompt.Kickoff{
		Title: strings.TrimPrefix(subject, "KICKOFF: "), Question: req.Question, Context: req.Context, Excerpt: req.Excerpt,
		Hypotheses: req.Hypotheses, Constraints: req.Constraints, Outputs: req.Outputs,
		Roster: roster.WithDefaults(), Role: role, RolePrompt: text, Round: req.Round, State: state,
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
	const most = 80
	text := strings.Join(strings.Fields(req.Question), " ")
	if req.Round > 1 {
		text = strings.TrimSpace(fmt.Sprintf("Round %d %s", req.Round, text))
	}
	return "KICKOFF: " + protocol.Fit(text, most)
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
			f = f.WithFix("give passages of the transcript with --excerpt-file FILE, or in the Excerpt field of the form")
		}
		if !slices.Contains(st.Findings, f) {
			st.Findings = append(st.Findings, f)
		}
	}
}

// sendKickoffs registers who is new, and sends all messages in one go. What the roster says of a
// recipient's program and model holds for one that is known as well.
func (s *Sessions) sendKickoffs(ctx context.Context, req StartRequest, st *Started, unknown []string) error {
	if err := s.mail.EnsureAgents(ctx, req.From); err != nil {
		return err
	}
	for _, k := range st.Messages {
		e, listed := st.Roster.Entry(k.To)
		if !slices.Contains(unknown, k.To) && (!listed || e.Program+e.Model == "") {
			continue
		}
		if _, err := s.mail.Register(ctx, mail.Registration{Name: k.To, Program: e.Program, Model: e.Model, Appointed: true}); err != nil {
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
