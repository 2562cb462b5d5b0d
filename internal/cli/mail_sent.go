package cli

import (
	"slices"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// sentReport is what became of a message. When it is refused, ids and time are absent.
type sentReport struct {
	MessageID *int64               `json:"message_id"`
	ThreadID  *string              `json:"thread_id"`
	CreatedAt *string              `json:"created_ts"`
	Type      protocol.MessageType `json:"type"`
	Subject   string               `json:"subject"`
	To        []string             `json:"to"`
	Receipt   *delta.Receipt       `json:"receipt"`
	Findings  []protocol.Finding   `json:"findings"`
	More      int                  `json:"more"` // findings that are counted only

	body   string
	begins string // what is to be said of a thread that begins with it
}

func newSentReport(sent mail.Verdict, body, begins string, err error) (report, error) {
	if err != nil && sent.Findings == nil {
		return nil, err
	}
	r := sentReport{Type: sent.Type, Subject: sent.Message.Subject, To: protocol.NonNil(sent.Message.To), Receipt: sent.Receipt,
		Findings: protocol.NonNil(sent.Findings), More: sent.More, body: body, begins: begins}
	if m := sent.Message; m.ID != 0 {
		created := mail.FormatTime(m.CreatedAt)
		r.MessageID, r.CreatedAt = &m.ID, &created
		if m.ThreadID != "" {
			r.ThreadID = &m.ThreadID
		}
	}
	return r, err
}

// told leaves out that no block can be accepted where there is none.
func (r sentReport) told() []protocol.Finding {
	if !slices.ContainsFunc(r.Findings, func(f protocol.Finding) bool { return f.Code == protocol.MB004 }) {
		return r.Findings
	}
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f protocol.Finding) bool { return f.Code == protocol.NoAcceptedDelta })
}

func (r sentReport) show(p *printer) {
	p.findings(r.told(), newSource(r.body))
	p.more(r.More, "finding")
	p.receipt(r.Receipt)
	if r.MessageID == nil {
		p.note("nothing was sent")
		p.hint("mend the findings and send again; brenner delta fix FILE repairs delta blocks")
		return
	}
	if r.ThreadID == nil {
		p.print("message %d\n", *r.MessageID)
		p.next("brenner", "mail", "read", formatInt(*r.MessageID))
		return
	}
	p.print("message %d on %s\n", *r.MessageID, visible(*r.ThreadID))
	if r.begins != "" {
		p.note("%s", visible(r.begins))
	}
	p.next("brenner", "thread", "show", *r.ThreadID)
}
