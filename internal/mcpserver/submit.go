package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// submitTool sends deltas without the message around them.
func submitTool() *tool {
	return &tool{
		name: "brenner_submit", effect: adds, core: true, session: true,
		about: "Contribute to a session's artifact: your deltas go to all on the thread as one DELTA. " +
			"The receipt says which were accepted, and how to mend the others.",
		in: []field{
			projectField, threadField.must(), senderField,
			{name: "deltas", kind: "array", items: deltaItem, about: "your changes, in order"},
			{name: "belief", kind: "object", about: `beside the deltas: {"credences": {"H1": 0.5, "none": 0.1}, "likelihoods": {"T1": ` +
				`{"labels": ["kept", "lost"], "H1": [0.9, 0.1]}}}`},
			textField("body_md", "a whole DELTA body instead of deltas"),
			textField("title", "what you did, up to 80 characters: the subject"),
			textField("rationale", "in a sentence or two"), numberField("base_version", "the version you worked on"),
			textField("response_to", "the critique you answer: C1, or #12 for a message"),
			numberField("reply_to", "the message you answer"), keyField,
		},
		out: "message_id:integer thread_id:string created_ts:string subject:string to:array receipt:object? findings:array", run: submit,
	}
}

// postedAnswer is a message that was sent on behalf of an agent.
type postedAnswer struct {
	MessageID int64              `json:"message_id"`
	ThreadID  string             `json:"thread_id"`
	CreatedTS string             `json:"created_ts"`
	Subject   string             `json:"subject"`
	To        []string           `json:"to"`
	Receipt   *delta.Receipt     `json:"receipt"`
	Findings  []protocol.Finding `json:"findings"`
	More      int                `json:"more"` // findings that are counted only
}

func posted(v mail.Verdict) postedAnswer {
	m := &v.Message
	return postedAnswer{m.ID, m.ThreadID, mail.FormatTime(m.CreatedAt), m.Subject, protocol.NonNil(m.To), advisedReceipt(v.Receipt),
		protocol.NonNil(advised(v.Findings)), v.More}
}

func submit(ctx context.Context, c *call) (any, error) {
	s := c.submission()
	p, err := c.threadProject(ctx, s.thread)
	if err != nil {
		return nil, err
	}
	if err := p.admit(ctx, s.from); err != nil {
		return nil, err
	}
	out, err := p.outgoing(ctx, s)
	if err != nil {
		return nil, err
	}
	sent, err := p.mail.Send(ctx, out)
	if err != nil {
		return nil, refused(sent, err)
	}
	if out.Subject != s.title { // it is ours: its author cannot mend it
		sent.Findings = slices.DeleteFunc(slices.Clone(sent.Findings), func(f protocol.Finding) bool { return f.Path == "subject" })
	}
	return posted(sent), nil
}

// submission is what an agent contributes.
type submission struct {
	thread, from, title, rationale, body string
	answers, key                         string
	deltas                               []json.RawMessage
	belief                               json.RawMessage
	base                                 int
	replyTo                              int64
	to                                   []string
}

func (c *call) submission() submission {
	s := submission{
		thread: c.thread(), from: c.actor("sender_name"), title: c.text("title", "subject"),
		rationale: c.text("rationale"), body: c.text("body_md"), answers: c.text("response_to"), key: c.text("idempotency_key"),
		deltas: c.deltas(), base: c.integer("base_version", 0, 0, maxVersions), replyTo: c.id("reply_to"), to: c.agents("to"),
	}
	_, s.belief, _ = c.value("belief")
	switch {
	case len(s.deltas) == 0 && s.body == "":
		c.missing("deltas")
	case (len(s.deltas) > 0 || s.belief != nil) && s.body != "":
		c.complain("body_md", "give deltas and belief, or body_md, not both.")
	}
	return s
}

// deltas reads the objects as they were written, so that the receipt judges what the author
// wrote: a list, one object, or either of them as a string.
func (c *call) deltas() []json.RawMessage {
	_, raw, given := c.value("deltas")
	if !given {
		return nil
	}
	if text, ok := scalar(raw); ok {
		raw = json.RawMessage(strings.TrimSpace(text))
	}
	if len(raw) > 0 && raw[0] == '{' {
		return []json.RawMessage{raw}
	}
	var list []json.RawMessage
	if crowded(raw) { // inside a string that was not counted
		c.complain("deltas", "deltas has more than %d values.", maxElements)
		return nil
	}
	if json.Unmarshal(raw, &list) != nil {
		c.complain("deltas", "deltas is not a list of objects.")
	}
	for i, element := range list {
		if text, ok := scalar(element); ok && element[0] == '"' {
			list[i] = json.RawMessage(text)
		}
	}
	return list
}

// outgoing writes the DELTA message around a submission, to all participants of its thread.
func (p *project) outgoing(ctx context.Context, s submission) (mail.Outgoing, error) {
	sender, err := p.mail.Agent(ctx, s.from)
	if err != nil {
		return mail.Outgoing{}, err
	}
	if len(s.to) == 0 {
		if s.to, err = p.everybodyElse(ctx, s.thread, sender.Name); err != nil {
			return mail.Outgoing{}, err
		}
	}
	return mail.Outgoing{
		Draft: message.Draft{
			ThreadID: s.thread, From: sender.Name, To: s.to, Subject: s.subject(&sender), Body: s.markdown(), ReplyTo: s.replyTo,
		},
		Key: s.key,
	}, nil
}

// everybodyElse lists the participants of a thread that still take part. On a thread of one's
// own the message comes back to its sender: a message has a recipient.
func (p *project) everybodyElse(ctx context.Context, thread, sender string) ([]string, error) {
	of, err := p.sessions.Session(ctx, thread)
	if err != nil {
		return nil, err
	}
	return of.Receivers(ctx, sender)
}

// subject names the sender's model, as the protocol wants it; a title that is a whole subject
// stays.
func (s submission) subject(sender *mail.Agent) string {
	if given, _ := protocol.ParseSubject(s.title, protocol.Strict); given.Prefix == protocol.TypeDelta && given.Valid {
		return s.title
	}
	return sender.DeltaSubject("%s", s.description())
}

// maxTitle is how many characters a subject's description has without a warning (PROTOCOL 3).
const maxTitle = 80

// notTitle is what a title does not need: a prefix of a subject, which is written anyway.
var notTitle = pattern.Lazy(`(?i)^(?:(?:re|delta(?:\[[^\]]*\])?):\s*)+`)

// description makes a subject's description of the title: one line that a subject may have.
func (s submission) description() string {
	title := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s.title)
	title = strings.Join(strings.Fields(notTitle().ReplaceAllString(strings.TrimSpace(title), "")), " ")
	if protocol.Blank(title) {
		return protocol.Plural(len(s.deltas), "change")
	}
	if runes := []rune(title); len(runes) > maxTitle {
		return strings.TrimSpace(string(runes[:maxTitle-1])) + "…"
	}
	return title
}

func (s submission) markdown() string {
	if s.body != "" {
		return s.body
	}
	var intro, blocks []string
	if s.base > 0 {
		intro = append(intro, fmt.Sprintf("**Base Version**: v%d", s.base))
	}
	if s.answers != "" {
		intro = append(intro, "**Action**: Response to "+strings.Join(strings.Fields(s.answers), " "))
	}
	if text := message.Contain(s.rationale); text != "" {
		intro = append(intro, text)
	}
	for _, d := range s.deltas {
		blocks = append(blocks, indented(d))
	}
	body := message.DeltaBody(strings.Join(intro, "\n\n"), blocks...)
	if s.belief != nil {
		body += "\n## Belief\n\n" + fencedBelief(s.belief)
	}
	return body
}

// indented lays a block out over lines. What is no JSON stays as it is: the receipt will say so.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return strings.ReplaceAll(string(raw), "```", "` ` `")
	}
	return b.String()
}
