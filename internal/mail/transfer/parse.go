package transfer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// maxExactID is the largest number that the canonical form of JSON holds exactly.
const maxExactID = 1<<53 - 1

// maxNames is how many agents a line has at most in a list, more than any project has.
const maxNames = 10_000

// maxForeignName bounds the name of an agent that is imported, in bytes.
const maxForeignName = 256

// lineParser reads lines one after the other, and collects what is wrong with each.
type lineParser struct {
	objects  *strictjson.Objects
	number   int
	fields   [lineKeyCount][]byte // as written; nil: absent
	findings []protocol.Finding
	buffer   []byte               // of the text that is being read
	sound    string               // the thread id of an earlier line, if there was nothing to say about it
	previous [lineKeyCount]string // short texts of earlier lines: most are those of the next line as well
}

// lineKeyCount is how many keys of a line are read.
const lineKeyCount = 17

// lineKeys has the place of each key in lineParser.fields.
var lineKeys = map[string]int{
	"id": 0, "original_id": 1, "thread_id": 2, "from": 3, "to": 4, "cc": 5, "bcc": 6, "subject": 7, "body_md": 8, "created_ts": 9,
	"ack_required": 10, "importance": 11, "reply_to": 12, "intake": 13, "chain_hash": 14, "artifact_hash": 15, "deliveries": 16,
}

func newLineParser() *lineParser { return &lineParser{objects: strictjson.NewObjects()} }

// parse reads one line. Of a key that comes twice the last counts.
func (p *lineParser) parse(data []byte, number int) (Line, []protocol.Finding) {
	p.number, p.fields, p.findings = number, [lineKeyCount][]byte{}, nil
	if !p.objects.Members(data, p.member) {
		p.unreadable(data)
		return Line{}, p.findings
	}
	return p.line(), p.findings
}

func (p *lineParser) member(name, value []byte) {
	if i, known := lineKeys[string(name)]; known {
		p.fields[i] = value
	}
}

// unreadable says why a line cannot be read.
func (p *lineParser) unreadable(data []byte) {
	lenient := strictjson.NewObjects()
	lenient.AnyText = true
	switch {
	case !utf8.Valid(data):
		p.fail(protocol.InvalidEncoding, "", "Line %d is not UTF-8 text.", p.number)
	case lenient.Members(data, func(_, _ []byte) {}):
		p.fail(protocol.InvalidEncoding, "", "Line %d has half of a surrogate pair, which is no character.", p.number)
	default:
		p.fail(protocol.InvalidInput, "", "Line %d is not a JSON object.", p.number)
	}
}

func (p *lineParser) fail(code protocol.Code, path, format string, args ...any) {
	p.findings = append(p.findings, protocol.NewFinding(code, format, args...).At(p.number, 0).In(path))
}

func (p *lineParser) wrong(key, want string) {
	p.fail(protocol.InvalidInput, key, "Line %d: %s must be %s.", p.number, key, want)
}

// get returns the value of a key; null and absent are the same.
func (p *lineParser) get(key string) ([]byte, bool) {
	value := p.fields[lineKeys[key]]
	return value, value != nil && !bytes.Equal(value, []byte("null"))
}

func (p *lineParser) line() Line {
	l := Line{
		Number:  p.number,
		ID:      p.id("id"),
		From:    strings.TrimSpace(p.required("from")),
		Subject: p.required("subject"), Body: p.required("body_md"),
		To: p.names("to"), Cc: p.names("cc"), Bcc: p.names("bcc"),
		OriginalID: p.id("original_id"), ReplyTo: p.id("reply_to"), AckRequired: p.boolean("ack_required"),
		Importance: p.importance(), Intake: p.intake(),
		ChainHash: p.hash("chain_hash"), ArtifactHash: p.hash("artifact_hash"),
	}
	l.ThreadID = p.thread()
	l.CreatedAt = p.created()
	l.Deliveries = p.deliveries()
	if !usableName(l.From) && !protocol.HasErrors(p.findings) {
		p.wrong("from", "the name of an agent")
	}
	return l
}

func (p *lineParser) text(key string, raw []byte) string {
	if raw[0] != '"' {
		p.wrong(key, "a string")
		return ""
	}
	p.buffer = strictjson.AppendText(p.buffer[:0], raw)
	if bytes.IndexByte(p.buffer, 0) >= 0 {
		p.fail(protocol.InvalidEncoding, key, "Line %d: %s holds a NUL character.", p.number, key)
	}
	last := &p.previous[lineKeys[key]]
	switch {
	case len(p.buffer) > maxForeignName:
		return string(p.buffer)
	case *last != string(p.buffer):
		*last = string(p.buffer)
	}
	return *last
}

func (p *lineParser) required(key string) string {
	raw, ok := p.get(key)
	if !ok {
		p.fail(protocol.InvalidInput, key, "Line %d has no %s.", p.number, key)
		return ""
	}
	return p.text(key, raw)
}

func (p *lineParser) optional(key string) string {
	if raw, ok := p.get(key); ok {
		return p.text(key, raw)
	}
	return ""
}

// thread reads the thread's id. The key has to be there; null is mail without a thread.
func (p *lineParser) thread() string {
	if p.fields[lineKeys["thread_id"]] == nil {
		p.fail(protocol.InvalidInput, "thread_id", "Line %d has no thread_id.", p.number)
	}
	id := p.optional("thread_id")
	if id == p.sound && id != "" {
		return id
	}
	found := len(p.findings)
	for _, f := range protocol.CheckMailThreadID(id) {
		// Mail that exists cannot be refused for the form of its thread id; only for one that
		// could not be a file name (PROTOCOL 2 and 3).
		if couldBeFileName(id) {
			f = f.Lowered()
		}
		p.findings = append(p.findings, f.At(p.number, 0).In("thread_id"))
	}
	if len(p.findings) == found {
		p.sound = id
	}
	return id
}

// couldBeFileName asks for the same id without the RS- that makes its form a matter of
// law: what is refused then is refused for being unsafe.
func couldBeFileName(id string) bool {
	return !protocol.HasErrors(protocol.CheckMailThreadID("x" + strings.TrimPrefix(id, "RS-")))
}

// id reads a message id: a number, or a string that holds one.
func (p *lineParser) id(key string) int64 {
	raw, ok := p.get(key)
	if !ok {
		return 0
	}
	text := string(raw)
	if raw[0] == '"' {
		text = p.text(key, raw)
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 || id > maxExactID {
		p.wrong(key, "a message id: an integer from 0 to 2^53-1")
		return 0
	}
	return id
}

// names reads a list of agents; one name is a list of one.
func (p *lineParser) names(key string) []string {
	raw, ok := p.get(key)
	if !ok {
		return nil
	}
	if raw[0] == '"' {
		raw = fmt.Appendf(nil, "[%s]", raw)
	}
	if bytes.Count(raw, []byte{','}) >= maxNames {
		p.wrong(key, fmt.Sprintf("a list of at most %d agent names", maxNames))
		return nil
	}
	names, plain := plainStrings(raw)
	if !plain && json.Unmarshal(raw, &names) != nil {
		p.wrong(key, "a list of agent names")
	}
	for _, name := range names {
		if !usableName(name) {
			p.wrong(key, "a list of agent names, none of them empty or with control characters")
			return nil
		}
	}
	if len(names) == 0 {
		return nil
	}
	return names
}

// plainStrings reads a list of strings without escapes, which is what nearly all lists of names are.
func plainStrings(raw []byte) (list []string, ok bool) {
	if raw[0] != '[' || bytes.IndexByte(raw, '\\') >= 0 {
		return nil, false
	}
	for i, part := range bytes.Split(raw[1:len(raw)-1], []byte{'"'}) { // text is in every second part
		switch {
		case i%2 == 1:
			list = append(list, string(part))
		case len(bytes.Trim(part, ", \t\r\n")) > 0:
			return nil, false
		}
	}
	return list, true
}

// usableName is wider than what can be registered here: other servers have their own rules, and
// mail that exists cannot be refused.
func usableName(name string) bool {
	return strings.TrimSpace(name) != "" && len(name) <= maxForeignName && !strings.ContainsFunc(name, unicode.IsControl)
}

func (p *lineParser) boolean(key string) *bool {
	raw, ok := p.get(key)
	if !ok {
		return nil
	}
	b := string(raw) == "true"
	if !b && string(raw) != "false" {
		p.wrong(key, "true or false")
	}
	return &b
}

func (p *lineParser) importance() message.Importance {
	i := message.Importance(p.optional("importance"))
	switch i {
	case message.Low, message.Normal, message.High, message.Urgent:
		return i
	case "":
		return message.Normal
	}
	p.wrong("importance", "low, normal, high or urgent")
	return message.Normal
}

// intake is recorded when a message first arrives and never decided again, so a line that
// says it keeps it; without one it arrives now, as an import (PROTOCOL 1).
func (p *lineParser) intake() protocol.Intake {
	i := protocol.Intake(p.optional("intake"))
	switch i {
	case protocol.Strict, protocol.Lenient:
		return i
	case "":
		return protocol.Lenient
	}
	p.wrong("intake", "strict or lenient")
	return protocol.Lenient
}

func (p *lineParser) created() time.Time {
	text := p.required("created_ts")
	if text == "" {
		return time.Time{}
	}
	return p.time("created_ts", text)
}

func (p *lineParser) time(key, text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
		p.fail(protocol.InvalidInput, key, "Line %d: %s is %q, not an RFC 3339 time such as 2026-01-10T10:00:00Z.", p.number, key, text)
		return time.Time{}
	}
	return mail.Truncate(t)
}

func (p *lineParser) hash(key string) canon.Hash {
	text := p.optional(key)
	if text == "" {
		return canon.Hash{}
	}
	h, ok := canon.ParseHash(text)
	if !ok {
		p.wrong(key, "64 hex digits")
	}
	return h
}

func (p *lineParser) deliveries() []mail.Delivery {
	raw, ok := p.get("deliveries")
	if !ok {
		return nil
	}
	var list []deliveryJSON
	if bytes.Count(raw, []byte{'{'}) > maxNames || json.Unmarshal(raw, &list) != nil {
		p.wrong("deliveries", fmt.Sprintf("a list of at most %d {agent, kind, read_ts, ack_ts}", maxNames))
		return nil
	}
	var deliveries []mail.Delivery
	for _, j := range list {
		d := mail.Delivery{Agent: j.Agent, Kind: j.Kind}
		for _, part := range []struct {
			text *string
			to   *time.Time
		}{{j.DeliveredAt, &d.DeliveredAt}, {j.ReadAt, &d.ReadAt}, {j.AckAt, &d.AckAt}} {
			if part.text != nil {
				*part.to = p.time("deliveries", *part.text)
			}
		}
		implied(&d)
		deliveries = append(deliveries, d)
	}
	return deliveries
}

// implied fills in what a later state implies: what was acknowledged was read, what was read
// was delivered.
func implied(d *mail.Delivery) {
	if d.ReadAt.IsZero() {
		d.ReadAt = d.AckAt
	}
	if d.DeliveredAt.IsZero() {
		d.DeliveredAt = d.ReadAt
	}
}
