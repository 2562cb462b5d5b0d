package cli

import (
	"context"
	"reflect"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

func newPersist(a *app) *cobra.Command {
	var req usecase.PersistRequest
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
	bind(a, cmd, usecase.Persist.Case, reflect.ValueOf(&req).Elem())
	a.fromFlag(cmd)
	return a.command(cmd, a.inProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		var err error
		if req.As, err = a.sender(ctx, p); err != nil {
			return nil, err
		}
		req.Thread = args[0]
		done, err := usecase.Persist.Do(ctx, usecase.At{Sessions: p.Sessions}, req)
		if err != nil {
			return nil, err
		}
		return persistReport{done}, nil
	})))
}

type persistReport struct{ usecase.Persisted }

func (r persistReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	p.print("v%d: %s\n", r.Version, visible(persistenceText(r.Persistence)))
	if r.Persistence.State == session.Pending {
		p.next("brenner", "persist", r.ThreadID, "--commit")
		return
	}
	p.next("git", "log", "--oneline", "--", r.Persistence.Path)
}
