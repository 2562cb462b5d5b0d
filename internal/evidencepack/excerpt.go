package evidencepack

import (
	"fmt"
	"strings"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// maxExcerpt is the longest passage that can be named.
const maxExcerpt = 256 << 10

// Passage says which part of a source an excerpt is: lines, or a quote from it.
type Passage struct {
	From, To int
	Quote    string
}

// Excerpt names a passage of a source and returns its id. The same passage keeps its id. EV-Q01: the
// quote is not there.
func (p *Pack) Excerpt(id string, passage Passage) (*evidence.Source, evidence.Excerpt, error) {
	var excerpt evidence.Excerpt
	err := p.change(func() ([]put, error) {
		d, err := p.current()
		if err != nil {
			return nil, err
		}
		i := d.entry(id)
		if i < 0 {
			return nil, p.noEntry(id)
		}
		if excerpt, err = p.passage(d.entries[i], passage); err != nil {
			return nil, err
		}
		for _, e := range d.entries[i].Excerpts {
			if e.From == excerpt.From && e.To == excerpt.To && evidence.Same(e.Text, excerpt.Text) {
				excerpt = e
				return nil, nil
			}
		}
		excerpt.ID = nextExcerpt(d.entries[i].Excerpts)
		next, err := d.edit(func(e *yamltext.Editor) error { return e.Append(excerptNode(excerpt), d.at(i, "excerpts")...) })
		return []put{next}, err
	})
	if err != nil {
		return nil, excerpt, err
	}
	added, err := p.reread(Added{Source: &evidence.Source{ID: id}})
	return added.Source, excerpt, err
}

func (p *Pack) noEntry(id string) error {
	if files, err := p.list(); err == nil && files != nil {
		for name := range files.files {
			if m := sourceName().FindStringSubmatch(name); m != nil && m[1] == id {
				return protocol.Errorf(protocol.NotFound, "%s has no entry in the index yet: add its file", id).
					Doing(protocol.Action{Do: "evidence.add", With: protocol.Arguments{File: Dir + "/" + name}})
			}
		}
	}
	return protocol.Errorf(protocol.NotFound, "the evidence pack has no %s", id)
}

func nextExcerpt(excerpts []evidence.Excerpt) string {
	highest := 0
	for _, e := range excerpts {
		n := 0
		_, _ = fmt.Sscanf(e.ID, "E%d", &n)
		highest = max(highest, n)
	}
	return fmt.Sprintf("E%d", highest+1)
}

// passage finds the words and lines of an excerpt.
func (p *Pack) passage(s *evidence.Source, want Passage) (evidence.Excerpt, error) {
	files := *s
	files.Excerpts = nil // one that is wrong keeps nobody from naming another passage
	content := p.open(&files)
	if len(content.Wrong) > 0 {
		return evidence.Excerpt{}, protocol.Errorf(protocol.EVQ02, "%s", content.Wrong[0].Message).WithFindings(content.Wrong)
	}
	if content.Text == nil {
		f := protocol.NewFinding(protocol.EVQ03, "%s has no text to take an excerpt from.", s.ID)
		return evidence.Excerpt{}, protocol.Errorf(protocol.InvalidInput, "%s has no text to take an excerpt from", s.ID).
			WithFindings([]protocol.Finding{f})
	}
	if want.Quote != "" {
		return quoted(s, content, want.Quote)
	}
	lines := Lines(content.Raw)
	if want.From < 1 || want.To < want.From || want.To > len(lines) {
		return evidence.Excerpt{}, protocol.Errorf(protocol.InvalidInput, "%s has the lines 1-%d, not %d-%d", s.ID, len(lines), want.From,
			want.To)
	}
	return named(s, strings.Join(lines[want.From-1:want.To], "\n"), want.From, want.To)
}

func quoted(s *evidence.Source, content evidence.Content, quote string) (evidence.Excerpt, error) {
	checked, from, to := content.Text.Locate(s.ID, quote)
	if checked.Verdict != evidence.Found {
		findings := checked.Findings("The excerpt")
		return evidence.Excerpt{}, protocol.Errorf(protocol.EVQ01, "%s", findings[0].Message).WithFindings(findings)
	}
	return named(s, strings.Join(strings.Fields(quote), " "), from, to)
}

func named(s *evidence.Source, text string, from, to int) (evidence.Excerpt, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch {
	case text == "":
		return evidence.Excerpt{}, protocol.Errorf(protocol.InvalidInput, "the lines %d-%d of %s are blank", from, to, s.ID)
	case len(text) > maxExcerpt:
		return evidence.Excerpt{}, protocol.Errorf(protocol.InvalidInput, "the passage is longer than %d KiB", maxExcerpt>>10)
	}
	return evidence.Excerpt{Text: text, From: from, To: to}, nil
}

// Lines cuts a text into its lines, without line endings and without an empty one at its end.
func Lines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}
