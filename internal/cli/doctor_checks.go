package cli

import (
	"context"
	"fmt"
	"os/exec"

	project "brenner/internal/app"
	"brenner/internal/beads"
	"brenner/internal/commandline"
	"brenner/internal/gitrepo"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// doctor goes through the checks; failure is the error of the first that fails.
type doctor struct {
	app     *app
	thread  string // a session to look at as well; empty: none
	report  doctorReport
	failure error
}

func (d *doctor) ok(name, format string, args ...any) {
	d.report.Checks = append(d.report.Checks, check{Name: name, Status: checkOK, Message: fmt.Sprintf(format, args...)})
	d.report.Summary.OK++
}

func (d *doctor) warn(name, message, fix string) {
	d.report.Checks = append(d.report.Checks, check{name, checkWarn, message, &fix})
	d.report.Summary.Warn++
}

func (d *doctor) fail(name string, err error) {
	failed := coded(err)
	fix := commandline.Fix(failed.Code.Info().Fix, failed.Code.Action())
	if len(failed.Findings) > 0 && failed.Findings[0].Fix != "" {
		fix = commandline.Fix(failed.Findings[0].Fix, failed.Findings[0].Action)
	}
	d.report.Checks = append(d.report.Checks, check{name, checkFail, commandline.Fix(failed.Message, failed.Action), &fix})
	d.report.Summary.Fail++
	if d.failure == nil {
		d.failure = failed
	}
}

func (d *doctor) examine(ctx context.Context) error {
	found, err := d.app.find(ctx)
	if err != nil {
		return err
	}
	d.ok("program", "brenner %s", version)
	d.git(ctx, found.Root)
	if d.settings(found) {
		d.store(ctx, found)
		if d.thread != "" {
			d.session(ctx, found, d.thread)
		}
	}
	d.programs(found.Root)
	return nil
}

func (d *doctor) git(ctx context.Context, root string) {
	if _, err := exec.LookPath("git"); err != nil {
		d.warn("git", "the git program is not installed: artifacts can be written, but not committed", "install git")
		return
	}
	repo, ok := gitrepo.Open(ctx, root)
	if !ok {
		d.warn("git", root+" is not in a git repository: artifacts can be written, but not committed", "git init")
		return
	}
	d.ok("git", "%s is in a repository", root)
	switch by, err := repo.Identity(ctx, d.app.identity()); {
	case protocol.CodeOf(err) == protocol.NotAllowed:
		d.warn("git identity", "git does not know who commits, and may not guess: artifacts can be written, but not committed",
			gitrepo.IntroduceYourself)
	case err != nil:
		d.fail("git identity", err)
	case by.StandIn:
		d.warn("git identity", "git does not know who commits: commits will be by "+by.Text, gitrepo.IntroduceYourself)
	default:
		d.ok("git identity", "commits are by %s", by.Text)
	}
}

// settings tells whether the project file can be used.
func (d *doctor) settings(found project.Project) bool {
	c, findings, err := found.Config()
	switch {
	case err != nil:
		d.fail("settings", err)
		return false
	case len(findings) > 0:
		d.warn("settings", fmt.Sprintf("%s: %s", findings[0].Message, tally(findings)),
			commandline.Fix(findings[0].Fix, findings[0].Action))
	case len(c.Origins) == 0:
		d.ok("settings", "no project file: the defaults apply")
	default:
		d.ok("settings", "the project file is in order")
	}
	return true
}

// maxLag is how far behind the search index may be before searching takes noticeably longer.
const maxLag = 10_000

func (d *doctor) store(ctx context.Context, found project.Project) {
	options := project.Options{Project: found, Store: d.app.dsn()}
	p, err := project.Peek(ctx, options)
	if protocol.CodeOf(err) == protocol.NotFound {
		d.ok("store", "none yet; it is made on first use")
		return
	}
	if err != nil {
		d.fail("store", err)
		return
	}
	defer p.Close()
	status, err := p.Store.Status(ctx)
	if err != nil {
		d.fail("store", err)
		return
	}
	if !status.Atomic { // how much it holds, and how, is its own affair
		d.ok("store", "another server's, at %s, which answers and knows this project", status.Location)
		d.mail(ctx, p)
		return
	}
	d.ok("store", "%s at %s, schema %d, %d messages, can be read and written", status.Engine, status.Location, status.Schema,
		status.Messages)
	if lag := status.Lag(); lag > maxLag {
		d.warn("search", fmt.Sprintf("the index is %d messages behind", lag), "wait while brenner serve runs, or search once")
	} else {
		d.ok("search", "the index is %d messages behind", lag)
	}
	d.integrity(ctx, p)
	if status.Engine == "sqlite" {
		d.modes(status.Location)
	}
	d.mail(ctx, p)
}

func (d *doctor) mail(ctx context.Context, p *project.App) {
	agents, err := p.Mail.Agents(ctx)
	if err != nil {
		d.fail("agents", err)
		return
	}
	if len(agents) == 0 {
		d.warn("agents", "none is registered", "brenner mail register NAME, or brenner session start --to NAME")
	} else {
		d.ok("agents", "%d registered", len(agents))
		d.agentPrograms(p, agents)
	}
	late, err := p.Mail.Pending(ctx, mail.PendingQuery{Overdue: true})
	switch {
	case err != nil:
		d.fail("acknowledgements", err)
	case len(late) > 0:
		d.warn("acknowledgements", count(len(late), "acknowledgement")+" overdue", "brenner acks --overdue, then brenner acks run-once")
	default:
		d.ok("acknowledgements", "none overdue")
	}
}

// programs looks for what some commands use beside git.
func (d *doctor) programs(root string) {
	if _, err := exec.LookPath("tmux"); err != nil {
		d.warn("tmux", "not installed: the cockpit needs it", "install tmux")
	} else {
		d.ok("tmux", "installed")
	}
	if _, tracked := beads.Open(root); !tracked {
		d.ok("beads", "the repository has none")
	} else if _, err := exec.LookPath("bd"); err != nil {
		d.warn("beads", "bd is not installed: beads are read from .beads", "install bd")
	} else {
		d.ok("beads", "bd is installed")
	}
}
