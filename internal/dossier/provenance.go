package dossier

import (
	"cmp"
	"strconv"
	"strings"

	"brenner/internal/crate"
	"brenner/internal/evidence"
	"brenner/internal/literature"
	"brenner/internal/protocol"
)

// runs describes the commands whose records go along.
func (b *Bundle) runs() ([]crate.Run, error) {
	if b.Library.Pack == nil {
		return nil, nil
	}
	var list []crate.Run
	for _, s := range b.Library.Pack.Sources {
		if s.Kind != evidence.KindRun || s.File == "" {
			continue
		}
		data, err := b.pack.Read(s.File)
		var record evidence.Run
		if err == nil {
			record, err = evidence.ParseRun(data)
		}
		if err != nil {
			return nil, protocol.Errorf(protocol.EVQ02, "the record of %s cannot be read: %w", s.ID, err)
		}
		list = append(list, b.run(s, &record))
	}
	return list, nil
}

func (b *Bundle) run(s *evidence.Source, record *evidence.Run) crate.Run {
	run := crate.Run{ID: s.ID, Name: b.fileTitle(s.File), Command: strings.Join(record.Command, " "), Program: "unknown",
		Failure: failure(record)}
	if len(record.Command) > 0 && record.Command[0] != "" {
		run.Program = record.Command[0]
	}
	run.Started, run.Ended = crate.Span(record.StartedAt, record.Seconds)
	for _, out := range []evidence.RunOutput{record.Stdout, record.Stderr} {
		run.Outputs = append(run.Outputs, evidenceDir+out.File)
	}
	return run
}

// failure is why a run failed: its exit code, where it has one.
func failure(record *evidence.Run) string {
	switch {
	case record.TimedOut:
		return "timed out"
	case record.ExitCode == nil:
		return "ended by a signal"
	case *record.ExitCode != 0:
		return strconv.Itoa(*record.ExitCode)
	}
	return ""
}

// workTypes are what schema.org calls the types of CSL; others are CreativeWorks.
var workTypes = map[string]string{
	"article-journal": "ScholarlyArticle", "paper-conference": "ScholarlyArticle", "article": "ScholarlyArticle",
	"article-magazine":  "Article",
	"article-newspaper": "NewsArticle", "book": "Book", "chapter": "Chapter", "thesis": "Thesis", "report": "Report", "webpage": "WebPage",
}

// works describes what the sources with a bibliographic entry are.
func (b *Bundle) works() []crate.Work {
	if b.Library.Pack == nil {
		return nil
	}
	var list []crate.Work
	for _, s := range b.Library.Pack.Sources {
		if s.Cite == nil {
			continue
		}
		work := crate.Work{
			ID: workAddress(s), Source: s.ID, Type: workTypes[s.Cite.Type], Name: literature.Plain(s.Cite.Title),
			Reference: s.Cite.String(),
			Published: s.Cite.Issued.ISO(),
		}
		if work.Type == "" {
			work.Type = "CreativeWork"
		}
		if work.Name == "" {
			work.Name = b.fileTitle(s.ID)
		}
		list = append(list, work)
	}
	return list
}

// workAddress is the address of a work: its DOI, else where it stands.
func workAddress(s *evidence.Source) string {
	if doi := literature.DOILink(cmp.Or(s.Cite.DOI, literature.Identify(s.Cite, s.Source).DOI)); doi != "" {
		return doi
	}
	return s.Cite.Link()
}
