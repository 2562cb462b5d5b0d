package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/atomicfile"
	"brenner/internal/crate"
	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
	"brenner/internal/timestamp"
	"brenner/internal/witness"
)

// maxCheckpoint is the largest file of a checkpoint, a time-stamp or certificates that is read.
const maxCheckpoint = 16 << 20

type checkpointFlags struct {
	sign, request, out, response, ca, add string
	git                                   bool
}

func newCheckpoint(a *app) *cobra.Command {
	var flags checkpointFlags
	cmd := &cobra.Command{
		Use:   "checkpoint",
		Short: "Put a hash of the project's journal where it can be witnessed",
		Long: `Print the checkpoint of the project's journal as it is now, and keep it: the name of the journal, its size and its root.
The same journal gives the same checkpoint. --sign puts an SSH signature beside it, --git commits it on
refs/brenner/checkpoints, --request writes a request for a time-stamp (RFC 3161), and -o a file for a colleague to cosign.
--response takes the answer of a time-stamping authority home, --add the signatures of a colleague.`,
		Example: "  brenner checkpoint --sign ~/.ssh/id_ed25519 --git\n  brenner checkpoint --request note.tsq -o note.json\n" +
			"  brenner checkpoint --response note.tsr --ca authority.pem\n  brenner checkpoint --add note.json",
		Args: exactly(),
	}
	cmd.Flags().StringVar(&flags.sign, "sign", "", "sign the checkpoint with the private SSH key in file `KEY`")
	cmd.Flags().BoolVar(&flags.git, "git", false, "commit it on refs/brenner/checkpoints")
	cmd.Flags().StringVar(&flags.request, "request", "", "write a request for a time-stamp to `FILE.tsq`")
	cmd.Flags().StringVarP(&flags.out, "out", "o", "", "write it to `FILE`, with proofs from every one that was kept")
	cmd.Flags().StringVar(&flags.response, "response", "", "take in the time-stamp in `FILE.tsr`")
	cmd.Flags().StringVar(&flags.ca, "ca", "", "`FILE` with the certificates of the authorities that you trust")
	cmd.Flags().StringVar(&flags.add, "add", "", "take in the signatures in `FILE`")
	cmd.AddCommand(newCheckpointCosign(a))
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		making := flags.sign != "" || flags.git || flags.request != "" || flags.out != ""
		switch {
		case flags.ca != "" && flags.response == "":
			return nil, usageFor(cmd, "--ca belongs to --response")
		case flags.response != "" && flags.add != "" || making && (flags.response != "" || flags.add != ""):
			return nil, usageFor(cmd, "--response and --add make no checkpoint: they are commands of their own")
		}
		return a.inProject(a.acting(func(ctx context.Context, p *project.App, _ []string) (report, error) {
			keeper := p.Witness(a.identity())
			switch {
			case flags.response != "":
				return a.stampCheckpoint(ctx, keeper, flags)
			case flags.add != "":
				return a.addCheckpoint(ctx, keeper, flags.add)
			}
			return a.makeCheckpoint(ctx, keeper, flags)
		}))(ctx, args)
	})
}

func (a *app) makeCheckpoint(ctx context.Context, k witness.Keeper, flags checkpointFlags) (report, error) {
	request := witness.Request{Git: flags.git}
	if flags.sign != "" {
		var err error
		if request.Signer, err = a.signer(flags.sign); err != nil {
			return nil, err
		}
	}
	kept, tree, err := k.Make(ctx, request)
	if err != nil {
		return nil, err
	}
	if flags.request != "" {
		asked, err := timestamp.Request(kept.Note)
		if err != nil {
			return nil, err
		}
		if err := atomicfile.Write(flags.request, asked, 0o644); err != nil {
			return nil, unwritable(flags.request, err)
		}
	}
	if flags.out != "" {
		file, err := k.File(ctx, kept, tree)
		if err != nil {
			return nil, err
		}
		if err := writeCheckpointFile(flags.out, file); err != nil {
			return nil, err
		}
	}
	return a.checkpointReport(kept)
}

func writeCheckpointFile(path string, f witness.File) error {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, append(data, '\n'), 0o644); err != nil {
		return unwritable(path, err)
	}
	return nil
}

func (a *app) stampCheckpoint(ctx context.Context, k witness.Keeper, flags checkpointFlags) (report, error) {
	raw, err := projectfs.ReadFile(flags.response, maxCheckpoint)
	if err != nil {
		return nil, err
	}
	var authorities []byte
	if flags.ca != "" {
		if authorities, err = projectfs.ReadFile(flags.ca, maxCheckpoint); err != nil {
			return nil, err
		}
	}
	kept, findings, err := k.Stamp(ctx, raw, authorities)
	if err != nil {
		return nil, err
	}
	r, err := a.checkpointReport(kept)
	r.Findings = findings
	return r, err
}

func (a *app) addCheckpoint(ctx context.Context, k witness.Keeper, path string) (report, error) {
	file, c, err := readCheckpointFile(path)
	if err != nil {
		return nil, err
	}
	kept, err := k.Add(ctx, file, c, a.now())
	if err != nil {
		return nil, err
	}
	return a.checkpointReport(kept)
}

func readCheckpointFile(path string) (witness.File, journal.Checkpoint, error) {
	data, err := projectfs.ReadFile(path, maxCheckpoint)
	if err != nil {
		return witness.File{}, journal.Checkpoint{}, err
	}
	return witness.ReadFile(data)
}

// holdJournal adds what is wrong with the journal to the proof of a thread. outside is a file with a checkpoint, or empty.
func holdJournal(ctx context.Context, p *project.App, thread, outside string, v *mail.Verification) error {
	notes, err := outsideNotes(outside)
	if err != nil || v.Journal.Tree == nil {
		return err
	}
	told := len(v.Journal.Findings)
	err = p.HoldJournal(ctx, &v.Journal, notes...)
	v.Differs(v.Journal.Last(thread), v.Journal.Findings[told:]...)
	return err
}

// outsideNotes is the note in a file with a checkpoint, none without a file.
func outsideNotes(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	data, err := projectfs.ReadFile(path, maxCheckpoint)
	if err != nil {
		return nil, err
	}
	note := string(data)
	if file, _, err := witness.ReadFile(data); err == nil {
		note = file.Note
	}
	_, err = journal.ParseNote(note)
	return []string{note}, err
}

type checkpointReport struct {
	Origin        string             `json:"origin"`
	Size          int64              `json:"size"`
	Root          string             `json:"root"`
	Note          string             `json:"note"`
	Signers       []signerJSON       `json:"signers"`
	GitCommit     *string            `json:"git_commit"`
	TimestampedAt *string            `json:"timestamped_at"`
	Findings      []protocol.Finding `json:"findings"`
}

type signerJSON struct {
	Signer string               `json:"signer"`
	State  crate.SignatureState `json:"state"`
}

func (a *app) checkpointReport(kept witness.Kept) (checkpointReport, error) {
	c, err := journal.ParseNote(kept.Note)
	if err != nil {
		return checkpointReport{}, err
	}
	r := checkpointReport{
		Origin: c.Origin, Size: c.Size, Root: c.Root.Base64(), Note: kept.Note, Signers: []signerJSON{}, Findings: []protocol.Finding{},
		GitCommit: protocol.OrNull(kept.GitCommit), TimestampedAt: protocol.OrNull(kept.StampedAt()),
	}
	for _, s := range kept.Signatures {
		signed, err := crate.CheckNote(kept.Note, s, nil, a.now())
		if err != nil {
			return r, err
		}
		r.Signers = append(r.Signers, signerJSON{signed.Signer, signed.State})
	}
	return r, nil
}

func (r checkpointReport) show(p *printer) {
	p.findings(r.Findings, nil)
	p.print("%s", r.Note)
	p.hint("have it witnessed: brenner checkpoint -o FILE, and a colleague's brenner checkpoint cosign FILE")
}
