package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/atomicfile"
	"brenner/internal/crate"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// exportFlags say what is written.
type exportFlags struct {
	html, crate, eln, version, sign string
	force                           bool
}

// file is where it is written.
func (f exportFlags) file() string { return cmp.Or(f.html, f.crate, f.eln) }

func newExport(a *app) *cobra.Command {
	var flags exportFlags
	cmd := &cobra.Command{
		Use:   "export T (--html FILE | --crate FILE.zip | --eln FILE.eln)",
		Short: "Write a published version as a report, or as a crate that others can check",
		Long: `Write a published version so that it can leave the project. --html writes one page that opens from disk,
requests nothing and prints like a paper. --crate writes a research crate (RO-Crate 1.2): the report, the artifact,
the whole thread up to that version with blind copies, the cited evidence, and a manifest of all of it. --eln
writes the same crate for electronic lab notebooks, as an experiment in a folder of its own. The same version gives the
same bytes. brenner verify FILE checks a crate in either form, brenner thread import FILE takes it in.`,
		Example: "  brenner export RS-20260110-cells-turn --html report.html\n" +
			"  brenner export RS-20260110-cells-turn --crate cells.zip --version 2 --sign ~/.ssh/id_ed25519",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().StringVar(&flags.html, "html", "", "write the report to `FILE`")
	cmd.Flags().StringVar(&flags.crate, "crate", "", "write the crate to `FILE.zip`")
	cmd.Flags().StringVar(&flags.eln, "eln", "", "write the crate for electronic lab notebooks to `FILE.eln`")
	cmd.Flags().StringVar(&flags.version, "version", "", "version `N` of the thread (2 or v2); default: the latest")
	completeFlag(cmd, "version", a.completeOfSession(completeVersions))
	cmd.Flags().StringVar(&flags.sign, "sign", "", "sign the crate with the private SSH key in file `KEY`")
	cmd.Flags().BoolVar(&flags.force, "force", false, "overwrite a file that is something else")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		switch {
		case flags.file() == "":
			return nil, usageFor(cmd, "say what to write: --html FILE, --crate FILE.zip or --eln FILE.eln")
		case flags.file() != flags.html+flags.crate+flags.eln:
			return nil, usageFor(cmd, "--html, --crate and --eln exclude each other")
		case flags.sign != "" && flags.html != "":
			return nil, usageFor(cmd, "--sign belongs to --crate and --eln")
		}
		number, err := publishedVersion(flags.version)
		if err != nil {
			return nil, err
		}
		return a.working("exporting", func(ctx context.Context, p *project.App, args []string) (report, error) {
			return a.export(ctx, p, args[0], number, flags)
		})(ctx, args)
	})
}

// publishedVersion reads --version; 0 is the latest.
func publishedVersion(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := parseVersion(text)
	if err == nil && n == 0 {
		err = usageError("versions are counted from 1")
	}
	return n, err
}

func (a *app) export(ctx context.Context, p *project.App, thread string, version int, flags exportFlags) (report, error) {
	var signer *crate.Signer
	if flags.sign != "" {
		var err error
		if signer, err = a.signer(flags.sign); err != nil {
			return nil, err
		}
	}
	bundle, err := p.Dossiers(currentVersion().build()).Make(ctx, thread, version)
	if err != nil {
		return nil, err
	}
	r := exportedReport{ThreadID: thread, Version: bundle.Version, ArtifactHash: bundle.Hash.String(), Signed: signer != nil, Files: 1}
	write := func(w io.Writer) error {
		text, err := bundle.Report()
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
	mine := isReportOf
	r.File = flags.file()
	if flags.html == "" {
		mine, r.Findings = isCrateOf, bundle.Notes()
		pack := bundle.WriteCrate
		if flags.eln != "" {
			pack = bundle.WriteNotebook
		}
		write = func(w io.Writer) (err error) {
			r.Files, err = pack(w, signer)
			return err
		}
	}
	for _, f := range bundle.LeftOut() {
		r.Findings = append(r.Findings, f.WithFix("brenner compile %s", thread))
	}
	r.Findings = protocol.NonNil(r.Findings)
	if err := mayReplace(r.File, thread, flags.force, mine); err != nil {
		return nil, err
	}
	sum := sha256.New()
	if err := atomicfile.Fill(r.File, 0o644, func(w io.Writer) error { return write(io.MultiWriter(w, sum)) }); err != nil {
		return nil, unwritable(r.File, err)
	}
	r.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return r, nil
}

// mayReplace refuses to overwrite what is no earlier export of the thread. CONFLICT: something else is there.
func mayReplace(file, thread string, force bool, mine func(f *os.File, size int64, thread string) bool) error {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) || force && err == nil && !info.IsDir():
		return nil
	case err != nil:
		return protocol.Errorf(protocol.Unwritable, "cannot write %q: %w", file, err)
	}
	f, err := projectfs.OpenFile(file)
	if err == nil {
		defer f.Close()
		if mine(f, info.Size(), thread) {
			return nil
		}
	}
	if info.IsDir() {
		return protocol.Errorf(protocol.Conflict, "%q is a folder", file)
	}
	return protocol.Errorf(protocol.Conflict, "%q is there and is no export of %s; --force overwrites it", file, thread)
}

func isCrateOf(f *os.File, size int64, thread string) bool {
	c, err := crate.Open(f, size)
	if err != nil {
		return false
	}
	carried, bad := c.Carried()
	return bad == nil && carried.Identifier == thread
}

func isReportOf(f *os.File, _ int64, thread string) bool {
	head := make([]byte, 4096)
	n, _ := io.ReadFull(f, head)
	return bytes.Contains(head[:n], []byte(`<meta name="brenner-thread" content="`+thread+`">`))
}

// maxKey is the largest private key that is read.
const maxKey = 1 << 20

// signer reads a private key, and asks for its passphrase on a terminal.
func (a *app) signer(path string) (*crate.Signer, error) {
	pem, err := projectfs.ReadFile(path, maxKey)
	if err != nil {
		return nil, err
	}
	return crate.NewSigner(pem, a.passphrase(path))
}

type exportedReport struct {
	ThreadID     string             `json:"thread_id"`
	Version      int                `json:"version"`
	File         string             `json:"file"`
	SHA256       string             `json:"sha256"`
	Files        int                `json:"files"`
	ArtifactHash string             `json:"artifact_hash"`
	Signed       bool               `json:"signed"`
	Findings     []protocol.Finding `json:"findings"`
}

func (r exportedReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	signed := ""
	if r.Signed {
		signed = ", signed"
	}
	if r.Files == 1 {
		p.print("v%d of %s written to %s\n", r.Version, r.ThreadID, visible(r.File))
		p.hint("open it in a browser, or brenner export %s --crate %s.zip for a referee", r.ThreadID, r.ThreadID)
		return
	}
	p.print("v%d of %s written to %s (%s%s)\n", r.Version, r.ThreadID, visible(r.File), count(r.Files, "file"), signed)
	p.next("brenner", "verify", r.File)
}
