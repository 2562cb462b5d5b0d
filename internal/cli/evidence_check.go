package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/evidence"
	"brenner/internal/markup"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

func newEvidenceCheck(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "check [T|FILE]",
		Short: "Compare quotes with their sources",
		Long: `Compare the quotes of a thread, or of an artifact in a file, with the sources that they cite. A quote of an item
that does not stand in its source is an error (exit code 3), in the text of a message a warning. Without argument the
whole pack is judged: files that were changed, files without an entry, sources that no thread cites.`,
		Example: "  brenner evidence check\n  brenner evidence check RS-20260110-cells-turn\n  brenner evidence check " +
			"artifact.md",
		Args:              between(nil, "T|FILE"),
		ValidArgsFunction: a.completeThreadsOrFiles,
	}, func(ctx context.Context, args []string) (report, error) {
		r, err := a.checkQuotes(ctx, args)
		if err != nil {
			return nil, err
		}
		return r, verdict("the evidence", r.Findings)
	})
}

func (a *app) checkQuotes(ctx context.Context, args []string) (r quotesReport, err error) {
	if len(args) == 1 && isFile(args[0]) {
		return a.checkQuotesOfFile(ctx, args[0])
	}
	_, err = a.working("comparing", func(ctx context.Context, p *project.App, _ []string) (report, error) {
		if len(args) == 0 {
			r.QuoteCheck, err = p.Sessions.CheckPack(ctx)
			return nil, err
		}
		at, err := usecase.Evidence.At(ctx, p.Sessions, args[0])
		if err != nil {
			return nil, err
		}
		r.QuoteCheck, err = usecase.Evidence.Do(ctx, at, usecase.OfThread{Thread: args[0]})
		return nil, err
	})(ctx, nil)
	return r, err
}

// checkQuotesOfFile checks an artifact, a thread file, or the text of a message.
func (a *app) checkQuotesOfFile(ctx context.Context, path string) (quotesReport, error) {
	doc, err := a.readDocument(ctx, path)
	if err != nil {
		return quotesReport{}, err
	}
	library, err := a.library(ctx)
	if err != nil {
		return quotesReport{}, err
	}
	if doc.outline == nil || doc.outline.FrontMatter.Present || len(doc.outline.Sections) > 0 {
		return quotesReport{QuoteCheck: session.CheckArtifact(library, doc.Artifact)}, nil
	}
	return quotesReport{QuoteCheck: session.CheckText(library, markup.Parse(doc.text)), text: doc.text}, nil
}

// library is what can be cited in the project; it needs no store.
func (a *app) library(ctx context.Context) (*evidence.Library, error) {
	options, err := a.options(ctx)
	if err != nil {
		return nil, err
	}
	lint, settings, err := project.LintProject(ctx, options)
	a.settings = settings
	if err != nil {
		return nil, err
	}
	return lint.Library, nil
}

type quotesReport struct {
	session.QuoteCheck

	text string
}

func (r quotesReport) show(p *printer) {
	for _, q := range r.Quotes {
		state := "not compared"
		if q.Found != nil && *q.Found {
			state = "found"
		} else if q.Found != nil {
			state = "not found"
		}
		where := ""
		switch {
		case q.Item != nil:
			where = *q.Item + "." + *q.Path
		case q.MessageID != nil:
			where = "#" + formatInt(*q.MessageID)
		}
		cited := q.Citation
		if cited == "" {
			cited = "no citation"
		}
		if q.Page != nil {
			cited += fmt.Sprintf(", p. %d", *q.Page)
		}
		p.line("", fmt.Sprintf("%-12s %s  %s (%s)", state, where, evidence.Show(q.Text), cited))
	}
	if len(r.Quotes) > 0 {
		p.line("", r.Counts.Line())
	}
	var src *source
	if r.text != "" {
		src = newSource(r.text)
	}
	p.findings(r.Findings, src)
	if len(r.Quotes) == 0 && len(r.Findings) == 0 {
		p.note("nothing is quoted, and nothing is wrong")
	}
	p.next("brenner", "evidence", "list")
}
