package mcpserver

import (
	"context"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/literature"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

// evidenceTools let agents read the evidence pack.
func evidenceTools() []*tool {
	return []*tool{
		{
			name: "brenner_evidence", effect: reads, session: true,
			about: "The project's sources. With query: passages that have all words. With evidence_id (EV-001, EV-001#E2): its text. " +
				"With quote too: does it stand there? Each answer has the citation to paste behind a quote. With thread_id alone: its " +
				"quotes, checked. Without arguments: all sources.",
			in: []field{
				projectField, textField("query", "words to look for"), textField("evidence_id", "a source, or an excerpt of it"),
				textField("quote", "words to look for in that source"), numberField("from_line", "first line to show").or("1"), threadField,
			},
			out: "evidence:array hits:array source:object? text:string? from_line:integer? lines:integer? found:boolean? " +
				"citation:string? fix:string? quotes:array findings:array notice:string", run: readEvidence,
		},
	}
}

type evidenceObject struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Source   *string         `json:"source"`
	Kind     evidence.Kind   `json:"kind"`
	SHA256   string          `json:"sha256"`
	HasText  bool            `json:"has_text"`
	Excerpts []evidencePiece `json:"excerpts"`
	URI      string          `json:"uri"`

	TextBy     *string             `json:"text_by"`
	TextAgrees *float64            `json:"text_agrees"`
	Status     evidence.Status     `json:"status"` // one that is not current is no support
	StatusBy   *string             `json:"status_by"`
	StatusNote *string             `json:"status_note"`
	Cite       *literature.Item    `json:"cite"`
	CitedBy    *[]session.Reliance `json:"cited_by,omitempty"` // of a source that was asked for
}

type evidencePiece struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

type evidenceHit struct {
	ID       string  `json:"id"`
	Excerpt  *string `json:"excerpt"`
	Line     int     `json:"line"`
	Page     *int    `json:"page"` // null: its pages are not known
	Text     string  `json:"text"`
	Citation string  `json:"citation"`
}

// evidenceAnswer has what was asked for; the rest is empty.
type evidenceAnswer struct {
	Evidence []evidenceObject `json:"evidence"`
	Hits     []evidenceHit    `json:"hits"`
	Source   *evidenceObject  `json:"source"`
	Text     *string          `json:"text"`
	FromLine *int             `json:"from_line"`
	Lines    *int             `json:"lines"` // of the whole text
	Found    *bool            `json:"found"`
	Citation *string          `json:"citation"`
	Fix      *string          `json:"fix"`
	Notice   string           `json:"notice"`
}

func newEvidenceObject(s *evidence.Source) evidenceObject {
	o := evidenceObject{
		ID: s.ID, Title: s.Title, Kind: s.Kind, SHA256: s.Hash(), HasText: s.Text != "", Excerpts: []evidencePiece{},
		URI:    string(evidenceResource) + "/" + s.ID,
		TextBy: protocol.OrNull(string(s.TextBy)), TextAgrees: s.TextAgrees, Status: s.Standing(), StatusBy: protocol.OrNull(s.StatusBy),
		StatusNote: protocol.OrNull(s.StatusNote), Cite: s.Cite,
	}
	if s.Source != "" {
		o.Source = &s.Source
	}
	for _, e := range s.AllExcerpts() {
		o.Excerpts = append(o.Excerpts, evidencePiece(e))
	}
	return o
}

// How much of a text one answer shows.
const (
	shownLines = 200
	shownBytes = 32 << 10
)

func readEvidence(ctx context.Context, c *call) (any, error) {
	thread := strings.TrimSpace(c.text("thread_id"))
	p, err := c.threadProject(ctx, thread)
	if err != nil {
		return nil, err
	}
	query, id, quote := strings.TrimSpace(c.text("query")), strings.TrimSpace(c.text("evidence_id")), strings.TrimSpace(c.text("quote"))
	if quote != "" && id == "" {
		c.complain("evidence_id", "quote needs the evidence_id of the source to look into.")
	}
	from := c.integer("from_line", 1, 1, 1<<30)
	if err := c.err(); err != nil {
		return nil, err
	}
	if thread != "" && query == "" && id == "" {
		return c.ask(ctx, usecase.Evidence.Case)
	}
	answer := evidenceAnswer{Evidence: []evidenceObject{}, Hits: []evidenceHit{}, Notice: notice}
	if id != "" {
		if err := answer.source(p.sessions, id, quote, from); err != nil {
			return answer, err
		}
		readable, err := c.server.access(c.caller, p).ThreadSet(ctx)
		if err != nil {
			return answer, err
		}
		list, err := p.sessions.RestsOn(ctx, answer.Source.ID, readable)
		answer.Source.CitedBy = &list
		return answer, err
	}
	pack, err := p.sessions.Pack()
	if err != nil {
		return nil, err
	}
	if query == "" {
		for _, s := range pack.Sources {
			answer.Evidence = append(answer.Evidence, newEvidenceObject(s))
		}
		return answer, nil
	}
	for _, h := range pack.Search(query) {
		answer.Hits = append(answer.Hits, newEvidenceHit(h))
	}
	return answer, nil
}

func newEvidenceHit(h evidence.Hit) evidenceHit {
	hit := evidenceHit{ID: h.ID, Line: h.Line, Page: protocol.OrNull(h.Page), Text: h.Text, Citation: "(" + h.ID + ")"}
	if h.Excerpt != "" {
		hit.Excerpt, hit.Citation = &h.Excerpt, "("+h.ID+"#"+h.Excerpt+")"
	}
	return hit
}

// source fills in what was asked about one source.
func (a *evidenceAnswer) source(sessions *session.Sessions, id, quote string, from int) error {
	anchor := artifact.ParseAnchor(id)
	if anchor.Form != artifact.AnchorEvidence {
		return protocol.Errorf(protocol.InvalidInput, "%q is no id of the evidence pack, such as EV-001 or EV-001#E2", id)
	}
	cited := anchor.Citations[0]
	s, err := sessions.Source(cited.Evidence)
	if err != nil {
		return err
	}
	object, citation := newEvidenceObject(s), "("+cited.String()+")"
	a.Source, a.Citation = &object, &citation
	if quote != "" {
		return a.quote(sessions, cited, quote)
	}
	if cited.Excerpt == "" {
		a.show(s.Open().Raw, from)
		return nil
	}
	e, ok := s.Excerpt(cited.Excerpt)
	if !ok {
		return protocol.Errorf(protocol.NotFound, "%s has no excerpt %s", cited.Evidence, cited.Excerpt)
	}
	a.Text, a.FromLine = &e.Text, &e.From
	return nil
}

// show shows a part of a text.
func (a *evidenceAnswer) show(text string, from int) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	count := len(lines)
	from = min(from, count)
	part := strings.Join(lines[from-1:min(from-1+shownLines, count)], "\n")
	if len(part) > shownBytes {
		part = strings.ToValidUTF8(part[:shownBytes], "")
	}
	a.Text, a.FromLine, a.Lines = &part, &from, &count
}

// quote tells whether words are in what is cited.
func (a *evidenceAnswer) quote(sessions *session.Sessions, cited artifact.Citation, quote string) error {
	library, err := sessions.Library()
	if err != nil {
		return err
	}
	checked := library.CheckQuotes([]evidence.Quote{evidence.QuoteOf(quote, cited)})[0]
	if checked.Verdict == evidence.Undecided {
		return nil
	}
	found := checked.Verdict == evidence.Found
	a.Found = &found
	if found {
		paste := "\"" + quote + "\" (" + cited.String() + ")"
		a.Citation, a.FromLine = &paste, &checked.From
	} else {
		a.Citation, a.Fix = nil, &checked.Fix
	}
	return nil
}

// evidencePage is the text of a source, read as a resource.
func (p *project) evidencePage(name string) (page, error) {
	var a evidenceAnswer
	if err := a.source(p.sessions, name, "", 1); err != nil {
		return page{}, err
	}
	if cited := artifact.ParseAnchor(name).Citations[0]; cited.Excerpt != "" {
		return page{"text/plain", *a.Text}, nil
	}
	s, err := p.sessions.Source(a.Source.ID)
	if err != nil {
		return page{}, err
	}
	content := s.Open()
	if content.Text == nil && s.Cite != nil { // an entry without an attachment
		data, err := s.Cite.File()
		return page{"application/vnd.citationstyles.csl+json", string(data)}, err
	}
	if content.Text == nil {
		return page{}, protocol.Errorf(protocol.NotFound, "%s has no text", s.ID)
	}
	return page{"text/plain", content.Raw}, nil
}
