package mcpserver

import (
	"context"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// sendTools write messages.
func sendTools() []*tool {
	const keys = "deliveries:array count:integer receipt:object? findings:array"
	return []*tool{
		{
			name: "send_message", effect: adds, core: true, session: true,
			about: "Send a Markdown message. On research threads (RS-…) a message that breaks the protocol is refused, with what to mend.",
			in: []field{
				projectField, senderField, namesField("to", "agent names").must(), textField("subject", subjectText()).must(),
				textField("body_md", bodyText()).must(),
				namesField("cc", "agent names"), namesField("bcc", "agent names, seen by nobody else"), threadField,
				textField("importance", "how urgent it is").among("low", "normal", "high", "urgent").or(`"normal"`),
				flagField("ack_required", "default: by message type"), keyField,
			},
			out: keys, run: sendMessage,
		},
		{
			name: "reply_message", effect: adds, core: true,
			about: "Answer a message on its thread; to its sender unless you name others.",
			in: []field{
				projectField, messageField, senderField, textField("body_md", "Markdown").must(),
				namesField("to", "agent names; default: the sender"), namesField("cc", "agent names"), namesField("bcc", "agent names"),
				textField("subject_prefix", "before the subject").or(`"Re:"`), flagField("ack_required", "ask for an acknowledgement"),
			},
			out: keys, run: replyMessage,
		},
	}
}

// sendResult is what sending came to.
type sendResult struct {
	Deliveries []delivery         `json:"deliveries"`
	Count      int                `json:"count"` // of deliveries
	Receipt    *delta.Receipt     `json:"receipt"`
	Findings   []protocol.Finding `json:"findings"`
	More       int                `json:"more"` // findings that are counted only
}

type delivery struct {
	Project string      `json:"project"`
	Payload mail.Object `json:"payload"`
}

func sendMessage(ctx context.Context, c *call) (any, error) {
	out := c.outgoing()
	out.Subject, out.ThreadID = c.present("subject"), strings.TrimSpace(c.text("thread_id"))
	if len(out.To)+len(out.Cc)+len(out.Bcc) == 0 {
		c.missing("to")
	}
	p, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.admit(ctx, out.From); err != nil {
		return nil, err
	}
	out.Access = c.server.access(c.caller, p)
	sent, err := p.mail.Send(ctx, out)
	return p.sent(sent, err)
}

func replyMessage(ctx context.Context, c *call) (any, error) {
	out := c.outgoing()
	id, prefix := c.requiredID("message_id"), strings.TrimSpace(c.text("subject_prefix"))
	p, err := c.messageProject(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := p.admit(ctx, out.From); err != nil {
		return nil, err
	}
	sent, err := p.mail.Reply(ctx, id, prefix, out)
	return p.sent(sent, err)
}

// outgoing reads what all messages have.
func (c *call) outgoing() mail.Outgoing {
	return mail.Outgoing{
		Draft: message.Draft{
			From: c.actor("sender_name"), To: c.agents("to"), Cc: c.agents("cc"), Bcc: c.agents("bcc"), Body: c.present("body_md"),
			AckRequired: c.optionalFlag("ack_required"), Importance: c.importance(),
		},
		Key: c.text("idempotency_key"),
	}
}

func (c *call) importance() message.Importance {
	switch i := message.Importance(strings.ToLower(strings.TrimSpace(c.text("importance")))); i {
	case "":
		return message.Normal
	case message.Low, message.Normal, message.High, message.Urgent:
		return i
	default:
		c.complain("importance", "importance is low, normal, high or urgent, not %q.", string(i))
		return i
	}
}

// admit registers the operator on first use (PROTOCOL 12); all others register first.
func (p *project) admit(ctx context.Context, sender string) error {
	if mail.NameKey(sender) != mail.NameKey(mail.Operator) {
		return nil
	}
	return p.mail.EnsureAgents(ctx, sender)
}

// sent tells what became of a message. One that was refused brings its receipt back.
func (p *project) sent(v mail.Verdict, err error) (any, error) {
	if err != nil {
		return nil, refused(v, err)
	}
	return sendResult{
		Deliveries: []delivery{{p.key(), mail.NewObject(&v.Message, nil, v.Message.From)}},
		Count:      1, Receipt: advisedReceipt(v.Receipt), Findings: protocol.NonNil(advised(v.Findings)), More: v.More,
	}, nil
}

func refused(v mail.Verdict, err error) error {
	if v.Receipt == nil {
		return err
	}
	return refusal{err, advisedReceipt(v.Receipt)}
}
