package foreign

import (
	"context"
	"slices"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Append implements mail.Store as far as a server without transactions allows: entries are sent
// one after the other, and one that fails leaves those before it standing, which the error says.
// Imports, which keep their times, cannot be sent at all.
func (s *Store) Append(ctx context.Context, project mail.ProjectID, _ time.Time, entries ...mail.Entry) ([]mail.Message, error) {
	p, err := s.project(project)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if entries[i].Imported {
			return nil, notAllowed("imports: it would give old mail a new time")
		}
		if err := s.fits(ctx, p, &entries[i]); err != nil {
			return nil, err
		}
	}
	var sent []mail.Message
	for i := range entries {
		m, err := s.send(ctx, p, &entries[i])
		if err != nil {
			return nil, partly(err, sent)
		}
		sent = append(sent, m)
		if err := s.afterSend(ctx, p, &entries[i], &m); err != nil {
			return nil, err
		}
	}
	return sent, nil
}

// partly says how much of a call that failed in its middle was written.
func partly(err error, sent []mail.Message) error {
	if len(sent) == 0 {
		return err
	}
	return protocol.Errorf(protocol.CodeOf(err), "%d messages of this call were sent before it failed, the last of them %d: %w",
		len(sent), sent[len(sent)-1].ID, err)
}

// fits checks what a store of our own checks inside the transaction. Here something may still
// land in between.
func (s *Store) fits(ctx context.Context, p mail.Project, e *mail.Entry) error {
	if err := s.checkMember(ctx, p, e); err != nil {
		return err
	}
	if !e.Opens && !e.Gapless && e.Follows == 0 {
		return nil
	}
	threads, err := s.Threads(ctx, mail.ThreadQuery{Project: p.ID, IDs: []string{e.Message.ThreadID}})
	if err != nil {
		return err
	}
	latest := 0
	if len(threads) > 0 {
		latest = threads[0].LatestVersion
	}
	switch {
	case e.Opens && len(threads) > 0:
		return mail.ErrThreadOpened
	case e.Gapless && e.Version != latest+1:
		return mail.ErrVersionTaken
	case e.Follows != 0 && (len(threads) == 0 || threads[0].HeadID != e.Follows):
		return mail.ErrThreadMoved
	}
	return nil
}

// checkMember refuses a sender who is no member of the thread (PROTOCOL 16).
func (s *Store) checkMember(ctx context.Context, p mail.Project, e *mail.Entry) error {
	if !e.Member || e.Message.ThreadID == "" {
		return nil
	}
	messages, err := s.thread(ctx, p, e.Message.ThreadID)
	if err == nil && len(messages) > 0 && !membersOf(messages).Has(e.Message.From) {
		err = mail.NoThread(e.Message.ThreadID)
	}
	return err
}

// send posts one entry. The contract's send_message cannot say what a message answers, and
// reply_message chooses the subject itself: the latter is used where its subject is ours.
func (s *Store) send(ctx context.Context, p mail.Project, e *mail.Entry) (mail.Message, error) {
	m := &e.Message
	args := arguments{
		"project_key": p.HumanKey, "sender_name": m.From, "to": protocol.NonNil(m.To), "body_md": m.Body, "ack_required": m.AckRequired,
	}
	for name, list := range map[string][]string{"cc": m.Cc, "bcc": m.Bcc} {
		if len(list) > 0 {
			args[name] = list
		}
	}
	tool := "send_message"
	if answers, err := s.answers(ctx, p, e); err != nil {
		return mail.Message{}, err
	} else if answers {
		tool = "reply_message"
		args["message_id"] = m.ReplyTo
	} else {
		args["subject"], args["importance"] = m.Subject, m.Importance
		if m.ThreadID != "" {
			args["thread_id"] = m.ThreadID
		}
		if e.Key != "" {
			args["idempotency_key"] = e.Key
		}
	}
	var result struct {
		Deliveries []struct{ Payload messageObject }
	}
	if err := s.caller.Tool(ctx, tool, args, &result); err != nil {
		return mail.Message{}, err
	}
	if len(result.Deliveries) == 0 || result.Deliveries[0].Payload.ID == 0 {
		return mail.Message{}, unavailable("the server does not say which message it made")
	}
	made := filled(&result.Deliveries[0].Payload, m).message(p.ID)
	if tool == "reply_message" {
		made.ReplyTo, made.ReplyOrigin = m.ReplyTo, m.ReplyTo // which not every server tells
	}
	made.Type, made.Version, made.ArtifactHash, made.Key, made.Payload = e.Type, e.Version, e.ArtifactHash, e.Key, e.Payload
	return made, nil
}

// filled adds what was sent where the server says no more than that it was.
func filled(o *messageObject, m *message.Message) *messageObject {
	if o.Body == nil {
		body := word(m.Body)
		o.Body = &body
	}
	if o.From == "" {
		o.From = word(m.From)
	}
	if o.Subject == "" {
		o.Subject = word(m.Subject)
	}
	if o.ThreadID == "" {
		o.ThreadID = word(m.ThreadID)
	}
	if len(o.To)+len(o.Cc)+len(o.Bcc) == 0 {
		o.To, o.Cc, o.Bcc = m.To, m.Cc, m.Bcc
	}
	return o
}

// answers tells whether reply_message would send this very message.
func (s *Store) answers(ctx context.Context, p mail.Project, e *mail.Entry) (bool, error) {
	if e.Message.ReplyTo == 0 || e.Key != "" {
		return false, nil
	}
	found, err := s.byID(ctx, p, []int64{e.Message.ReplyTo})
	if err != nil || len(found) == 0 {
		return false, err
	}
	target := &found[0]
	return e.Message.Subject == mail.ReplySubject("Re:", target.Subject) && e.Message.ThreadID == mail.ThreadOfReply(target), nil
}

// afterSend does what belongs to a message that was sent: it acknowledges, and looks whether
// its version is the only one.
func (s *Store) afterSend(ctx context.Context, p mail.Project, e *mail.Entry, sent *mail.Message) error {
	for _, ack := range e.Acks {
		_, err := s.Mark(ctx, mail.Mark{Project: p.ID, Agent: ack.Agent, Messages: []int64{ack.Message}, State: mail.Acknowledged,
			At: sent.CreatedAt})
		if err != nil && protocol.CodeOf(err) != protocol.NotFound {
			return err
		}
	}
	if e.Type != protocol.TypeCompiled || e.Version == 0 {
		return nil
	}
	messages, err := s.thread(ctx, p, e.Message.ThreadID)
	if err != nil {
		return err
	}
	return raced(messages, e, sent)
}

// raced reports a version that another agent published too, which a foreign server cannot
// prevent (PROTOCOL 10).
func raced(messages []mail.Message, e *mail.Entry, sent *mail.Message) error {
	other := slices.IndexFunc(messages, func(m mail.Message) bool { return m.Version == e.Version && m.ID != sent.ID })
	if other < 0 {
		return nil
	}
	return protocol.Errorf(protocol.Conflict,
		"version %d of %s was published twice on the foreign server, as messages %d and %d: compile again once both are merged",
		e.Version, e.Message.ThreadID, min(messages[other].ID, sent.ID), max(messages[other].ID, sent.ID))
}

// Compose implements mail.Store without its promise: what compose reads may be old when its
// entries are sent. Versions are checked before and after.
func (s *Store) Compose(ctx context.Context, project mail.ProjectID, at time.Time,
	compose func(context.Context, mail.Tx) ([]mail.Entry, error),
) ([]mail.Message, error) {
	if _, err := s.project(project); err != nil {
		return nil, err
	}
	entries, err := compose(ctx, &loose{s, mail.Truncate(at)})
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	if slices.ContainsFunc(entries, func(e mail.Entry) bool { return e.Key != "" }) {
		// Without a transaction, and without looking keys up, each pass would post it again.
		return nil, notAllowed("posting something exactly once, as reminders are")
	}
	return s.Append(ctx, project, at, entries...)
}

// loose is the inside of a Compose that is no transaction.
type loose struct {
	*Store
	at time.Time
}

// NextID implements mail.Tx: the server alone knows.
func (l *loose) NextID() int64 { return 0 }

// Time implements mail.Tx: what the clock here says; the server will use its own.
func (l *loose) Time() time.Time { return l.at }

// Loose tells that messages may land unseen, so that a version has to say how far it goes.
func (l *loose) Loose() bool { return true }
