package mcpserver

import (
	"context"
	"encoding/json"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/science"
	"brenner/internal/session"
)

// beliefTools say what is believed and what to do next, and take what an agent believes.
func beliefTools() []*tool {
	return []*tool{
		{
			name: "brenner_next", effect: reads,
			about: "What to do next in a session: what waits for a person, the tests by bits of information per effort, pairs of hypotheses no test " +
				"tells apart, how likely each hypothesis is held, who has reviewed it, how many predictions came before their results.",
			in: []field{projectField, threadField.must()},
			out: "tests:array unseparated:array first:array findings:array worlds:array entropy_bits:number disagreement_bits:number " +
				"review:object predictions:object notice:string",
			run: showNext,
		},
		{
			name: "brenner_believe", effect: adds,
			about: "State how likely you hold the hypotheses, and how likely each outcome of a test is under them. Replaces what you said before.",
			in: []field{
				projectField, threadField.must(), senderField,
				{name: "credences", kind: "object", about: `{"H1": 0.5, "none": 0.1}: at most 1 in all; null withdraws`},
				{name: "likelihoods", kind: "object", about: `{"T1": {"labels": ["kept", "lost"], "H1": [0.9, 0.1]}}: each row sums to 1`},
				textField("rationale", "in a sentence or two"), keyField,
			},
			out: "message_id:integer thread_id:string created_ts:string subject:string to:array receipt:object? findings:array", run: believe,
		},
	}
}

type nextAnswer struct {
	session.Next
	Worlds           []science.WorldReport    `json:"worlds"`
	EntropyBits      float64                  `json:"entropy_bits"`
	DisagreementBits float64                  `json:"disagreement_bits"`
	Review           science.Review           `json:"review"`
	Predictions      science.PredictionCounts `json:"predictions"`
	Notice           string                   `json:"notice"`
}

func showNext(ctx context.Context, c *call) (any, error) {
	of, err := c.session(ctx, c.thread())
	if err != nil {
		return nil, err
	}
	answer := nextAnswer{Notice: notice, Review: of.Review(), Predictions: of.Predictions().Counts}
	beliefs := of.Beliefs()
	answer.Worlds, answer.EntropyBits, answer.DisagreementBits = beliefs.Worlds, beliefs.EntropyBits, beliefs.DisagreementBits
	answer.Next, err = of.Next(science.ByBitsPerEffort)
	return answer, err
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
