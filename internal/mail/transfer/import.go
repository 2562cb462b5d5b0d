package transfer

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Imported is the outcome of an import.
type Imported struct {
	Imported, Skipped int
	Threads           []string // of the lines, in their order
	Findings          []protocol.Finding
	More              int // findings that are counted only
}

// Import takes in message lines: all of them or, after an error, none. Their senders and
// recipients are registered where they are unknown. A line equal in thread, time, sender, subject and
// body to a message that is there is skipped. CONFLICT: an original id came in before, on the same
// thread, with another body; ids that this store gave itself do not count. INVALID_INPUT,
// INVALID_ENCODING: lines cannot be read; the findings name them.
func Import(ctx context.Context, s *mail.Service, r io.Reader) (Imported, error) {
	lines, findings, err := ReadLines(r)
	if err != nil {
		return Imported{Findings: findings}, err
	}
	return ImportLines(ctx, s, lines, findings)
}

// ImportLines is Import for lines that were read already, with what was found while reading.
func ImportLines(ctx context.Context, s *mail.Service, lines []Line, findings []protocol.Finding) (Imported, error) {
	if protocol.HasErrors(findings) {
		return Imported{Findings: findings}, unreadable(findings)
	}
	result := Imported{Findings: findings}
	lines, broken := believed(lines)
	result.add(broken, 0)
	arriving := make([]arrival, 0, len(lines))
	for _, l := range Arrange(lines) {
		a, found, more := newArrival(l)
		arriving = append(arriving, a)
		result.add(found, more)
	}
	for _, l := range lines {
		if l.ThreadID != "" && !slices.Contains(result.Threads, l.ThreadID) {
			result.Threads = append(result.Threads, l.ThreadID)
		}
	}
	messages, err := s.Store().Compose(ctx, s.Project().ID, s.Now(), func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
		in := &intake{tx: tx, project: s.Project().ID}
		return in.entries(ctx, arriving, result.Threads)
	})
	if err != nil {
		return result, err
	}
	result.Imported = len(messages)
	result.Skipped = len(lines) - len(messages)
	return result, nil
}

// unreadable refuses a file for its error findings.
func unreadable(findings []protocol.Finding) error {
	code, n := protocol.InvalidEncoding, 0
	var first protocol.Finding
	for _, f := range findings {
		if f.Severity != protocol.SeverityError {
			continue
		}
		if n++; n == 1 {
			first = f
		}
		if f.Code != protocol.InvalidEncoding {
			code = protocol.InvalidInput
		}
	}
	return protocol.Errorf(code, "nothing was imported: %s", first.Message).WithFindings(findings)
}

// add takes findings into the list, as far as it goes: a file may have the same slip on every line.
func (r *Imported) add(findings []protocol.Finding, more int) {
	listed, rest := protocol.Listed(append(r.Findings, findings...))
	r.Findings, r.More = listed, r.More+more+rest
}

// arrival is a line with what its text says.
type arrival struct {
	Line
	kind    protocol.MessageType
	version int
	ack     bool
	ackOf   []int64
	digest  canon.Hash // of what makes two lines equal
	body    [sha256.Size]byte
}

// newArrival reads the text of a line. Mail that exists cannot be refused: what is wrong with
// it comes back as warnings (PROTOCOL 3), at the line of the file, with a count of those that are
// not listed.
func newArrival(l Line) (arrival, []protocol.Finding, int) {
	report := message.Check(l.Draft(), message.Facts{Intake: l.Intake, Existing: true})
	m := l.Message()
	m.Imported = true
	a := arrival{
		Line: l, kind: report.Type, version: mail.VersionOf(report.Type, &m), ack: report.AckRequired, ackOf: report.References.AckOf,
		digest: canon.SumTexts(l.ThreadID, mail.FormatTime(l.CreatedAt), mail.NameKey(l.From), l.Subject, l.Body),
		body:   sha256.Sum256([]byte(l.Body)),
	}
	var findings []protocol.Finding
	for _, f := range report.Findings {
		if f.Severity == protocol.SeverityInfo || f.Path == "thread_id" { // the latter was said on reading
			continue
		}
		where := ""
		if f.Line > 0 {
			where = fmt.Sprintf(" (line %d of its body)", f.Line)
		}
		f.Message = fmt.Sprintf("Line %d: %s%s", l.Number, f.Message, where)
		findings = append(findings, f.Lowered().At(l.Number, 0))
	}
	return a, findings, report.More
}
