package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/canon"
	"brenner/internal/dossier"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

func newSessionArchive(a *app) *cobra.Command {
	var file, sign string
	cmd := &cobra.Command{
		Use:   "archive T --crate FILE.zip",
		Short: "Take a complete session out of the store; its crate has the texts",
		Long: `Archive a complete session. The crate of its latest version is written to FILE.zip, unless it is there already, read back
from disk, verified, and compared with the store message by message; only then, in one step, do the messages leave the log, the
inboxes and the search index. What stays is small: who wrote when to whom, the chain of hashes, and the crate's name and
SHA-256. Ids are never given again, and an idempotency key still counts. Sending to the session, or reading it, is then refused
(THREAD_ARCHIVED) until brenner session unarchive brings it back.
Keep the crate: it is the only copy of the texts. Only the operator archives.`,
		Example: "  brenner session archive RS-20260110-cells-turn --crate archive/cells.zip --sign ~/.ssh/id_ed25519\n" +
			"  brenner verify archive/cells.zip",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().StringVar(&file, "crate", "", "write the crate to `FILE.zip`, or take the one that is there")
	cmd.Flags().StringVar(&sign, "sign", "", "sign the crate with the private SSH key in file `KEY`")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if !isZip(file) {
			return nil, usageFor(cmd, "say where the crate is to be: --crate FILE.zip")
		}
		return a.working("archiving", a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
			archived, err := a.archive(ctx, p, args[0], file, sign)
			if err != nil {
				return nil, err
			}
			return newArchivedReport(archived, file), nil
		}))(ctx, args)
	})
}

// archive writes the crate unless it is there, and archives what it holds.
func (a *app) archive(ctx context.Context, p *project.App, thread, file, sign string) (mail.ArchivedThread, error) {
	if err := a.operates("archives a session"); err != nil {
		return mail.ArchivedThread{}, err
	}
	s, err := p.Sessions.Session(ctx, thread)
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	if err := s.Archivable(); err != nil {
		return mail.ArchivedThread{}, err
	}
	switch _, err := os.Lstat(file); {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := a.export(ctx, p, thread, 0, exportFlags{crate: file, sign: sign}); err != nil {
			return mail.ArchivedThread{}, err
		}
	case sign != "":
		return mail.ArchivedThread{}, protocol.Errorf(protocol.Conflict,
			"%q is there already, and is archived as it is: leave --sign out, or name another file", file)
	}
	lines, sum, err := a.wholeCrate(file)
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	return p.Sessions.Archive(ctx, session.ArchiveRequest{ThreadID: thread, Lines: lines, Crate: filepath.Base(file), SHA256: sum,
		By: machine()})
}

// operates refuses everybody but the operator.
func (a *app) operates(what string) error {
	if protocol.SameAgent(a.identity(), mail.Operator) {
		return nil
	}
	return protocol.Errorf(protocol.NotAllowed, "only the operator %s: %s is an agent", what, a.identity())
}

// wholeCrate checks a crate, and hashes the very bytes that it checked. CRATE_MISMATCH: something of it does not match.
func (a *app) wholeCrate(file string) (lines []transfer.Line, sum canon.Hash, err error) {
	f, err := projectfs.OpenFile(file)
	if err != nil {
		return nil, sum, err
	}
	defer f.Close()
	checked, err := a.checkCrate(f, dossier.VerifyOptions{})
	if err == nil {
		err = newCrateReport(checked.Verification).failure()
	}
	if err != nil {
		return nil, sum, err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(f, 0, math.MaxInt64)); err != nil {
		return nil, sum, protocol.Errorf(protocol.Unreadable, "cannot read %q: %w", file, err)
	}
	return checked.Lines, canon.Hash(hash.Sum(nil)), nil
}

func newSessionUnarchive(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "unarchive T --crate FILE.zip",
		Short: "Put an archived session back into the store, from its crate",
		Long: `Put an archived session back: the same messages under the same ids, in the same chain, delivered, read and
acknowledged as they were. The crate is verified first; it must be the very file that the session was archived with (its SHA-256), and its
texts must give the chain that was archived. Otherwise nothing is changed. Only the operator does that.`,
		Example:           "  brenner session unarchive RS-20260110-cells-turn --crate archive/cells.zip",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().StringVar(&file, "crate", "", "the crate that the session was archived with: `FILE.zip`")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if !isZip(file) {
			return nil, usageFor(cmd, "say where the crate is: --crate FILE.zip")
		}
		return a.working("restoring", a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
			thread, err := a.unarchive(ctx, p, args[0], file)
			if err != nil {
				return nil, err
			}
			return unarchivedReport{thread.ID, thread.Messages, thread.ChainHash.String()}, nil
		}))(ctx, args)
	})
}

func (a *app) unarchive(ctx context.Context, p *project.App, thread, file string) (mail.Thread, error) {
	if err := a.operates("puts a session back"); err != nil {
		return mail.Thread{}, err
	}
	if _, err := p.Mail.ArchivedThread(ctx, thread); err != nil {
		return mail.Thread{}, err
	}
	lines, sum, err := a.wholeCrate(file)
	if err != nil {
		return mail.Thread{}, err
	}
	if err := p.Sessions.Unarchive(ctx, thread, lines, sum); err != nil {
		return mail.Thread{}, err
	}
	return p.Mail.Thread(ctx, thread)
}

type archivedReport struct {
	ThreadID  string `json:"thread_id"`
	HeadID    int64  `json:"head_id"`
	ChainHash string `json:"chain_hash"`
	Crate     string `json:"crate"`
	SHA256    string `json:"sha256"`
	By        string `json:"archived_by"`
	At        string `json:"archived_at"`
	file      string
}

func newArchivedReport(t mail.ArchivedThread, file string) archivedReport {
	return archivedReport{t.ID, t.HeadID, t.ChainHash.String(), t.Crate, t.SHA256.String(), t.By, mail.FormatTime(t.At), file}
}

func (r archivedReport) show(p *printer) {
	p.print("%s is archived, head %s; its texts are in %s alone\n", visible(r.ThreadID), shortHash(r.ChainHash), visible(r.file))
	p.next("brenner", "session", "unarchive", r.ThreadID, "--crate", r.file)
}

type unarchivedReport struct {
	ThreadID  string `json:"thread_id"`
	Messages  int    `json:"messages"`
	ChainHash string `json:"chain_hash"`
}

func (r unarchivedReport) show(p *printer) {
	p.print("%s is back: %s, head %s\n", visible(r.ThreadID), count(r.Messages, "message"), shortHash(r.ChainHash))
	p.next("brenner", "verify", r.ThreadID)
}
