package cli

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/atomicfile"
	"brenner/internal/backup"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func newBackup(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "backup FILE|-",
		Short: "Copy the whole store to a file, while it stays in use",
		Long: `Write everything in the store to a file, as of one moment: all projects, agents, messages, deliveries,
events and leases. The file is the same for every engine; brenner restore takes it back and notices
whatever was cut off or changed. A file that is there is overwritten only with --force (exit code 6).`,
		Example: "  brenner backup brenner-backup.jsonl\n  brenner backup - | gzip > brenner-backup.jsonl.gz",
		Args:    exactly("FILE"),
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite a file that is there")
	return a.command(cmd, a.withStore(func(ctx context.Context, store mail.Store, args []string) (report, error) {
		archive, err := archiver(store)
		if err != nil {
			return nil, err
		}
		status, err := store.Status(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := os.Lstat(args[0]); err == nil && args[0] != "-" && !force {
			return nil, protocol.Errorf(protocol.Conflict, "%s is there already; choose another name, or overwrite it with --force",
				args[0])
		}
		r := backupReport{File: args[0], Engine: status.Engine, Messages: status.Messages}
		write := func(w io.Writer) error {
			p := a.progress("backing up")
			defer p.done()
			r.Records, err = backup.Write(ctx, archive, backup.Origin{Engine: status.Engine, At: a.now()}, w, p.at)
			return err
		}
		if args[0] == "-" {
			return streamed{}, write(a.streams.Out)
		}
		if err := atomicfile.Fill(args[0], 0o600, write); err != nil {
			return nil, unwritable(args[0], err)
		}
		return r, nil
	}))
}

// withStore opens a store that is there, without any project in it. Commands that copy whole
// stores come here.
func (a *app) withStore(run func(ctx context.Context, store mail.Store, args []string) (report, error)) runFunc {
	return func(ctx context.Context, args []string) (report, error) {
		dsn, err := a.storeDSN(ctx)
		if err != nil {
			return nil, err
		}
		if !project.StoreExists(dsn) {
			return nil, protocol.Errorf(protocol.NotFound, "there is no store at %s", project.Redacted(dsn))
		}
		store, err := project.OpenStore(ctx, dsn)
		if err != nil {
			return nil, err
		}
		defer store.Close()
		return run(ctx, store, args)
	}
}

// storeDSN is the store of the command line, the environment, or the project.
func (a *app) storeDSN(ctx context.Context) (string, error) {
	if dsn := a.dsn(); dsn != "" {
		return dsn, nil
	}
	found, err := a.find(ctx)
	return found.DefaultStore(), err
}

func archiver(store mail.Store) (mail.Archiver, error) {
	archive, ok := store.(mail.Archiver)
	if !ok {
		return nil, protocol.Errorf(protocol.NotAllowed,
			"this store belongs to another server and cannot be copied whole; export its threads instead")
	}
	return archive, nil
}

type backupReport struct {
	File     string `json:"file"`
	Engine   string `json:"engine"`
	Records  int    `json:"records"`
	Messages int64  `json:"messages"`
}

func (r backupReport) show(p *printer) {
	p.print("%s written to %s\n", count(r.Records, "record"), visible(r.File))
	p.hint("keep the file somewhere else; brenner restore %s takes it back", visible(r.File))
}
