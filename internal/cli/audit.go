package cli

import (
	"cmp"
	"context"
	"os"
	"os/user"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/audit"
	"brenner/protocol"
)

func newAudit(a *app) *cobra.Command {
	var since string
	var limit int
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show what operators did beside the mail they sent",
		Long: `Show what operators did, oldest first: requests to brenner serve that wrote something, sign-ins, tokens
made, rotated and revoked. Mail that an operator sent is in its thread. With --json it is the whole log
since --since, to be kept elsewhere.`,
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
		rows = append(rows, []string{e.At.Format(time.DateTime), e.Who, string(e.Via), e.Act, e.Target, e.Code, e.From})
	}
	p.table(columns("Time", "Who", "Via?", "Act", "Of…", "Ended", "From?"), rows)
	p.next("brenner", "token", "list")
}

// audited writes what the operator did into the audit log, and returns how it ended. What was done stays
// done if the log cannot be written, but is not reported as well done.
func (a *app) audited(ctx context.Context, p *project.App, act, target string, err error) error {
	entry := audit.Entry{Who: a.identity(), Via: audit.CommandLine, From: machine(), Act: act, Target: target, Code: audit.CodeOf(err)}
	if failed := audit.Write(ctx, p.Mail, entry); err == nil {
		err = failed
	}
	return err
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
