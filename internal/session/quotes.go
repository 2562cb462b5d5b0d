package session

import (
	"context"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/mail"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// QuoteCheck is what comparing quotes with their sources came to.
type QuoteCheck struct {
	Quotes   []CheckedQuote     `json:"quotes"`
	Findings []protocol.Finding `json:"findings"`
}

// CheckedQuote is a quote of an item or of a message.
type CheckedQuote struct {
	Item      *string `json:"item"`
	Path      *string `json:"path"`
	MessageID *int64  `json:"message_id"`
	Text      string  `json:"text"`
	Citation  string  `json:"citation"`
	Found     *bool   `json:"found"` // null: there is nothing to compare with
}

func newCheckedQuote(c evidence.Checked) CheckedQuote {
	q := CheckedQuote{Text: c.Text, Citation: c.Citation()}
	if c.Verdict != evidence.Undecided {
		found := c.Verdict == evidence.Found
		q.Found = &found
	}
	return q
}

// CheckArtifact checks the quotes of an artifact, and that the sources it cites are unchanged.
func CheckArtifact(library *evidence.Library, a *artifact.Artifact) QuoteCheck {
	check := QuoteCheck{Quotes: []CheckedQuote{}, Findings: []protocol.Finding{}}
	judgement := library.Judge(a)
	for _, q := range judgement.Quotes() {
		checked := newCheckedQuote(q.Checked)
		item, path := string(q.Item), q.Path
		checked.Item, checked.Path = &item, &path
		if it := a.Item(q.Item); it != nil {
			checked.MessageID = writtenBy(it, q.Path)
		}
		check.Quotes = append(check.Quotes, checked)
		for _, f := range q.Findings(item) {
			check.Findings = append(check.Findings, f.On(item).In(path))
		}
	}
	check.Findings = append(check.Findings, absent(library, judgement)...)
	check.Findings = append(check.Findings, library.Wrong(judgement.Cited)...)
	return check
}

// absent tells which sources of quotes are not there: the quote cannot be compared (EV-P01).
func absent(library *evidence.Library, judgement *evidence.Judgement) []protocol.Finding {
	var findings []protocol.Finding
	reported := map[string]bool{}
	for _, q := range judgement.Quotes() {
		for _, c := range q.Citations {
			item, name := string(q.Item), library.Absent(c)
			if name != "" && !reported[item+name] {
				reported[item+name] = true
				findings = append(findings, evidence.AbsentFinding(item, name).On(item).In(q.Path))
			}
		}
	}
	return findings
}

// writtenBy is the message that wrote the field a path leads into.
func writtenBy(it *artifact.Item, path string) *int64 {
	for end := len(path); end > 0; end-- {
		if end < len(path) && path[end] != '.' && path[end] != '[' {
			continue
		}
		if source := it.Source(path[:end]); source != nil && source.MessageID != 0 {
			return &source.MessageID
		}
	}
	return nil
}

// quoteBatch collects quotes from several places, so that each source is read once for all of them.
type quoteBatch struct {
	quotes  []evidence.Quote
	subject []string
	tell    []func(protocol.Finding)
}

func (b *quoteBatch) add(subject, text string, tell func(evidence.Quote, protocol.Finding)) {
	for _, q := range evidence.Quotes(text) {
		b.quotes, b.subject = append(b.quotes, q), append(b.subject, subject)
		b.tell = append(b.tell, func(f protocol.Finding) { tell(q, f) })
	}
}

// check compares the quotes and tells what is wrong with them, as warnings: a letter cannot be mended
// (SCIENCE 1).
func (b *quoteBatch) check(library *evidence.Library) []evidence.Checked {
	checked := library.Check(b.quotes)
	for i := range checked {
		for _, f := range checked[i].Findings(b.subject[i]) {
			b.tell[i](f.Lowered())
		}
	}
	return checked
}

// addBody adds the prose of a message.
func (b *quoteBatch) addBody(subject string, doc *markup.Document, findings *[]protocol.Finding) {
	b.add(subject, doc.Text(), func(q evidence.Quote, f protocol.Finding) {
		*findings = append(*findings, f.At(doc.Position(q.Offset)))
	})
}

// CheckText checks the quotes of a text that belongs to no thread.
func CheckText(library *evidence.Library, doc *markup.Document) QuoteCheck {
	check := QuoteCheck{Quotes: []CheckedQuote{}, Findings: []protocol.Finding{}}
	var batch quoteBatch
	batch.addBody("The text", doc, &check.Findings)
	for _, c := range batch.check(library) {
		check.Quotes = append(check.Quotes, newCheckedQuote(c))
	}
	return check
}

// CheckMessage adds to a report what is wrong with the quotes of a message: those of its prose to its
// findings, those of its delta blocks to their receipts too. Blocks are read as the items they make.
func CheckMessage(library *evidence.Library, report *message.Report) {
	if library == nil || len(report.Document.Text()) > artifact.MaxMessageBytes {
		return
	}
	var batch quoteBatch
	batch.addBody("The message", report.Document, &report.Findings)
	for _, block := range report.Deltas {
		for _, field := range block.Fields {
			artifact.EachTextOf("payload."+field.Name, field.Value, func(path, text string) {
				batch.add("The block", text, func(_ evidence.Quote, f protocol.Finding) { tell(report, block, f.In(path)) })
			})
		}
	}
	batch.check(library)
}

// CheckQuotes checks the quotes of a thread: those of its current fold, and those in its messages.
func (s *Sessions) CheckQuotes(ctx context.Context, threadID string) (QuoteCheck, error) {
	library, err := s.Library()
	if err != nil {
		return QuoteCheck{}, err
	}
	v, err := s.View(ctx, threadID)
	if err != nil {
		return QuoteCheck{}, err
	}
	check := CheckArtifact(library, v.Fold.Artifact())
	var batch quoteBatch
	var messages []int64
	err = s.each(ctx, mail.MessageQuery{Thread: threadID}, func(m mail.Message) {
		batch.addBody("Message "+formatID(m.ID), markup.Parse(m.Body), &check.Findings)
		for len(messages) < len(batch.quotes) {
			messages = append(messages, m.ID)
		}
	})
	for i, c := range batch.check(library) {
		q := newCheckedQuote(c)
		q.MessageID = &messages[i]
		check.Quotes = append(check.Quotes, q)
	}
	return check, err
}

// CheckPack judges the whole pack: files that changed, files without an entry, and sources that no thread
// of the project cites (EV-Q02, EV-Q04).
func (s *Sessions) CheckPack(ctx context.Context) (QuoteCheck, error) {
	check := QuoteCheck{Quotes: []CheckedQuote{}, Findings: []protocol.Finding{}}
	pack, err := s.Pack()
	if err != nil {
		return check, err
	}
	cited := map[string]bool{}
	err = s.each(ctx, mail.MessageQuery{}, func(m mail.Message) {
		for _, c := range artifact.Citations(m.Body) {
			cited[c.Evidence] = true
		}
	})
	if err != nil {
		return check, err
	}
	check.Findings = append(check.Findings, pack.Check()...)
	for _, source := range pack.Sources {
		if !cited[source.ID] {
			check.Findings = append(check.Findings, protocol.NewFinding(protocol.EVQ04, "No thread cites %s (%s).", source.ID, evidence.Show(source.Title)))
		}
	}
	return check, nil
}

// quotes tells a sender which quotes are not found in the source that they cite. A pack that cannot be read is
// reported, and delays no mail.
func (d *Door) quotes(report *message.Report) {
	library, err := d.sessions.Library()
	if err != nil {
		f := protocol.NewFinding(protocol.CodeOf(err), "quotes were not checked: %v", err).As(protocol.SeverityWarning)
		if !slices.ContainsFunc(report.Findings, func(other protocol.Finding) bool { return other.Code == f.Code }) {
			report.Findings = append(report.Findings, f)
		}
		return
	}
	CheckMessage(library, report)
}
