package session

import (
	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

// QuoteCheck is what comparing quotations with their sources came to.
type QuoteCheck struct {
	Quotes   []CheckedQuote     `json:"quotes"`
	Counts   evidence.Counts    `json:"counts"`
	Findings []protocol.Finding `json:"findings"`
}

// CheckedQuote is a quotation of an item or of a message.
type CheckedQuote struct {
	Item      *string `json:"item"`
	Path      *string `json:"path"`
	MessageID *int64  `json:"message_id"`
	Text      string  `json:"text"`
	Citation  string  `json:"citation"`
	Page      *int    `json:"page"`  // where it was found; null: it was not, or there are no pages
	Found     *bool   `json:"found"` // null: there is nothing to compare with
}

func newCheckedQuote(c *evidence.Checked) CheckedQuote {
	q := CheckedQuote{Text: c.Text, Citation: c.Citation()}
	if c.Verdict != evidence.Undecided {
		found := c.Verdict == evidence.Found
		q.Found = &found
	}
	if c.Page > 0 {
		q.Page = &c.Page
	}
	return q
}

func newItemQuote(a *artifact.Artifact, q *evidence.ItemQuote) CheckedQuote {
	checked := newCheckedQuote(&q.Checked)
	item, path := string(q.Item), q.Path
	checked.Item, checked.Path = &item, &path
	it := a.Item(q.Item)
	switch {
	case it == nil:
	case path == evidence.KillReason:
		if it.Killed != nil && it.Killed.Source != nil && it.Killed.Source.MessageID != 0 {
			checked.MessageID = &it.Killed.Source.MessageID
		}
	default:
		checked.MessageID = writtenBy(it, path)
	}
	return checked
}

// CheckArtifact checks the quotations of an artifact, and that the sources it cites are unchanged.
func CheckArtifact(library *evidence.Library, a *artifact.Artifact) QuoteCheck {
	judgement := library.Judge(a)
	check := QuoteCheck{Quotes: []CheckedQuote{}, Counts: judgement.Counts, Findings: []protocol.Finding{}}
	for _, q := range judgement.Quotes() {
		check.Quotes = append(check.Quotes, newItemQuote(a, &q))
	}
	judgement.EachFinding(func(id artifact.ItemID) string { return string(id) }, func(id artifact.ItemID, path string, f protocol.Finding) {
		check.Findings = append(check.Findings, f.On(string(id)).In(path))
	})
	check.Findings = append(check.Findings, absent(library, judgement)...)
	check.Findings = append(check.Findings, library.Wrong(judgement.Cited)...)
	return check
}

// absent tells which sources of quotations are not there: the quotation cannot be compared (EV-P01).
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
	if source := sourceOf(it, path); source != nil {
		return &source.MessageID
	}
	return nil
}

// sourceOf is where the field that a path leads into was written.
func sourceOf(it *artifact.Item, path string) *artifact.Source {
	for end := len(path); end > 0; end-- {
		if end < len(path) && path[end] != '.' && path[end] != '[' {
			continue
		}
		if source := it.Source(path[:end]); source != nil && source.MessageID != 0 {
			return source
		}
	}
	return nil
}

// CheckWords compares what somebody is writing with the sources that it cites, before it is sent. Nothing is stored.
func (s *Sessions) CheckWords(text string) (QuoteCheck, error) {
	check := QuoteCheck{Quotes: []CheckedQuote{}, Findings: []protocol.Finding{}}
	library, err := s.Library()
	if err != nil {
		return check, err
	}
	var batch claimBatch
	batch.add("The text", text, func(_ int, f protocol.Finding) { check.Findings = append(check.Findings, f.In("body_md")) })
	for _, c := range batch.check(library, nil) {
		check.Counts.Add(&c)
		check.Quotes = append(check.Quotes, newCheckedQuote(&c))
	}
	return check, nil
}
