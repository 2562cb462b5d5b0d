package mcpserver

import (
	"context"
	"encoding/json"

	"brenner/internal/mail"
	"brenner/internal/message"
)

// beliefTools take what an agent believes.
func beliefTools() []*tool {
	return []*tool{
		{
			name: "brenner_believe", effect: adds,
			about: "State how likely you hold the hypotheses, and how likely each outcome of a test is under them. Replaces what you " +
				"said before.",
			in: []field{
				projectField, threadField.must(), senderField,
				{name: "credences", kind: "object", about: `{"H1": 0.5, "none": 0.1}: at most 1 in all; null withdraws`},
				{name: "likelihoods", kind: "object", about: `{"T1": {"labels": ["kept", "lost"], "H1": [0.9, 0.1]}}: each row sums to 1`},
				textField("rationale", "in a sentence or two"), keyField,
			},
			out: "message_id:integer thread_id:string created_ts:string subject:string to:array receipt:object? findings:array",
			run: believe,
		},
	}
}

func believe(ctx context.Context, c *call) (any, error) {
	s := submission{thread: c.thread(), from: c.actor("sender_name"), key: c.text("idempotency_key")}
	block := c.beliefBlock()
	p, err := c.threadProject(ctx, s.thread)
	if err != nil {
		return nil, err
	}
	if err := p.admit(ctx, s.from); err != nil {
		return nil, err
	}
	to, err := p.everybodyElse(ctx, s.thread, s.from)
	if err != nil {
		return nil, err
	}
	sent, err := p.mail.Send(ctx, mail.Outgoing{Key: s.key, Draft: message.Draft{
		ThreadID: s.thread, From: s.from, To: to, Subject: "INFO: Where I stand", Body: "# Where I stand\n\n" + block,
	}})
	if err != nil {
		return nil, refused(sent, err)
	}
	return posted(sent), nil
}

// beliefBlock writes the arguments as they were given, so that the door judges what the agent
// wrote; null is a value here, which withdraws.
func (c *call) beliefBlock() string {
	object := map[string]json.RawMessage{}
	for _, key := range []string{"credences", "likelihoods", "rationale"} {
		if raw, given := c.values[key]; given {
			object[key] = raw
		}
	}
	if object["credences"] == nil && object["likelihoods"] == nil {
		c.missing("credences")
	}
	data, err := json.Marshal(object)
	if err != nil {
		c.complain("credences", "the arguments are not JSON.")
	}
	return fencedBelief(data)
}

func fencedBelief(raw json.RawMessage) string { return "```belief\n" + indented(raw) + "\n```\n" }
