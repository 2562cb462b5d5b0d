package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"brenner/disputes"
	"brenner/internal/dispute"
	"brenner/internal/protocol"
)

func newDispute(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "dispute",
		Short: "Play disputes of the history of science, with sealed results",
		Long: `A dispute is a question of the history of science with its rival hypotheses, tests that could tell them
apart, sources of the time, and the results, each sealed: its hash stands in the kickoff before anybody argues.
Some come with the program; a folder of your own is named by its path.`,
		Example: "  brenner dispute list\n  brenner dispute show opera\n  brenner dispute play opera --baseline next",
	}, newDisputeList(a), newDisputeShow(a), newDisputePlay(a), newDisputeScore(a), newDisputeTable(a),
		newDisputeSite(a), newDisputeCheck(a))
}

// readDispute reads a dispute of the program, or one in a folder that is named by its path.
func readDispute(name string) (*dispute.Dispute, []protocol.Finding, error) {
	if strings.ContainsAny(name, `/\`) || name == "." {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, nil, err
		}
		return dispute.Read(filepath.Base(path), os.DirFS(path))
	}
	folder, err := fs.Sub(disputes.Files, name)
	if err != nil {
		return nil, nil, protocol.Errorf(protocol.NotFound, "there is no dispute %q: brenner dispute list", protocol.Shorten(name, 60))
	}
	return dispute.Read(name, folder)
}

// fitDispute is a dispute that can be played.
func fitDispute(name string) (*dispute.Dispute, error) {
	d, findings, err := readDispute(name)
	if err == nil && protocol.HasErrors(findings) {
		err = notFit(d.Name, findings)
	}
	return d, err
}

func notFit(name string, findings []protocol.Finding) error {
	return protocol.Errorf(protocol.InvalidInput, "the dispute %s is not fit to be played: %s", name, count(len(findings), "finding")).
		WithFindings(findings)
}

// completeDisputes completes the names of the disputes that come with the program.
func completeDisputes(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, _ := dispute.List(disputes.Files)
	return names, cobra.ShellCompDirectiveDefault
}
