package mail

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"brenner/internal/artifact/delta"
	"brenner/internal/canon"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Outgoing is a message to be sent.
type Outgoing struct {
	message.Draft
	Key   string     // idempotency key; empty: none
	Seal  canon.Hash // of what was asked for under the key; zero: the message itself
	Opens bool       // it is meant as the first of its thread: CONFLICT if that has messages

	Access Access // what its sender may read, and so be told of; the zero value is everything
}

// Verdict is what the door has to say about a message. After a refusal everything but Message
// is set.
type Verdict struct {
	Message  Message
	Type     protocol.MessageType
	Receipt  *delta.Receipt // nil for a message that is no DELTA and has no blocks
	Findings []protocol.Finding
	More     int // findings that are counted only
	// Afterwards are those of the findings that Options.Accepted came to once the message was in the log.
	Afterwards []protocol.Finding
}

// told adds what Options.Accepted came to.
func (v *Verdict) told(findings []protocol.Finding) {
	v.Afterwards = findings
	v.Findings = append(v.Findings, findings...)
}

// Send judges a message and, unless it is refused, delivers it. The sender and every recipient
// must be registered and not retired (UNKNOWN_AGENT, AGENT_RETIRED). On a thread under the
// protocol an error finding refuses it: VALIDATION_FAILED, and nothing is stored. A key used before
// gives the first result again, or IDEMPOTENCY_CONFLICT. An answer to a message that is not
// there is NOT_FOUND; one to a message without a thread makes the thread {message id} (PROTOCOL
// 2). An ACK that names a message acknowledges it.
func (s *Service) Send(ctx context.Context, out Outgoing) (Verdict, error) {
	if out.Key == "" {
		out.Key = NextKey(ctx)
	}
	for {
		sent, err := s.send(ctx, out)
		// The thread moved after the message was judged: judge again on what is there now. Each
		// time another message was accepted.
		if !moved(err) {
			return sent, err
		}
	}
}

// moved tells whether a thread moved between the judgement of an entry and its insertion.
func moved(err error) bool {
	return errors.Is(err, ErrThreadOpened) || errors.Is(err, ErrVersionTaken) || errors.Is(err, ErrThreadMoved)
}

func (s *Service) send(ctx context.Context, out Outgoing) (Verdict, error) {
	key, payload := "", canon.Hash{}
	if out.Key != "" {
		key, payload = "key:"+out.Key, payloadOf(&out)
		if sent, found, err := s.replay(ctx, key, payload, out.Body); err != nil || found {
			return sent, err
		}
	}
	l, err := s.address(ctx, &out)
	if err != nil {
		return Verdict{}, err
	}
	sent, err := s.judge(ctx, l)
	if err != nil {
		return sent, err
	}
	l.entry.Key, l.entry.Payload = key, payload
	messages, err := s.store.Append(ctx, s.project.ID, s.Now(), l.entry)
	if err != nil {
		return sent, err
	}
	sent.Message = messages[0]
	if l.accepted != nil {
		l.accepted(sent.Message)
	}
	sent.told(s.Accepted(ctx, sent.Message))
	return sent, nil
}

// payloadOf hashes what a caller sends, so that the use of a key for something else is seen.
func payloadOf(out *Outgoing) canon.Hash {
	if out.Seal != (canon.Hash{}) {
		return out.Seal
	}
	m := message.Message{
		ThreadID: out.ThreadID, From: NameKey(out.From), To: nameKeys(out.To), Cc: nameKeys(out.Cc), Bcc: nameKeys(out.Bcc),
		Subject: out.Subject, Body: out.Body, Importance: out.Importance,
		Intake: protocol.Intake(ackWord(out.AckRequired)),
	}
	line := NewChainLine(&m, out.ReplyTo)
	return line.Chain(canon.Hash{}, 0, out.CreatedAt)
}

// ackWord tells "not said" from yes and no.
func ackWord(ack *bool) string {
	if ack == nil {
		return "default"
	}
	return strconv.FormatBool(*ack)
}

func nameKeys(names []string) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = NameKey(name)
	}
	return keys
}

// replay returns the result of an earlier send with the same key. An archived message has lost its text: the payload
// proves that it is the one sent again.
func (s *Service) replay(ctx context.Context, key string, payload canon.Hash, body string) (Verdict, bool, error) {
	found, err := s.withArchived(ctx, MessageQuery{Project: s.project.ID, Keys: []string{key}})
	if err != nil || len(found) == 0 {
		return Verdict{}, false, err
	}
	m := found[0]
	if m.Payload != payload {
		return Verdict{}, true, KeyUsed(&m)
	}
	m.Body = body
	report := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
	return Verdict{Message: m, Type: m.Type, Receipt: report.Receipt, Findings: lowered(report.Findings), More: report.More}, true, nil
}

// KeyUsed is the error for a key under which something else was sent.
func KeyUsed(m *Message) error {
	return protocol.Errorf(protocol.IdempotencyConflict, "the idempotency key was used before, for message %d with another payload", m.ID)
}

// candidate is a message on its way through the door.
type candidate struct {
	draft  message.Draft
	thread Thread // as it is before the message
	agents map[string]Agent
	access Access
	entry  Entry

	accepted func(m Message) // Ruling.Accepted
}

// maxRecipients bounds the names of one message: each is looked up.
const maxRecipients = 10_000

// address finds sender, recipients, thread and what the message answers.
func (s *Service) address(ctx context.Context, out *Outgoing) (*candidate, error) {
	l := &candidate{draft: out.Draft, access: s.sender(ctx, out.Access)}
	d := &l.draft
	if n := len(d.To) + len(d.Cc) + len(d.Bcc); n > maxRecipients {
		return nil, protocol.Errorf(protocol.InvalidInput, "%d recipients are more than the %d that one message may have", n,
			maxRecipients)
	}
	if d.Importance == "" {
		d.Importance = message.Normal
	}
	var err error
	if l.agents, err = s.correspondents(ctx, d); err != nil {
		return nil, err
	}
	if d.ReplyTo != 0 {
		target, err := l.readable(ctx, s, d.ReplyTo)
		if err != nil {
			return nil, err
		}
		l.entry.ReplyOrigin = target.OriginID()
		if d.ThreadID == "" {
			d.ThreadID = ThreadOfReply(&target)
		}
	}
	l.thread, err = threadOf(ctx, s.store, s.project.ID, d.ThreadID)
	if err == nil {
		err = l.mayWrite(ctx)
	}
	if err == nil && out.Opens && l.thread.Messages > 0 {
		err = protocol.Errorf(protocol.Conflict, "%s: %w", d.ThreadID, ErrThreadExists)
	}
	if err == nil {
		err = l.thread.CheckPresent()
	}
	return l, err
}

// ThreadOfReply is the thread of an answer: that of the message, or {message id} if it has
// none (PROTOCOL 2).
func ThreadOfReply(m *Message) string {
	if m.ThreadID != "" {
		return m.ThreadID
	}
	return strconv.FormatInt(m.ID, 10)
}

// correspondents looks everyone up, writes names as they are registered, and drops
// recipients that are named again.
func (s *Service) correspondents(ctx context.Context, d *message.Draft) (map[string]Agent, error) {
	names := slices.Concat([]string{d.From}, d.To, d.Cc, d.Bcc)
	found, err := s.store.Agents(ctx, s.project.ID, names...)
	if err != nil {
		return nil, err
	}
	agents := make(map[string]Agent, len(found))
	for _, a := range found {
		agents[NameKey(a.Name)] = a
	}
	if missing := missingAgents(names, agents); len(missing) > 0 {
		return nil, missing[0]
	}
	d.From = agents[NameKey(d.From)].Name
	seen := map[string]bool{}
	for _, group := range []*[]string{&d.To, &d.Cc, &d.Bcc} {
		var kept []string
		for _, name := range *group {
			if key := NameKey(name); !seen[key] {
				seen[key] = true
				kept = append(kept, agents[key].Name)
			}
		}
		*group = kept
	}
	if len(seen) == 0 {
		return nil, protocol.Errorf(protocol.InvalidInput, "the message has no recipient")
	}
	return agents, nil
}

// missingAgents returns an error for each name that cannot take part.
func missingAgents(names []string, agents map[string]Agent) []error {
	var missing []error
	for _, name := range names {
		a, ok := agents[NameKey(name)]
		switch {
		case !ok:
			missing = append(missing, UnknownAgent(name))
		case a.Retired():
			missing = append(missing, AgentRetired(a.Name))
		}
	}
	return missing
}
