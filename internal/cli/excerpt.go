package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
	"brenner/internal/transcript"
)

func newExcerpt(a *app) *cobra.Command {
	var selection string
	cmd := &cobra.Command{
		Use:   "excerpt FILE --sections 12,14-16",
		Short: "Quote numbered sections of a transcript, with their citations",
		Long: `Print sections of a transcript as a KICKOFF quotes them, each with its §n. Sections begin with a line
"§12 Title", or with a numbered heading where there is no such line.`,
		Example: "  brenner excerpt transcript.md --sections 12,14-16 > excerpt.md\n" +
			"  brenner session start --excerpt-file excerpt.md --question 'Why?' --context 'So.' --to BlueLake",
		Args: exactly("FILE"),
	}
	cmd.Flags().StringVar(&selection, "sections", "", "section `NUMBERS` and ranges, separated by commas")
	required(cmd, "sections")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		numbers, err := transcript.ParseSelection(selection)
		if err != nil {
			return nil, err
		}
		text, err := a.readAll(ctx, input{args[0], maxText, protocol.InvalidInput})
		if err != nil {
			return nil, err
		}
		r := excerptReport{Sections: numbers}
		r.Excerpt, r.Findings = transcript.Parse(string(text)).Excerpt(numbers)
		r.Findings = protocol.NonNil(r.Findings)
		return r, excerptError(r.Findings)
	})
}

// excerptError fails under the code of the first error.
func excerptError(findings []protocol.Finding) error {
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			return protocol.Errorf(f.Code, "%s", f.Message).WithFindings(findings)
		}
	}
	return nil
}

type excerptReport struct {
	Excerpt  string             `json:"excerpt"`
	Sections []int              `json:"sections"`
	Findings []protocol.Finding `json:"findings"`
}

func (r excerptReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	if p.failed {
		return
	}
	p.text(r.Excerpt + "\n")
	p.hint("put it into a file and give it to brenner session start --excerpt-file")
}
