package session

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/delta/repair"
	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Diagnosis says which messages of a thread compile and which do not, and why.
type Diagnosis struct {
	ThreadID string             `json:"thread_id"`
	Messages []Diagnosed        `json:"messages"`
	Findings []protocol.Finding `json:"findings"`
	More     int                `json:"more"` // findings that are counted only
	Fixes    []Fix              `json:"fixes"`
	// MoreFixed counts the fixes whose text is left out of the answer. It is posted all the same.
	MoreFixed int `json:"more_fixed"`

	view *fold.View // of the messages that were diagnosed
}

// Diagnosed is one message with deltas or findings.
type Diagnosed struct {
	ID       int64                `json:"id"`
	From     string               `json:"from"`
	Subject  string               `json:"subject"`
	Type     protocol.MessageType `json:"type"`
	Receipt  *delta.Receipt       `json:"receipt"`
	Findings []protocol.Finding   `json:"findings"`
	More     int                  `json:"more"` // findings that are counted only
}

// Fix is the repaired body of a message, and what became of it.
type Fix struct {
	MessageID int64              `json:"message_id"`
	Fixed     string             `json:"fixed"`
	Repairs   []protocol.Finding `json:"repairs"`
	More      int                `json:"more"` // repairs that are counted only
	PostedAs  *int64             `json:"posted_as"`
}

// RepairMode says how far Diagnose goes.
type RepairMode uint8

// The modes.
const (
	NoRepair RepairMode = iota
	ShowRepairs
)

// Diagnose folds a thread message by message and tells what each did. With ShowRepairs it
// also repairs the deltas that could not be read and were not repaired before.
func (s *Sessions) Diagnose(ctx context.Context, threadID string, mode RepairMode) (Diagnosis, error) {
	d := Diagnosis{ThreadID: threadID, Messages: []Diagnosed{}, Fixes: []Fix{}}
	if threadID == "" { // would be every message
		return d, noThread(threadID)
	}
	v, room := fold.NewView(threadID), answerRoom
	d.view = v
	err := s.each(ctx, mail.MessageQuery{Thread: threadID}, func(m mail.Message) {
		checked := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
		d.Messages = append(d.Messages, room.diagnosed(v, &m, &checked))
		if mode == ShowRepairs {
			d.repair(&m, checked.Text)
		}
	})
	if err == nil && v.Messages == 0 {
		err = noThread(threadID)
	}
	d.boundFixes(room)
	window := v.Fold.Window()
	d.Findings, d.More = window.Findings, window.More
	return d, err
}

func (r *room) diagnosed(v *fold.View, m *mail.Message, checked *message.Report) Diagnosed {
	report := v.Take(m.Folded(), merge.ReadAgain(&m.Message, checked.Text.Again()))
	entry := Diagnosed{ID: m.ID, From: m.From, Subject: m.Subject, Type: report.Type, Receipt: report.Receipt}
	if entry.Receipt == nil {
		entry.Receipt = checked.Receipt
	}
	if entry.Receipt != nil {
		entry.Receipt = r.receipt(entry.Receipt)
	}
	listed, more := r.findings(append(checked.Findings, report.Notes...))
	entry.Findings, entry.More = protocol.NonNil(listed), more+checked.More+report.MoreNotes
	return entry
}

// Unlisted returns the findings of the message that are not listed with one of its blocks already, each
// once.
func (d *Diagnosed) Unlisted() []protocol.Finding {
	return unlisted([]*delta.Receipt{d.Receipt}, d.Findings)
}

// repair adds what a message becomes when its unreadable deltas are mended. Blocks that were
// accepted are left out: they must not be merged twice. A message that mends another takes
// that one off the list.
func (d *Diagnosis) repair(m *mail.Message, text *message.Text) {
	if m.ReplyTo != 0 && strings.HasPrefix(m.Body, repair.CorrectedTitle) {
		d.Fixes = slices.DeleteFunc(d.Fixes, func(f Fix) bool { return f.MessageID == m.ReplyTo })
		return
	}
	subject, _ := protocol.ParseSubject(m.Subject, m.Intake)
	if subject.Prefix != protocol.TypeDelta || subject.Reply {
		return
	}
	if text == nil {
		text = message.ReadText(m.Body, m.Intake)
	}
	rest, broken := repair.Unread(text.Parts())
	if !broken {
		return
	}
	if r := repair.Fix(rest); r.Changed && r.Receipt.Accepted > 0 {
		d.Fixes = append(d.Fixes, Fix{MessageID: m.ID, Fixed: r.Text, Repairs: r.Repairs})
	}
}

// fixedBytes bounds the repaired text in an answer (PROTOCOL 16): a byte of it takes up to six in JSON.
const fixedBytes = 1 << 20

// boundFixes leaves out the text and the repairs that an answer has no room for.
func (d *Diagnosis) boundFixes(r room) {
	left := fixedBytes
	for i := range d.Fixes {
		f := &d.Fixes[i]
		f.Repairs, f.More = r.findings(f.Repairs)
		f.Repairs = protocol.NonNil(f.Repairs)
		if len(f.Fixed) > left {
			f.Fixed = ""
			d.MoreFixed++
		}
		left -= len(f.Fixed)
	}
}

// ApplyFixes posts repaired deltas in the name of who applies them, each naming the message it repairs.
func (s *Sessions) ApplyFixes(ctx context.Context, d *Diagnosis, as string) error {
	author, err := s.author(ctx, as)
	if err != nil {
		return err
	}
	for i := range d.Fixes {
		f := &d.Fixes[i]
		m, err := s.mail.Message(ctx, f.MessageID)
		if err != nil {
			return err
		}
		rest, _ := repair.Unread(message.ReadText(m.Body, m.Intake).Parts()) // the answer may have left the text out
		sent, err := s.tell(ctx, d.view, mail.Outgoing{Draft: message.Draft{
			From: as, Subject: author.DeltaSubject("Repairs message %d of %s", m.ID, m.From), Body: repair.Fix(rest).Text, ReplyTo: m.ID,
		}})
		if err != nil {
			return err
		}
		f.PostedAs = &sent.Message.ID
	}
	return nil
}
