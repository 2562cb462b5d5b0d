package web

import (
	"fmt"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/figure"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// mailEntry is a message as the timeline, the inbox and its own page show it.
type mailEntry struct {
	session.Entry
	Headline   string // the subject, as much of it as a line of a page holds
	By         figure.Agent
	Verb       string // what it does, in words
	Cards      []changeCard
	Results    []resultCard // what it found, of each test
	Beliefs    []beliefView // what its sender says it believes
	Moved      *movedView   // nil: it did not move belief
	Body       bodyText     // without what the cards say
	Source     bool         // the body leaves something out that the message has
	Blocks     []blockLine
	MoreBlocks int                // that are not shown
	Notes      []protocol.Finding // as many of its findings as are shown
	MoreNotes  int
	Recipients []recipientLine
	MoreNames  int
	Replies    []int64     // answers to it on the same page
	Errors     int         // among the findings
	Attack     *attackMark // nil: it attacks nothing
	Artifact   string      // address of the version it published
	Diff       string      // and of what that changed
}

// shortAttack is how much of an attack stands among other messages: its card and its own page have the rest.
const shortAttack = 420

// attackMark is what a message attacks, and how the attack stands.
type attackMark struct {
	Target, Link string // empty: the whole question
	Severity     string
	Open, Grave  bool
}

// blockLine is the receipt of one delta block.
type blockLine struct {
	delta.Block
	Accepted bool
	Link     string // to the item in the artifact, where it can be seen there
}

// recipientLine is the state of a message for one of its recipients.
type recipientLine struct {
	mail.Delivery
	Label string // to, cc, bcc
	Word  string // sent, received, read, acknowledged, owes
	At    any    // when it came so far
}

// setting is how a page shows the texts of messages.
type setting struct {
	most  int // bytes of each
	below int // the level of heading that it is under
	rows  int // of its blocks, findings and recipients each
}

// The timeline and an inbox show many messages, the page of one that alone.
var (
	onTimeline = setting{6 << 10, 3, 20}
	inInbox    = setting{2 << 10, 2, 20}
	alone      = setting{128 << 10, 1, 200}
)

// maxHeadline is what a page shows of a subject; the door allows far less (PROTOCOL 3).
const maxHeadline = 300

// entry makes a message ready to be shown.
func (rd *reader) entry(e session.Entry) mailEntry {
	text, in := e.Body, rd.in
	out := mailEntry{Entry: e, Headline: headlineOf(e), By: rd.cast.Of(e.From), Verb: verbOf(e), Cards: rd.cards(e)}
	if e.Type == protocol.TypeCritique && in != alone {
		if said := session.AttackText(&e.Message); said != "" {
			text, out.Source, in.most = said, true, shortAttack
		}
	}
	if prose := proseOf(text); e.Receipt != nil && len(e.Receipt.Blocks) > 0 || strings.Contains(text, "```belief") {
		text, out.Source = prose, true
	}
	if e.Type == protocol.TypeCompiled && e.Version > 0 {
		// A version has its own page; here its head is enough.
		if in != alone {
			in = setting{1500, in.below, in.rows}
		}
		out.Artifact = versionURL(e.ThreadID, e.Version)
		if rd.places.before != nil {
			out.Diff = diffURL(e.ThreadID, rd.places.before(e.Version), e.Version)
		}
	}
	if in != alone {
		text = untitled(text, e.Type)
		if e.From == mail.Operator && e.ReplyTo > 0 && len(text) <= longBody { // a reminder, or what became of one
			text = plainTimes(text)
		}
	}
	out.Body = bodyOf(text, in, rd.links)
	out.Body.Long = in != alone && (out.Body.Long || in == onTimeline && e.Type == protocol.TypeKickoff || out.Artifact != "" ||
		e.Type == protocol.TypeInfo && isNotice(text))
	out.Message.Body = "" // what is shown of it is in Body
	out.Blocks, _ = cutRows(blocksOf(e, rd.latest), in.rows)
	if e.Receipt != nil {
		out.MoreBlocks = e.Receipt.Found - len(out.Blocks)
	}
	out.Notes, out.MoreNotes = cutRows(e.Findings, in.rows)
	out.Recipients, out.MoreNames = cutRows(recipientsOf(e, rd.viewer), in.rows)
	out.Bcc = mail.VisibleBcc(&e.Message.Message, rd.viewer)
	for _, f := range e.Findings {
		if f.Severity == protocol.SeverityError {
			out.Errors++
		}
	}
	return out
}

// Answerable tells whether replies to the message are answers: it asked or attacked.
func (e mailEntry) Answerable() bool {
	return e.Type == protocol.TypeQuestion || e.Type == protocol.TypeBlocked || e.Type == protocol.TypeCritique
}

// headlineOf is a subject without the type that is said beside it.
func headlineOf(e session.Entry) string {
	rest, ok := strings.CutPrefix(e.Subject, string(e.Type))
	if _, title, found := strings.Cut(rest, ":"); ok && found && strings.TrimSpace(title) != "" {
		title = strings.TrimSpace(title)
		if said := message.CompiledSummary(e.Subject); said != "" && e.Version > 0 {
			title = said
		}
		return short(maxHeadline, strings.TrimSpace(strings.TrimPrefix(title, "["+e.ThreadID+"]")))
	}
	return short(maxHeadline, e.Subject)
}

// isNotice tells whether a text has headings and lists alone: facts for programs rather than for readers.
func isNotice(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "- ") &&
			!strings.HasPrefix(line, "**") {
			return false
		}
	}
	return true
}

// cutRows keeps the first of a list and counts the rest: what an agent writes may be endless.
func cutRows[T any](list []T, most int) ([]T, int) {
	n := min(len(list), most)
	return list[:n], len(list) - n
}

func blocksOf(e session.Entry, latest *session.Latest) []blockLine {
	if e.Receipt == nil {
		return nil
	}
	list := make([]blockLine, 0, len(e.Receipt.Blocks))
	for _, b := range e.Receipt.Blocks {
		one := blockLine{Block: b, Accepted: b.Status == delta.Accepted}
		if latest != nil && b.ItemID != "" && e.ID < latest.MessageID {
			one.Link = versionItemURL(e.ThreadID, latest.Version, b.ItemID)
		}
		list = append(list, one)
	}
	return list
}

// recipientsOf lists the deliveries that the viewer may know of.
func recipientsOf(e session.Entry, viewer string) []recipientLine {
	visible := map[string]bool{}
	for _, name := range mail.VisibleBcc(&e.Message.Message, viewer) {
		visible[mail.NameKey(name)] = true
	}
	var list []recipientLine
	for _, d := range e.Deliveries {
		if d.Kind == mail.Bcc && !visible[mail.NameKey(d.Agent)] {
			continue
		}
		list = append(list, recipientOf(e, d))
	}
	return list
}

func recipientOf(e session.Entry, d mail.Delivery) recipientLine {
	r := recipientLine{Delivery: d, Label: string(d.Kind)}
	switch d.State() {
	case mail.Acknowledged:
		r.Word, r.At = "acknowledged", d.AckAt
	case mail.Read:
		r.Word, r.At = "read", d.ReadAt
	case mail.Delivered:
		r.Word, r.At = "received", d.DeliveredAt
	default:
		r.Word = "sent"
	}
	if e.AckRequired && d.Owes() {
		r.Word += ", owes an acknowledgement"
	}
	return r
}

// diffURL leads to what changed from one version to another.
func diffURL(thread string, from, to int) string {
	return fmt.Sprintf("%s/diff?from=%d&to=%d", threadURL(thread), from, to)
}

func versionItemURL(thread string, version int, item string) string {
	if _, _, _, ok := artifact.ParseItemID(item); !ok {
		return versionURL(thread, version)
	}
	return versionURL(thread, version) + "#" + item
}

// idOf reads a message id from an address; 0: there is none.
func idOf(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, protocol.Errorf(protocol.NotFound, "%.40q is no message id", text)
	}
	return id, nil
}

// typeOf reads a message type from an address; empty: all.
func typeOf(text string) (protocol.MessageType, error) {
	if text == "" {
		return "", nil
	}
	for _, schema := range message.Schemas() {
		if string(schema.Type) == text {
			return schema.Type, nil
		}
	}
	return "", protocol.Errorf(protocol.Usage, "%.40q is no type of message", text)
}
