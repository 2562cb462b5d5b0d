package app

import (
	"context"
	"iter"
	"os"
	"path/filepath"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/witness"
)

// Proved counts what VerifyStore went through.
type Proved struct{ Projects, Threads int }

// VerifyStore proves every thread of every project in a store, and holds the journal against log and kept checkpoints. The error names
// the first that does not match.
func VerifyStore(ctx context.Context, store mail.Store) (Proved, error) {
	projects, err := store.Projects(ctx)
	proved := Proved{Projects: len(projects)}
	for _, project := range projects {
		service := mail.NewService(store, project, mail.Options{})
		all, err := session.New(service, nil, session.Settings{}).VerifyAll(ctx, nil)
		if err != nil {
			return proved, err
		}
		for _, t := range all.Threads {
			if bad := t.FirstBad; bad != nil {
				return proved, protocol.Errorf(t.Code(), "message %d of %s does not match: %s", bad.Message, t.ThreadID, bad.Reason).
					WithFindings(t.Findings)
			}
		}
		if err := (witness.Keeper{Mail: service}).HoldKept(ctx, &all.Journal); err != nil {
			return proved, err
		}
		if wrong := all.Journal.Findings; len(wrong) > 0 {
			return proved, protocol.Errorf(wrong[0].Code, "%s", wrong[0].Message).WithFindings(wrong)
		}
		proved.Threads += len(all.Threads)
	}
	return proved, err
}

// Verified loads the records of a backup into a store of their own, proves every thread there, and calls use with them. A backup
// that does not verify is not used, whatever its last line says (PROTOCOL 14).
func Verified(ctx context.Context, records iter.Seq2[mail.Record, error],
	use func(iter.Seq2[mail.Record, error]) error) (proved Proved, err error) {
	dir, err := os.MkdirTemp("", "brenner-restore-")
	if err != nil {
		return proved, protocol.Errorf(protocol.Unwritable, "the backup cannot be verified: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	store, err := OpenStore(ctx, "sqlite:"+filepath.Join(dir, "verify.db"))
	if err != nil {
		return proved, err
	}
	defer store.Close()
	archive, ok := store.(mail.Archiver)
	if !ok {
		return proved, protocol.Errorf(protocol.Internal, "the store that verifies backups takes none")
	}
	if err := archive.Replace(ctx, records); err != nil {
		return proved, err
	}
	if proved, err = VerifyStore(ctx, store); err != nil {
		return proved, err
	}
	return proved, use(Records(ctx, archive))
}

// Records hands out the records of a store.
func Records(ctx context.Context, from mail.Archiver) iter.Seq2[mail.Record, error] {
	return func(yield func(mail.Record, error) bool) {
		stopped := false
		err := from.Dump(ctx, func(r mail.Record) error {
			if stopped = !yield(r, nil); stopped {
				return context.Canceled
			}
			return nil
		})
		if err != nil && !stopped {
			yield(mail.Record{}, err)
		}
	}
}
