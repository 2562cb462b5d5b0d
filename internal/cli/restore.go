package cli

import (
	"context"
	"iter"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/audit"
	"brenner/internal/backup"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func newRestore(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "restore FILE|-",
		Short: "Fill a store from a backup, all of it or nothing",
		Long: `Load a backup into the store of this project (or of --store), with every id as it was. First every thread of
every project in it is verified; a backup in which one does not match is not restored (exit code 3). A store that
holds messages or agents is left alone (exit code 6) unless --force, which replaces everything in it. A backup of
one project becomes this project, also on another machine.`,
		Example: "  brenner restore brenner-backup.jsonl\n  gzip -dc brenner-backup.jsonl.gz | brenner restore -",
		Args:    exactly("FILE"),
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace everything that is in the store")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		in, err := a.reader(ctx, args[0])
		if err != nil {
			return nil, err
		}
		defer in.Close()
		found, err := a.find(ctx)
		if err != nil {
			return nil, err
		}
		dsn, err := a.storeDSN(ctx)
		if err != nil {
			return nil, err
		}
		store, err := project.OpenStore(ctx, dsn)
		if err != nil {
			return nil, err
		}
		defer store.Close()
		t := loading{app: a, doing: "restoring", root: found.Root, to: store, replace: force, act: a.entry(args)}
		proved, err := project.Verified(ctx, backup.Read(in), func(records iter.Seq2[mail.Record, error]) error {
			return t.run(ctx, records)
		})
		if err != nil {
			return nil, err
		}
		return restoreReport{File: args[0], Store: project.Redacted(dsn), Records: t.records, Projects: proved.Projects,
			Threads: proved.Threads}, nil
	})
}

// loading takes the records of a backup, or of another store, into a store.
type loading struct {
	app     *app
	doing   string
	root    string // of this project: what a copy of a single project becomes; empty: it keeps its path
	to      mail.Store
	replace bool
	act     audit.Entry
	records int
}

func (t *loading) run(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	archive, err := archiver(t.to)
	if err != nil {
		return err
	}
	status, err := t.to.Status(ctx)
	if err != nil {
		return err
	}
	if !t.replace {
		if err := t.empty(ctx, status); err != nil {
			return err
		}
	}
	p := t.app.progress(t.doing)
	defer p.done()
	return archive.Replace(ctx, t.recorded(t.counted(t.moved(records), p)))
}

// recorded adds a line to the audit log of every project, in the transaction that fills the store.
func (t *loading) recorded(records iter.Seq2[mail.Record, error]) iter.Seq2[mail.Record, error] {
	return func(yield func(mail.Record, error) bool) {
		var projects []mail.ProjectID
		for r, err := range records {
			if err == nil && r.Project != nil {
				projects = append(projects, r.Project.ID)
			}
			if !yield(r, err) {
				return
			}
		}
		for _, id := range projects {
			row, err := audit.Row(id, t.act)
			if !yield(mail.Record{Note: &row}, err) {
				return
			}
		}
	}
}

// empty refuses a store that holds messages or agents. A project alone is made by looking.
func (t *loading) empty(ctx context.Context, status mail.Status) error {
	projects, err := t.to.Projects(ctx)
	if err != nil {
		return err
	}
	agents := 0
	for _, p := range projects {
		list, err := t.to.Agents(ctx, p.ID)
		if err != nil {
			return err
		}
		agents += len(list)
	}
	if agents == 0 && status.Messages == 0 {
		return nil
	}
	return protocol.Errorf(protocol.Conflict, "the store at %s holds %s and %s; nothing was changed",
		status.Location, count(int(status.Messages), "message"), count(agents, "agent"))
}

// counted counts records as they pass.
func (t *loading) counted(records iter.Seq2[mail.Record, error], p *progress) iter.Seq2[mail.Record, error] {
	return func(yield func(mail.Record, error) bool) {
		t.records = 0
		for r, err := range records {
			if err == nil {
				t.records++
				p.at(t.records)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// moved gives a single project the path of this one. Projects come before all other records.
func (t *loading) moved(records iter.Seq2[mail.Record, error]) iter.Seq2[mail.Record, error] {
	if t.root == "" {
		return records
	}
	return func(yield func(mail.Record, error) bool) {
		var projects []mail.Record
		flush := func() bool {
			if len(projects) == 1 {
				own := *projects[0].Project
				own.HumanKey, own.Slug = t.root, mail.Slug(t.root)
				projects[0] = mail.Record{Project: &own}
			}
			for _, r := range projects {
				if !yield(r, nil) {
					return false
				}
			}
			projects = nil
			return true
		}
		for r, err := range records {
			if err == nil && r.Project != nil {
				projects = append(projects, r)
				continue
			}
			if !flush() || !yield(r, err) {
				return
			}
		}
		flush()
	}
}

type restoreReport struct {
	File     string `json:"file"`
	Store    string `json:"store"`
	Records  int    `json:"records"`
	Projects int    `json:"projects"`
	Threads  int    `json:"threads"` // all of them were verified
}

func (r restoreReport) show(p *printer) {
	p.print("%s verified; %s restored into %s\n", count(r.Threads, "thread"), count(r.Records, "record"), visible(r.Store))
	p.next("brenner", "thread", "list")
}
