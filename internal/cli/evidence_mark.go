package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/session"
)

func newEvidenceMark(a *app) *cobra.Command {
	var status, by, note, share string
	cmd := &cobra.Command{
		Use:   "mark EV-nnn --status current|corrected|retracted|superseded [--by EV-mmm] [--note TEXT]",
		Short: "Say where a source stands: current, corrected, retracted or superseded",
		Long: `Say where a source stands. Whatever cites a source that is not current is told so (EV-S01); an active item that cites a
retracted one without saying "retracted" is an error. Belief does not change by itself: withdraw the result that rests
on the source. With --share no only its entry, hash and excerpts go into a crate.`,
		Example: "  brenner evidence mark EV-001 --status retracted --note 'Science, 24 July 2025'\n" +
			"  brenner evidence mark EV-001 --status superseded --by EV-004\n  brenner evidence mark EV-002 --share no",
		Args: exactly("EV-nnn"),

		ValidArgsFunction: a.completeSource,
	}
	cmd.Flags().StringVar(&status, "status", "", "`STATUS`: current, corrected, retracted or superseded")
	cmd.Flags().StringVar(&by, "by", "", "`EV-mmm`, the source that corrects, retracts or replaces it")
	cmd.Flags().StringVar(&note, "note", "", "`TEXT` that says why")
	cmd.Flags().StringVar(&share, "share", "", "`yes|no`: whether the file itself goes into crates")
	completeFlag(cmd, "status", fixed(evidence.Statuses))
	completeFlag(cmd, "by", a.completeSources)
	completeFlag(cmd, "share", fixed([]string{"yes", "no"}))
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		mark, err := parseMark(cmd, status, by, note, share)
		if err != nil {
			return nil, err
		}
		pack, id, err := a.packOf(ctx, cmd, args[0])
		if err != nil {
			return nil, err
		}
		s, err := pack.Mark(id, mark)
		if err != nil {
			return nil, err
		}
		return markedReport{a.withCiting(ctx, newEvidenceJSON(s), nil)}, nil
	})
}

func parseMark(cmd *cobra.Command, status, by, note, share string) (evidencepack.Mark, error) {
	given := cmd.Flags().Changed
	mark := evidencepack.Mark{Status: evidence.Status(status), Note: note, Share: share}
	switch {
	case !given("status") && !given("share"):
		return mark, usageFor(cmd, "give --status or --share")
	case !given("status") && (given("by") || given("note")):
		return mark, usageFor(cmd, "--by and --note need --status")
	case given("status") && !slices.Contains(evidence.Statuses, mark.Status):
		return mark, usageFor(cmd, "--status is current, corrected, retracted or superseded, not %q", status)
	case given("share") && share != "yes" && share != "no":
		return mark, usageFor(cmd, "--share is yes or no, not %q", share)
	}
	if !given("by") {
		return mark, nil
	}
	other, err := parseEvidenceID(by)
	if err == nil && other.Excerpt != "" {
		err = usageFor(cmd, "--by names a source such as EV-002, not %q", by)
	}
	mark.By = other.Evidence
	return mark, err
}

type markedReport struct{ sourceJSON }

func (r markedReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	text := string(r.Status)
	if line := r.line(); line != "" {
		text = line
	}
	p.print("%s  %s\n", r.ID, visible(text))
	if !r.Share {
		p.print("  its file is not shared\n")
	}
	r.showCiting(p)
	for _, c := range r.CitedBy {
		if r.Status == evidence.Retracted && c.How == session.ByResult && c.Item != nil && c.MessageID != nil {
			p.next("brenner", "result", "withdraw", c.ThreadID, *c.Item, "--message", formatInt(*c.MessageID), "--reason",
				r.ID+" was retracted")
			return
		}
	}
	p.next("brenner", "evidence", "show", r.ID)
}
