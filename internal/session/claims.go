package session

import (
	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/evidence"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// claimBatch collects quotations and numbers from several places, so that each source is read once for all of them.
type claimBatch struct {
	claims  evidence.Claims
	quotes  []teller
	figures []teller
}

// teller says where a claim stands, and takes what is wrong with it.
type teller struct {
	subject string
	tell    func(protocol.Finding)
	prose   bool // of a letter, not of an item that it makes
}

// add reads a text. tell gets the place of a claim in it.
func (b *claimBatch) add(subject, text string, tell func(offset int, f protocol.Finding)) {
	claims := evidence.Read(text)
	for _, q := range claims.Quotes {
		if q.Bond == evidence.Uncited {
			continue
		}
		b.claims.Quotes = append(b.claims.Quotes, q)
		b.quotes = append(b.quotes, teller{subject: subject, tell: func(f protocol.Finding) { tell(q.Offset, f) }})
	}
	for _, n := range claims.Figures {
		b.claims.Figures = append(b.claims.Figures, n)
		b.figures = append(b.figures, teller{subject: subject, tell: func(f protocol.Finding) { tell(n.Offset, f) }})
	}
}

// addProse adds a text that is no part of an item.
func (b *claimBatch) addProse(subject, text string, tell func(offset int, f protocol.Finding)) {
	before := len(b.quotes)
	b.add(subject, text, tell)
	for i := before; i < len(b.quotes); i++ {
		b.quotes[i].prose = true
	}
}

// addBody adds the prose of a message.
func (b *claimBatch) addBody(subject string, doc *markup.Document, findings *[]protocol.Finding) {
	b.addProse(subject, doc.Text(), func(offset int, f protocol.Finding) { *findings = append(*findings, f.At(doc.Position(offset))) })
}

// addReasons adds the rationale of a block and the reason of a KILL.
func (b *claimBatch) addReasons(block delta.Delta, tell func(protocol.Finding)) {
	b.addProse("The rationale", block.Rationale, func(_ int, f protocol.Finding) { tell(f.In("rationale")) })
	b.add("The reason of the KILL", block.Reason, func(_ int, f protocol.Finding) { tell(f.In("payload.reason")) })
}

// addBeliefs adds the rationales of belief blocks.
func (b *claimBatch) addBeliefs(beliefs []message.Belief, tell func(protocol.Finding)) {
	for _, belief := range beliefs {
		b.addProse("The rationale", belief.Rationale, func(_ int, f protocol.Finding) { tell(f.In("rationale").At(belief.Line, 1)) })
	}
}

// saidBefore tells which quotations stand in earlier messages, by their numbers.
type saidBefore func(quotes map[int]evidence.Pattern) map[int]bool

// check compares the claims and tells what is wrong with them, as warnings: a letter cannot be mended (SCIENCE 1). A block
// quote whose words stand in an earlier message quotes that message and is left alone; said is nil where there is none.
func (b *claimBatch) check(library *evidence.Library, said saidBefore) []evidence.Checked {
	ruling := library.Check(b.claims)
	spared := spare(ruling.Quotes, said)
	for i := range ruling.Quotes {
		c := &ruling.Quotes[i]
		if spared[i] {
			c.Verdict = evidence.Undecided
			continue
		}
		for _, f := range c.Findings(b.quotes[i].subject) {
			b.quotes[i].tell(f.Lowered())
		}
		if b.quotes[i].prose {
			tellSources(library, c.Citations, b.quotes[i])
		}
	}
	for i := range ruling.Figures {
		for _, f := range ruling.Figures[i].Findings(b.figures[i].subject) {
			b.figures[i].tell(f)
		}
	}
	return ruling.Quotes
}

func spare(quotes []evidence.Checked, said saidBefore) map[int]bool {
	pending := map[int]evidence.Pattern{}
	for i := range quotes {
		if quotes[i].Block && quotes[i].Verdict == evidence.NotFound {
			pending[i] = quotes[i].Pattern
		}
	}
	if len(pending) == 0 || said == nil {
		return nil
	}
	return said(pending)
}

// CheckText checks the quotations of a text that belongs to no thread.
func CheckText(library *evidence.Library, doc *markup.Document) QuoteCheck {
	check := QuoteCheck{Quotes: []CheckedQuote{}, Findings: []protocol.Finding{}}
	var batch claimBatch
	batch.addBody("The text", doc, &check.Findings)
	for _, c := range batch.check(library, nil) {
		check.Quotes = append(check.Quotes, newCheckedQuote(&c))
		check.Counts.Add(&c)
	}
	check.Counts.CountSources(library, artifact.Citations(doc.Text()))
	return check
}

// CheckMessage adds to a report what is wrong with the quotations of a message: those of its prose to its findings, those of
// its delta blocks to their receipts too. Blocks are read as the items they make. What no view reads of a result is told with them.
func CheckMessage(library *evidence.Library, report *message.Report) {
	checkMessage(library, report, nil)
}

func checkMessage(library *evidence.Library, report *message.Report, said saidBefore) {
	if len(report.Document.Text()) > artifact.MaxMessageBytes {
		return
	}
	var batch claimBatch
	if library != nil {
		batch.addBody("The message", report.Document, &report.Findings)
		batch.addBeliefs(report.Beliefs, func(f protocol.Finding) { report.Findings = append(report.Findings, f) })
	}
	for _, block := range report.Deltas {
		for _, f := range science.UnreadRun(&block) {
			tell(report, block, f)
		}
		for _, field := range block.Fields {
			artifact.EachTextOf("payload."+field.Name, field.Value, func(path, text string) {
				for _, f := range evidence.Sums(path, text) {
					tell(report, block, f.In(path))
				}
				if library != nil {
					batch.add("The block", text, func(_ int, f protocol.Finding) { tell(report, block, f.In(path)) })
				}
			})
		}
		if library != nil {
			tellSources(library, blockCitations(block), teller{subject: "The block", tell: func(f protocol.Finding) {
				tell(report, block, f)
			}})
			batch.addReasons(block, func(f protocol.Finding) { tell(report, block, f) })
		}
	}
	batch.check(library, said)
}
