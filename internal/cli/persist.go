package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

func newPersist(a *app) *cobra.Command {
	var req session.PersistRequest
	cmd := &cobra.Command{
		Use:   "persist T",
		Short: "Write the latest published version to artifacts/T.md",
		Long: `Write the latest published version to its file and, with --commit, commit that file alone. A file
of a higher version, or one that holds none of the thread's versions, is left alone (exit code 6)
unless --force. Where git does not know who commits, the commit is by the agent that acts (--as), such as
Operator <operator@brenner.invalid>. Nothing is ever pushed.`,
		Example:           "  brenner persist RS-20260110-cells-turn --commit",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	flags := cmd.Flags()
	flags.BoolVar(&req.Commit, "commit", false, "commit the file, and nothing else")
	flags.BoolVar(&req.Force, "force", false, "overwrite a file that is newer or was edited")
	a.fromFlag(cmd)
	return a.command(cmd, a.inProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		var err error
		if req.As, err = a.sender(ctx, p); err != nil {
			return nil, err
		}
		req.ThreadID = args[0]
		written, err := p.Sessions.Persist(ctx, req)
		if err != nil {
			return nil, err
		}
		thread, err := p.Mail.Thread(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return persistReport{args[0], thread.LatestVersion, written, protocol.NonNil(written.Findings)}, nil
	})))
}

type persistReport struct {
	ThreadID    string              `json:"thread_id"`
	Version     int                 `json:"version"`
	Persistence session.Persistence `json:"persistence"`
	Findings    []protocol.Finding  `json:"findings"`
}

func (r persistReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	p.print("v%d: %s\n", r.Version, visible(persistenceText(r.Persistence)))
	if r.Persistence.State == session.Pending {
		p.next("brenner", "persist", r.ThreadID, "--commit")
		return
	}
	p.next("git", "log", "--oneline", "--", r.Persistence.Path)
}
