package cli

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact/markdown"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

func newVerify(a *app) *cobra.Command {
	var repair bool
	var signers string
	cmd := &cobra.Command{
		Use:   "verify T|FILE",
		Short: "Prove a thread: its chain of messages and every version",
		Long: `Recompute the chain of hashes over a thread's messages, and each published version from the
messages before it. The first message that does not match is named. A FILE is an export, or an
artifact in Markdown, whose sections must hash to what its front matter says. Of a thread, what is kept
beside its messages (folds, summaries, versions) is compared with them as well; --repair makes it again
from the messages, which it never touches. Of a crate (FILE.zip) every file is compared with the manifest, the
thread is proved, artifact, views and report are derived from it again, evidence and quotes are checked, and the
signature, which --allowed-signers ties to names. Nothing is written.`,
		Example: "  brenner verify RS-20260110-cell-fate\n  brenner verify thread.jsonl\n" +
			"  brenner verify cells.zip --allowed-signers ~/.ssh/allowed_signers",
		Args:              exactly("T|FILE"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make what is kept beside the messages again")
	cmd.Flags().StringVar(&signers, "allowed-signers", "", "`FILE` with the keys that may have signed a crate, as ssh-keygen reads it")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		switch {
		case isFile(args[0]) && repair:
			return nil, protocol.Errorf(protocol.Usage, "--repair takes a thread: a file holds nothing that could be made again")
		case signers != "" && !isCrate(args[0]):
			return nil, protocol.Errorf(protocol.Usage, "--allowed-signers belongs to a crate: FILE.zip")
		case isCrate(args[0]):
			return a.verifyCrate(args[0], signers)
		case isFile(args[0]):
			return a.verifyFile(ctx, args[0])
		}
		run := func(ctx context.Context, p *project.App, args []string) (report, error) {
			verify := p.Sessions.Verify
			if repair {
				verify = p.Sessions.Repair
			}
			v, err := verify(ctx, args[0])
			if err != nil {
				return nil, err
			}
			return newVerifyReport(v)
		}
		if repair {
			run = a.acting(run)
		}
		return a.working("verifying", run)(ctx, args)
	})
}

func (a *app) verifyFile(ctx context.Context, path string) (report, error) {
	data, err := a.readAll(ctx, input{path, maxDocument, protocol.InvalidInput})
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(path, ".jsonl") && !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return verifyArtifact(string(data))
	}
	lines, findings, err := transfer.ReadLines(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if protocol.HasErrors(findings) {
		return nil, verdict("the file", findings)
	}
	v, err := session.VerifyLines(lines)
	v.Findings = append(findings, v.Findings...)
	if err != nil {
		return verifyReport{Messages: v.Messages, Findings: protocol.NonNil(v.Findings)}, err
	}
	return newVerifyReport(v)
}

// verifyArtifact compares the sections of a Markdown file with the hash in its front matter.
func verifyArtifact(text string) (report, error) {
	doc, outline, findings := markdown.Parse(text)
	if !outline.FrontMatter.Present {
		return nil, protocol.Errorf(protocol.InvalidInput, "the file is neither the lines of an export nor an artifact")
	}
	if err := verdict("the file", findings); err != nil {
		return nil, err
	}
	r := verifyReport{Versions: 1, Findings: protocol.NonNil(findings)}
	if doc.Metadata.ArtifactHash == "" {
		r.Findings = append(r.Findings, protocol.NewFinding(protocol.NotVerifiable, "The file names no artifact_hash."))
		return r, protocol.Errorf(protocol.NotVerifiable, "nothing can be verified: the file names no artifact_hash")
	}
	hash, err := doc.Artifact.Hash()
	if err != nil {
		return nil, err
	}
	if hash.String() == doc.Metadata.ArtifactHash {
		return r, nil
	}
	r.FirstBad = &badMessage{doc.Metadata.AgentMailMessageID, "the sections hash to " + shortHash(hash.String()) +
		"…, the front matter says " + shortHash(doc.Metadata.ArtifactHash) + "…: the file was edited"}
	return r, protocol.Errorf(protocol.VersionMismatch, "the file is not the version it says it is: %s", r.FirstBad.Reason)
}

type verifyReport struct {
	Messages int                `json:"messages"`
	Versions int                `json:"versions"`
	FirstBad *badMessage        `json:"first_bad"`
	Findings []protocol.Finding `json:"findings"`
}

type badMessage struct {
	MessageID int64  `json:"message_id"`
	Reason    string `json:"reason"`
}

func newVerifyReport(v mail.Verification) (report, error) {
	r := verifyReport{Messages: v.Messages, Versions: v.Versions, Findings: protocol.NonNil(v.Findings)}
	if v.FirstBad == nil {
		return r, nil
	}
	r.FirstBad = &badMessage{v.FirstBad.Message, v.FirstBad.Reason}
	code := protocol.ChainBroken
	if i := slices.IndexFunc(v.Findings, func(f protocol.Finding) bool { return f.Message == v.FirstBad.Reason }); i >= 0 {
		code = v.Findings[i].Code
	}
	return r, protocol.Errorf(code, "message %d does not match: %s", r.FirstBad.MessageID, r.FirstBad.Reason)
}

func (r verifyReport) show(p *printer) {
	p.findings(r.Findings, nil)
	if r.FirstBad == nil {
		p.print("%s and %s match\n", count(r.Messages, "message"), count(r.Versions, "version"))
		p.next("brenner", "thread", "list")
		return
	}
	if slices.ContainsFunc(r.Findings, func(f protocol.Finding) bool { return f.Code == protocol.KeptMismatch }) {
		p.hint("make what is kept again from the messages: brenner verify T --repair")
		return
	}
	p.hint("take the thread from a backup or an export: brenner restore FILE, brenner thread import FILE")
}
