package cli

import (
	"context"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

func newSessionComplete(a *app) *cobra.Command {
	var req usecase.CompleteRequest
	cmd := &cobra.Command{
		Use:   "complete T",
		Short: "Compile what is pending, write the artifact and close the session",
		Long: `Complete a session: publish what is pending, write the artifact to artifacts/T.md (and commit that
file with --commit, as the agent that acts where git does not know who commits), and post the record. Lint errors
(exit code 3) and open critical critiques (7) stop it, unless --force gives a reason, which the record repeats. A hypothesis that no
other model family and no person has reviewed is a warning; with --require-review it stops it too (7). A later KICKOFF reopens the
session.`,
		Example: "  brenner session complete RS-20260110-cells-turn --commit\n" +
			"  brenner session complete RS-20260110-cells-turn --force 'T2 cannot be run before spring'",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	bind(a, cmd, usecase.Complete.Case, reflect.ValueOf(&req).Elem())
	a.fromFlag(cmd)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if cmd.Flags().Changed("force") && strings.TrimSpace(req.Force) == "" {
			return nil, usageFor(cmd, "--force wants a reason")
		}
		return a.working("completing", a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
			var err error
			if req.As, err = a.sender(ctx, p); err != nil {
				return nil, err
			}
			req.Thread = args[0]
			done, err := usecase.Complete.Do(ctx, usecase.At{Sessions: p.Sessions}, req)
			if done.ThreadID == "" {
				return nil, err
			}
			r := completeReport{Completed: done}
			if err != nil {
				r.obstacle = coded(err)
			}
			return r, err
		}))(ctx, args)
	})
}

type completeReport struct {
	session.Completed
	obstacle *protocol.Error // what is in the way; nil: nothing
}

func (r completeReport) show(p *printer) {
	if p.failed {
		p.few(r.obstacle.Findings)
		return
	}
	p.outcome(r.Outcome)
	p.print("%s is complete at v%d: %s\n", visible(r.ThreadID), r.Version, visible(persistenceText(r.Persistence)))
	p.next("brenner", "artifact", "show", r.ThreadID)
}

// advise names the command that shows what is in the way.
func (r completeReport) advise(p *printer) {
	switch {
	case r.obstacle.Code == protocol.ValidationFailed:
		p.next("brenner", "lint", r.ThreadID)
	case len(r.obstacle.Findings) > 0:
		p.next("brenner", "review", r.ThreadID)
	case r.obstacle.Code == protocol.Waiting:
		p.next("brenner", "critique", "list", r.ThreadID)
	}
}

// persistenceText describes the file of a version.
func persistenceText(s session.Persistence) string {
	text := s.Path + " " + strings.ToLower(string(s.State))
	if s.Commit != nil {
		text += " in commit " + shortHash(*s.Commit)
	}
	return text
}

// shortHash is as much of a hash as people quote.
func shortHash(hash string) string {
	const maxDigits = 12
	return hash[:min(maxDigits, len(hash))]
}
