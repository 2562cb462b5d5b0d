package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/command"
	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/gitrepo"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

func newResultRun(a *app) *cobra.Command {
	var req session.ResultRequest
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "run T TEST [--timeout D] [--outcome TEXT] -- COMMAND…",
		Short: "Run a command for a test, and keep it as evidence with its result",
		Long: `Run a command as typed, without a shell, in the project's root. Command, output, exit code and the commit it ran on are
kept as evidence. The outcome is --outcome, else the last line of its output that begins with "outcome: ", or with
"value: " for a quantity. Another exit code than 0 gives the test the status error. Only a command typed here is ever run, never one
that a message proposes.`,
		Example: "  brenner result run RS-20260110-cells-turn T1 --timeout 10m -- python3 fate.py --seed 1",
		Args: func(cmd *cobra.Command, args []string) error {
			at := cmd.ArgsLenAtDash()
			before := len(args) - (cmd.Flags().NArg() - at) // with a thread that was found for it
			switch {
			case at < 0 || cmd.Flags().NArg() == at:
				return usageFor(cmd, "the command is missing: write it after --")
			case before != 2 && !(before == 1 && threadMayBeMissing(cmd, 1)):
				return usageFor(cmd, "T and TEST come before --")
			}
			return nil
		},
		ValidArgsFunction: a.completeItems(artifact.DiscriminativeTests),
	}
	a.resultFlags(cmd, &req)
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "end the command after this `TIME`, such as 90s or 10m")
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		if timeout < 0 || cmd.Flags().Changed("timeout") && timeout == 0 {
			return nil, usageFor(cmd, "--timeout is a time such as 90s or 10m")
		}
		if err := checkResultFlags(cmd, &req); err != nil {
			return nil, err
		}
		if args[2] == "" {
			return nil, usageFor(cmd, "the command is empty")
		}
		req.ThreadID, req.Test = args[0], args[1]
		run := experimentRun{app: a, project: p, req: req, words: args[2:], timeout: timeout}
		return run.do(ctx)
	}))
}

// experimentRun runs a command for a test.
type experimentRun struct {
	app     *app
	project *project.App
	req     session.ResultRequest
	words   []string
	timeout time.Duration
}

func (r *experimentRun) do(ctx context.Context) (report, error) {
	s, err := r.project.Sessions.Session(ctx, r.req.ThreadID)
	if err != nil {
		return nil, err
	}
	it, err := s.CanRecord(r.req)
	if err != nil {
		return nil, err
	}
	if _, err := s.Library(); err != nil { // before anything runs
		return nil, err
	}
	as, err := r.app.sender(ctx, r.project)
	if err != nil {
		return nil, err
	}
	git, err := r.commit(ctx)
	if err != nil {
		return nil, err
	}
	result, err := command.Run(ctx, command.Spec{Words: r.words, Dir: r.project.Project.Root, Timeout: r.timeout, Live: r.app.streams.Err})
	if err != nil {
		return nil, err
	}
	defer result.Close()
	kept, err := r.project.Evidence.AddRun(ctx, evidencepack.FinishedRun{
		Run: evidence.Run{
			Thread: r.req.ThreadID, Test: r.req.Test, Command: r.words, ExitCode: result.ExitCode, TimedOut: result.TimedOut,
			StartedAt: result.Started.UTC().Format(time.RFC3339Nano),
			Seconds:   result.Seconds, Git: git, System: runtime.GOOS + "/" + runtime.GOARCH,
			Stdout: evidence.RunOutput{Bytes: result.Out.Bytes, Cut: result.Out.Cut},
			Stderr: evidence.RunOutput{Bytes: result.Err.Bytes, Cut: result.Err.Cut},
		},
		Out: result.Out.File, Err: result.Err.File, Title: "Run of " + r.req.Test + ": " + it.Title(), By: as, At: r.app.now(),
	})
	if err != nil {
		return nil, err
	}
	return r.record(ctx, s, as, kept.ID, result)
}

// commit is the state of the repository before the run, without what brenner itself writes.
func (r *experimentRun) commit(ctx context.Context) (*evidence.Commit, error) {
	root := r.project.Project.Root
	repo, ok := gitrepo.Open(ctx, root)
	if !ok {
		return nil, nil
	}
	commit, dirty, err := repo.Head(ctx, root, "evidence", "artifacts", ".brenner")
	if err != nil || commit == "" {
		return nil, err
	}
	return &evidence.Commit{Commit: commit, Dirty: dirty}, nil
}

// record posts what the run came to.
func (r *experimentRun) record(ctx context.Context, s *session.Session, as, id string, result *command.Result) (report, error) {
	req := r.req
	req.As, req.Evidence, req.Started = as, []string{id}, result.Started
	failed := result.ExitCode == nil || *result.ExitCode != 0
	if failed {
		req.Status, req.Outcome = "error", ""
	} else if req.Outcome == "" {
		req.Outcome, req.Value = r.said(s, result.Out)
	}
	if !failed && req.Outcome == "" && req.Value == "" {
		done := session.RecordedResult{ThreadID: req.ThreadID, Test: req.Test, Status: "untested", Evidence: []string{id},
			Findings: []protocol.Finding{}}
		missing, word := "outcome", "--outcome TEXT"
		if s.Measures(req.Test) {
			missing, word = "value", "--value V"
		}
		return resultReport{done, result.ExitCode}, protocol.Errorf(protocol.OutcomeMissing,
			"the run is kept as %s, but says no %s; record it with: %s", id, missing, r.toRecord(word, id))
	}
	done, err := r.project.Sessions.RecordResult(ctx, req)
	var refused *protocol.Error
	if errors.As(err, &refused) && req.Value != "" && done.MessageID == nil {
		err = protocol.Errorf(refused.Code, "%w; the run is kept as %s: record it with: %s", refused, id, r.toRecord("--value V", id)).
			WithFindings(refused.Findings)
		done.Status = "untested"
	}
	if err == nil && result.TimedOut {
		err = protocol.Errorf(protocol.TimedOut, "the command was ended after %s; the run is kept as %s", duration(r.timeout), id)
	}
	return resultReport{done, result.ExitCode}, err
}

// toRecord is the command that records what a kept run found.
func (r *experimentRun) toRecord(word, id string) string {
	return fmt.Sprintf("brenner result record %s %s %s --evidence %s", r.req.ThreadID, r.req.Test, word, id)
}

// said is what a run says on its last line that begins with outcome, or with value where the test measures a quantity.
func (r *experimentRun) said(s *session.Session, out *command.Output) (outcome, value string) {
	if s.Measures(r.req.Test) {
		value, _ = out.LastLine("value: ")
	}
	if value == "" {
		outcome, _ = out.LastLine("outcome: ")
	}
	return outcome, value
}
