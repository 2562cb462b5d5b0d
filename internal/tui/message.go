package tui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/commandline"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/termtext"
)

// messageScreen shows one message whole: who, to whom, what became of its blocks, and its text.
type messageScreen struct{ id int64 }

func (s messageScreen) title() string { return "Message #" + strconv.FormatInt(s.id, 10) }
func (messageScreen) header() row     { return row{} }

func (s messageScreen) load(ctx context.Context, d data) ([]row, error) {
	one, err := d.Mail().Message(ctx, s.id)
	if err != nil {
		return nil, err
	}
	m, err := d.Entry(ctx, d.Views(ctx, []string{one.ThreadID})[one.ThreadID], one)
	if err != nil {
		return nil, err
	}
	rows := paragraphs(heading, 1, m.Subject, d.width-1)
	rows = append(rows,
		named("from", m.From), named("sent", mail.FormatTime(m.CreatedAt)+", "+termtext.Age(max(0, d.now.Sub(m.CreatedAt)))+" ago"),
		named("to", states(m.Deliveries)))
	rows = append(rows, receiptRows(m.Receipt, d.width)...)
	rows = append(rows, row{})
	return append(rows, paragraphs(plain, 1, m.Body, d.width-1)...), nil
}

func named(name, value string) row {
	r := say(plain, value)
	r.cells = append([]cell{{width: 1}, {text: name, ink: dim, width: 10}}, r.cells...)
	return r
}

func states(deliveries []mail.Delivery) string {
	var parts []string
	for _, d := range deliveries {
		if d.Kind != mail.Bcc {
			parts = append(parts, d.Agent+" ("+d.State().String()+")")
		}
	}
	return strings.Join(parts, ", ")
}

// receiptRows say what became of each delta block.
func receiptRows(receipt *delta.Receipt, width int) []row {
	if receipt == nil {
		return nil
	}
	var rows []row
	listed := receipt.Listed()
	for _, b := range listed.Blocks {
		look := good
		if b.Status != delta.Accepted {
			look = bad
		}
		what := strings.TrimSpace(fmt.Sprintf("%s %s %s", b.Operation, b.Section, b.TargetID))
		rows = append(rows, row{cells: []cell{{width: 1}, {text: string(b.Status), ink: look, width: 10},
			{text: say(plain, what).cells[0].text}}})
		rows = append(rows, findingRows(b.Findings, 11, width)...)
	}
	if listed.More > 0 {
		rows = append(rows, say(dim, fmt.Sprintf(" … and %d more", listed.More)))
	}
	return rows
}

// findingRows are findings, each with its place and its mending.
func findingRows(findings []protocol.Finding, indent, width int) []row {
	var rows []row
	for _, f := range findings {
		rows = append(rows, paragraphs(severityInk(f.Severity), indent, string(f.Code)+" "+f.Message, width-indent)...)
		if f.Fix != "" {
			rows = append(rows, paragraphs(dim, indent+2, "→ "+commandline.Fix(f.Fix, f.Action), width-indent-2)...)
		}
	}
	return rows
}

func severityInk(s protocol.Severity) ink {
	switch s {
	case protocol.SeverityError:
		return bad
	case protocol.SeverityWarning:
		return warn
	default:
		return plain
	}
}
