package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/protocol"
)

func newEvidenceShow(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "show EV-nnn[#En]",
		Short:   "Show a source of the evidence pack, or one passage of it, and what rests on it",
		Example: "  brenner evidence show EV-001\n  brenner evidence show EV-001#E2",
		Args:    exactly("EV-nnn[#En]"),

		ValidArgsFunction: a.completeSource,
	}, func(ctx context.Context, args []string) (report, error) {
		cited, err := parseEvidenceID(args[0])
		if err != nil {
			return nil, err
		}
		pack, err := a.loadPack(ctx)
		if err != nil {
			return nil, err
		}
		s := pack.Source(cited.Evidence)
		if s == nil {
			return nil, protocol.Errorf(protocol.NotFound, "the evidence pack has no %s", cited.Evidence)
		}
		content := s.Open()
		findings := append(append([]protocol.Finding{}, content.Wrong...), s.Doubts()...)
		r := evidenceShown{sourceJSON: a.withCiting(ctx, newEvidenceJSON(s), findings), LookedUp: pack.LookedUp(s),
			lines: evidencepack.Lines(content.Raw)}
		if pack.Snapshot != nil {
			r.snapshot = pack.Snapshot.Day
		}
		if cited.Excerpt == "" {
			return r, nil
		}
		e, ok := s.Excerpt(cited.Excerpt)
		if !ok {
			return nil, protocol.Errorf(protocol.NotFound, "%s has no excerpt %s", cited.Evidence, cited.Excerpt)
		}
		excerpt := newExcerptJSON(e)
		r.Excerpt = &excerpt
		return r, nil
	})
}

// parseEvidenceID reads EV-001 or EV-001#E2.
func parseEvidenceID(text string) (artifact.Citation, error) {
	anchor := artifact.ParseAnchor(text)
	if anchor.Form != artifact.AnchorEvidence || anchor.Labelled {
		return artifact.Citation{}, protocol.Errorf(protocol.InvalidInput, "%q is no id of the evidence pack, such as EV-001 or EV-001#E2",
			text)
	}
	return anchor.Citations[0], nil
}

type evidenceShown struct {
	sourceJSON
	Excerpt  *excerptJSON `json:"excerpt"`   // the one that was asked for
	LookedUp bool         `json:"looked_up"` // in the last snapshot of retractions

	snapshot string // its day; empty: there was none
	lines    []string
}

// maxSourceLines is how many lines of a source are shown; the file has all of them.
const maxSourceLines = 60

func (r evidenceShown) show(p *printer) {
	p.findingsOnErr(r.Findings)
	if r.Excerpt != nil {
		p.text(strings.TrimRight(r.Excerpt.Text, "\n") + "\n")
		p.hint("cite it as " + r.ID + "#" + r.Excerpt.ID)
		return
	}
	r.evidenceJSON.show(p)
	r.showLookup(p)
	r.showCiting(p)
	if r.Text == nil {
		return
	}
	for i, line := range r.lines {
		if i == maxSourceLines {
			p.print("  … and %d more lines in %s/%s\n", len(r.lines)-i, evidencepack.Dir, visible(*r.Text))
			break
		}
		p.print("%5d  %s\n", i+1, visible(line))
	}
	p.next("brenner", "evidence", "excerpt", r.ID, "--lines", "1-1")
}

// showLookup says whether the source was looked up among retractions.
func (r evidenceShown) showLookup(p *printer) {
	switch {
	case r.Kind != evidence.KindSource:
	case r.LookedUp:
		p.print("  looked up among retractions on %s\n", visible(r.snapshot))
	default:
		p.print("  not looked up among retractions\n")
	}
}
