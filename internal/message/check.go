package message

import (
	"strings"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// checker judges one draft.
type checker struct {
	draft   Draft
	facts   Facts
	doc     *markup.Document
	reading delta.Reading
	report  Report
}

// Check judges a message by the protocol: thread id, subject, body, delta blocks, and what
// the facts can tell. It never fails; findings come back in the order of the text, those
// about thread, subject and settings first. Under lenient intake errors become warnings,
// except those that refuse any mail; the receipt keeps its errors.
func Check(d Draft, f Facts) Report { return *Judge(d, f) }

// Judge is Check for the judge of many messages: the report is not copied.
func Judge(d Draft, f Facts) *Report {
	c := &checker{draft: d, facts: f}
	c.thread()
	c.sender()
	hard := len(c.report.Findings) // what CheckMailThreadID leaves an error refuses all mail
	if c.readable() {
		c.subject()
		if !c.tooManyBlocks() {
			c.body()
		}
	}
	c.lowerErrors(hard)
	c.list()
	return &c.report
}

// list cuts the findings to what an answer lists, and counts the rest (PROTOCOL 6).
func (c *checker) list() {
	listed, more := protocol.Listed(c.report.Findings)
	c.report.Findings, c.report.More = listed, more+c.reading.MoreMisses
	if c.report.Type == protocol.TypeDelta {
		c.report.More += c.reading.Receipt.MoreFindings
	}
}

// tooManyBlocks judges the number of delta blocks. A message with too many of them is not looked at
// any further; its receipt has the totals.
func (c *checker) tooManyBlocks() bool {
	receipt := &c.reading.Receipt
	if !c.reading.TooMany() {
		return false
	}
	c.report.Receipt = receipt
	f := protocol.NewFinding(protocol.TooManyBlocks, "The message has %d delta blocks; at most %d are read.",
		receipt.Found, artifact.MaxBlocks).At(receipt.Blocks[0].Line, 1)
	if c.facts.Existing {
		f = f.Lowered()
	}
	c.report.Findings = append(c.report.Findings, f)
	return true
}

// thread judges the id of the thread, if one is given.
func (c *checker) thread() {
	switch {
	case c.draft.ThreadID == "":
	case c.facts.Intake == protocol.Lenient:
		c.report.Findings = protocol.CheckMailThreadID(c.draft.ThreadID)
	default:
		c.report.Findings = protocol.CheckThreadID(c.draft.ThreadID)
	}
	for i := range c.report.Findings {
		c.report.Findings[i].Path = "thread_id"
	}
}

// sender judges the form of the sender's name, if one is given. Who is registered is known to
// the mail service, which asks before it gets here; mail that exists has the sender it has.
func (c *checker) sender() {
	name := c.draft.From
	if name == "" || c.facts.Intake == protocol.Lenient || protocol.ValidAgentName(name) {
		return
	}
	c.report.Findings = append(c.report.Findings, protocol.NewFinding(protocol.UnknownAgent,
		"%s is not an agent's name.", quoted(name)).In("from").WithFix("Use letters, digits, _ and -, at most 64."))
}

// readable checks encoding and size. A message that fails gets no receipt: its text is not
// looked at any further (PROTOCOL 1 and 6).
func (c *checker) readable() bool {
	encoded := c.encoded()
	size := len(c.draft.Subject) + len(c.draft.Body)
	if encoded && size <= artifact.MaxMessageBytes {
		return true
	}
	c.doc = markup.Parse("")
	c.report.Document = c.doc
	subject := strings.ToValidUTF8(c.draft.Subject, "\uFFFD")
	c.report.Subject, _ = protocol.ParseSubject(strings.ReplaceAll(subject, "\x00", "\uFFFD"), c.facts.Intake)
	c.classify()
	if size > artifact.MaxMessageBytes {
		f := protocol.NewFinding(protocol.MessageTooLarge, "Subject and body have %d bytes; %d are allowed.", size,
			artifact.MaxMessageBytes)
		if c.facts.Existing {
			f = f.Lowered()
		}
		c.report.Findings = append(c.report.Findings, f)
	}
	return false
}

func (c *checker) encoded() bool {
	ok := true
	for _, part := range []struct{ path, text string }{{"subject", c.draft.Subject}, {"body_md", c.draft.Body}} {
		at := badByte(part.text)
		if at < 0 {
			continue
		}
		ok = false
		f := protocol.NewFinding(protocol.InvalidEncoding, "Byte %d is not UTF-8 text, or is NUL.", at+1).In(part.path)
		if part.path == "body_md" {
			before := part.text[:at]
			f = f.At(strings.Count(before, "\n")+1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])+1)
		}
		c.report.Findings = append(c.report.Findings, f)
	}
	return ok
}

// badByte returns the offset of the first byte that may not be in a message, or -1.
func badByte(text string) int {
	nul := strings.IndexByte(text, 0)
	if utf8.ValidString(text) {
		return nul
	}
	for i, r := range text {
		if r == 0 {
			return i
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return nul
}

// subject reads the text, then knows the type: a reply with a block stays a DELTA.
func (c *checker) subject() {
	text := c.facts.Text
	if text == nil {
		text = ReadText(c.draft.Body, c.facts.Intake)
	}
	c.doc, c.reading = text.document, text.reading
	if !c.facts.Existing {
		c.reading = c.reading.AtDoor()
	}
	c.report.Document, c.report.Text = c.doc, text
	subject, findings := protocol.ParseSubject(c.draft.Subject, c.facts.Intake)
	c.report.Subject = subject
	c.report.Findings = append(c.report.Findings, findings...)
	if !subject.Valid {
		c.report.Findings = append(c.report.Findings, missingPrefix(c.draft.Subject, findings))
	}
	c.classify()
	if c.report.Type == protocol.TypeDelta {
		c.report.Findings = append(c.report.Findings, subject.CheckSender(c.facts.SenderShorthand)...)
	}
	c.coordination()
	c.acknowledgement()
}

// missingPrefix is the body schema's name for a subject without prefix; it takes the fix
// from the subject's own finding.
func missingPrefix(subject string, findings []protocol.Finding) protocol.Finding {
	f := protocol.NewFinding(protocol.MB001, "The subject %s has no valid prefix.", quoted(subject)).In("subject")
	for _, other := range findings {
		if other.Code == protocol.InvalidSubjectPrefix {
			return f.WithFix("%s", other.Fix)
		}
	}
	return f
}

// classify sets the type. A DELTA with the wrong word in its brackets is refused for that, but
// its author learns about the blocks in the same call.
func (c *checker) classify() {
	s, hasBlock := c.report.Subject, c.reading.Receipt.Found > 0
	t := s.Classify(hasBlock)
	if !s.Valid && s.Prefix == protocol.TypeDelta && (hasBlock || !s.Reply) {
		t = protocol.TypeDelta
	}
	c.report.Type, c.report.AckRequired = t, t.AckDefault()
	if c.draft.AckRequired != nil {
		c.report.AckRequired = *c.draft.AckRequired
	}
}

// coordination: research and development do not belong on a COORD- thread (PROTOCOL 2).
func (c *checker) coordination() {
	switch c.report.Type {
	case protocol.TypeKickoff, protocol.TypeDelta, protocol.TypeCompiled:
		if protocol.KindOf(c.draft.ThreadID) == protocol.Coordination {
			c.report.Findings = append(c.report.Findings, protocol.NewFinding(protocol.CoordNotForWork,
				"A %s stands on the coordination thread %s.", c.report.Type, c.draft.ThreadID).In("thread_id"))
		}
	}
}

// acknowledgement: MB-009 … MB-012 and MB-118 … MB-120. Absent, the type's default applies.
func (c *checker) acknowledgement() {
	set := c.draft.AckRequired
	if set == nil || *set == c.report.Type.AckDefault() {
		return
	}
	verb := "sets"
	if !*set {
		verb = "does not set"
	}
	c.report.Findings = append(c.report.Findings,
		protocol.NewFinding(SchemaOf(c.report.Type).ack, "The %s %s ack_required.", c.report.Type, verb).In("ack_required"))
}

// body applies the schema of the type, then orders what it found by place.
func (c *checker) body() {
	from := len(c.report.Findings)
	schema := SchemaOf(c.report.Type)
	for _, s := range schema.Sections {
		if s.rule != nil {
			s.rule(c, s)
		}
	}
	if schema.rule != nil {
		schema.rule(c)
	}
	c.blocks()
	c.beliefs()
	protocol.SortByPlace(c.report.Findings[from:])
}

// add reports a finding at a byte offset of the body.
func (c *checker) add(f protocol.Finding, offset int) {
	c.report.Findings = append(c.report.Findings, f.At(c.doc.Position(offset)))
}

// RefusesAnyMail tells whether an error of a code refuses a message on every thread and in every mode,
// and keeps one that exists already from being merged (PROTOCOL 1 and 6).
func RefusesAnyMail(code protocol.Code) bool {
	switch code {
	case protocol.InvalidEncoding, protocol.MessageTooLarge, protocol.TooManyBlocks:
		return true
	}
	return false
}

// lowerErrors makes warnings of errors where mail cannot be refused for them (PROTOCOL 3). The first hard
// findings, and what refuses any mail, stay as they are.
func (c *checker) lowerErrors(hard int) {
	if c.facts.Intake != protocol.Lenient {
		return
	}
	for i := range c.report.Findings[hard:] {
		f := &c.report.Findings[hard+i]
		if !RefusesAnyMail(f.Code) {
			*f = f.Lowered()
		}
	}
}
