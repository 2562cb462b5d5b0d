package api

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

// sendRequest is a message as it is posted, and as it is judged before.
type sendRequest struct {
	From        string   `json:"from" about:"who sends; the caller unless said"`
	To          []string `json:"to"`
	Cc          []string `json:"cc"`
	Bcc         []string `json:"bcc"`
	ThreadID    string   `json:"thread_id"`
	Subject     string   `json:"subject"`
	Body        string   `json:"body_md"`
	AckRequired *bool    `json:"ack_required" about:"as the type of the message does unless said"`
	Importance  string   `json:"importance" about:"normal unless said" choices:"low,normal,high,urgent"`
	ReplyTo     int64    `json:"reply_to" about:"id of the message that this one answers"`
	Key         string   `json:"idempotency_key" about:"sending again under the same key sends nothing"`
	HeaderKey   string   `header:"Idempotency-Key" json:"-" about:"the same as idempotency_key"`
}

// outgoing completes a sendRequest for its sender.
func (l *sendRequest) outgoing(from string) (mail.Outgoing, error) {
	out := mail.Outgoing{
		Draft: message.Draft{
			ThreadID: l.ThreadID, From: from, To: l.To, Cc: l.Cc, Bcc: l.Bcc, Subject: l.Subject, Body: l.Body,
			AckRequired: l.AckRequired, ReplyTo: l.ReplyTo,
		},
		Key: l.Key,
	}
	if out.Key == "" {
		out.Key = l.HeaderKey
	} else if l.HeaderKey != "" && l.HeaderKey != l.Key {
		return out, protocol.Errorf(protocol.Usage, "Idempotency-Key and idempotency_key differ")
	}
	var err error
	out.Importance, err = importance(l.Importance)
	return out, err
}

func importance(text string) (message.Importance, error) {
	switch i := message.Importance(text); i {
	case "":
		return message.Normal, nil
	case message.Low, message.Normal, message.High, message.Urgent:
		return i, nil
	}
	wrong := protocol.NewFinding(protocol.InvalidField, "%q is no importance; use low, normal, high or urgent.", protocol.Brief(text)).
		In("importance").As(protocol.SeverityError)
	return "", protocol.Errorf(protocol.Usage, "%s", wrong.Message).WithFindings([]protocol.Finding{wrong})
}

// newSent tells of a message that was sent, or why it was not: with the receipt of its blocks.
func newSent(v mail.Verdict, err error) (usecase.Sent, error) {
	if err != nil && v.Receipt != nil {
		err = refused{err, v.Receipt}
	}
	return usecase.NewSent(v), err
}

func (a *API) send(ctx context.Context, who Caller, in sendRequest) (usecase.Sent, error) {
	from, err := a.actor(ctx, who, in.From)
	if err != nil {
		return usecase.Sent{}, err
	}
	out, err := in.outgoing(from)
	if err == nil && out.ReplyTo != 0 {
		err = a.deps.Access(ctx).CheckMessage(ctx, out.ReplyTo)
	}
	if err != nil {
		return usecase.Sent{}, err
	}
	out.Access = a.deps.Access(ctx)
	return newSent(a.deps.Sessions.Mail().Send(ctx, out))
}

type replyLetter struct {
	ID          int64    `path:"id" json:"-"`
	As          string   `json:"as" about:"who answers; the caller unless said"`
	Body        string   `json:"body_md"`
	Subject     string   `json:"subject" about:"Re: and the subject of the message unless said"`
	To          []string `json:"to" about:"its sender unless said"`
	Cc          []string `json:"cc"`
	Bcc         []string `json:"bcc"`
	AckRequired *bool    `json:"ack_required"`
	Importance  string   `json:"importance" choices:"low,normal,high,urgent"`
	Key         string   `json:"idempotency_key"`
	HeaderKey   string   `header:"Idempotency-Key" json:"-" about:"the same as idempotency_key"`
}

func (a *API) replyTo(ctx context.Context, who Caller, in replyLetter) (usecase.Sent, error) {
	from, err := a.actor(ctx, who, in.As)
	if err != nil {
		return usecase.Sent{}, err
	}
	l := sendRequest{
		To: in.To, Cc: in.Cc, Bcc: in.Bcc, Subject: in.Subject, Body: in.Body, AckRequired: in.AckRequired,
		Importance: in.Importance, Key: in.Key, HeaderKey: in.HeaderKey,
	}
	out, err := l.outgoing(from)
	if err != nil {
		return usecase.Sent{}, err
	}
	return newSent(a.deps.Sessions.Mail().Reply(ctx, in.ID, "", out))
}

type reading struct {
	ID int64  `path:"id" json:"-"`
	As string `json:"as" about:"who has read it; the caller unless said"`
}

type readMark struct {
	MessageID int64  `json:"message_id"`
	Agent     string `json:"agent"`
	Read      bool   `json:"read"`
	ReadAt    string `json:"read_at"`
}

func (a *API) markRead(ctx context.Context, who Caller, in reading) (readMark, error) {
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return readMark{}, err
	}
	d, err := a.deps.Sessions.Mail().MarkRead(ctx, as, in.ID)
	if err != nil {
		return readMark{}, err
	}
	return readMark{in.ID, d.Agent, true, mail.FormatTime(d.ReadAt)}, nil
}

type acknowledgement struct {
	ID   int64  `path:"id" json:"-"`
	As   string `json:"as" about:"who acknowledges; the caller unless said"`
	Body string `json:"body_md" about:"what the ACK message says; without it none is posted"`
}

type ackMark struct {
	MessageID    int64  `json:"message_id"`
	Agent        string `json:"agent"`
	Acknowledged bool   `json:"acknowledged"`
	AckAt        string `json:"acknowledged_at"`
	ReadAt       string `json:"read_at"`
}

func (a *API) acknowledge(ctx context.Context, who Caller, in acknowledgement) (ackMark, error) {
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return ackMark{}, err
	}
	d, err := a.deps.Sessions.Mail().Acknowledge(ctx, as, in.ID, in.Body)
	if err != nil {
		return ackMark{}, err
	}
	return ackMark{in.ID, d.Agent, true, mail.FormatTime(d.AckAt), mail.FormatTime(d.ReadAt)}, nil
}
