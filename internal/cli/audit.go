package cli

import (
	"cmp"
	"context"
	"os"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	project "brenner/internal/app"
	"brenner/internal/audit"
	"brenner/internal/protocol"
)

func newAudit(a *app) *cobra.Command {
	var since string
	var limit int
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show what operators did beside the mail they sent",
		Long: `Show what operators did, oldest first: requests to brenner serve that may write, sign-ins, and commands that do more
than to send mail: tokens, agents registered and retired, sessions started, compiled, persisted, completed
and archived, runs and words to them, imports, restores, repairs. Mail that an operator sent is in its thread. An act is "begun"
until it has ended; one whose process was killed stays so. With --json it is the whole log since --since, to be kept elsewhere.`,
		Example: "  brenner audit\n  brenner audit --since 7d --json",
		Args:    exactly(),
	}
	cmd.Flags().StringVar(&since, "since", "", "only the last `TIME`, such as 12h or 7d")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most the last `N` (default: 100 as text, all with --json)")
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		from := time.Time{}
		if since != "" {
			span, err := lifetime(cmd, "since", since)
			if err != nil {
				return nil, err
			}
			from = p.Mail.Now().Add(-span)
		}
		if limit < 0 {
			return nil, usageFor(cmd, "--limit is negative")
		}
		if limit == 0 && !a.flags.json {
			limit = 100
		}
		entries, err := audit.Read(ctx, p.Mail, from, limit)
		return auditReport{protocol.NonNil(entries)}, err
	}))
}

type auditReport struct {
	Entries []audit.Entry `json:"entries"`
}

func (r auditReport) show(p *printer) {
	if len(r.Entries) == 0 {
		p.note("no operator has done anything that is not mail")
		p.next("brenner", "token", "list")
		return
	}
	var rows [][]string
	for _, e := range r.Entries {
		rows = append(rows, []string{
			e.At.Format(time.DateTime), e.Who, e.Agent, string(e.Via), e.Act, cmp.Or(e.Target, e.Thread), e.Code, e.From,
		})
	}
	p.table(columns("Time", "Who", "As?", "Via?", "Act", "Of…", "Ended", "From?"), rows)
	p.next("brenner", "token", "list")
}

// acting is the work of a command by which an operator does more than to send mail: the audit log has a line of it
// before it begins, and how it ended. What ended well without that is not reported as well done.
func (a *app) acting(run projectFunc) projectFunc {
	return func(ctx context.Context, p *project.App, args []string) (r report, err error) {
		if trial := a.cmd.Flags().Lookup("dry-run"); trial != nil && trial.Value.String() == "true" {
			return run(ctx, p, args)
		}
		err = a.record(ctx, p, a.entry(args), func() error {
			r, err = run(ctx, p, args)
			return err
		})
		return r, err
	}
}

// record does what an entry of the audit log says.
func (a *app) record(ctx context.Context, p *project.App, e audit.Entry, do func() error) error {
	act, err := audit.Begin(ctx, p.Mail, e)
	if protocol.CodeOf(err) == protocol.NotAllowed { // another server's store
		return do()
	}
	if err != nil {
		return err
	}
	err = do()
	if unwritten := act.End(ctx, audit.CodeOf(err)); err == nil {
		err = unwritten
	}
	return err
}

// entry is the line about the command that runs.
func (a *app) entry(args []string) audit.Entry {
	words := slices.Clone(args)
	a.cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		switch {
		case !f.Changed:
		case f.Value.Type() == "bool" && f.Value.String() == "true":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+project.Redacted(f.Value.String()))
		}
	})
	act := strings.TrimPrefix(a.cmd.CommandPath(), a.cmd.Root().Name()+" ")
	return audit.Entry{
		At: a.now(), Who: a.identity(), Via: audit.CommandLine, From: machine(), Act: act, Target: strings.Join(words, " "),
		Thread: a.threadOf(args), Agent: a.identity(),
	}
}

// threadOf is the thread that the command is about, empty if it is about none.
func (a *app) threadOf(args []string) string {
	if f := a.cmd.Flags().Lookup("thread"); f != nil && f.Changed {
		return f.Value.String()
	}
	if takes, _ := takesThread(a.cmd); takes && len(args) > 0 && !isFile(args[0]) {
		return args[0]
	}
	return ""
}

// machine tells where a command was typed, and by which account.
func machine() string {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	account := cmp.Or(os.Getenv("USER"), "?")
	if who, err := user.Current(); err == nil {
		account = who.Username
	}
	return account + "@" + host
}
