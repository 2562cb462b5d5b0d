package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

func newVerify(a *app) *cobra.Command {
	var repair bool
	var whom trusted
	var outside string
	cmd := &cobra.Command{
		Use:   "verify [T|FILE]",
		Short: "Prove a thread, a file, or everything in the project",
		Long: `Without an argument every thread, artifact and source of the project is verified, with a line each. Recompute the
chain of hashes over a thread's messages, and each published version from the messages before it. The first message that does not
match is named. A FILE is an export, or an artifact in Markdown, whose sections must hash to what its front matter says; inside the
project it is held against the thread that it names. Of a thread, what is kept beside its messages (folds, summaries, versions) is
compared with them as well, and its file in the work tree and at HEAD with the version that it names; --repair makes what is kept
again from the messages, which it never touches. Messages that are gone are never repaired away. Of a crate (FILE.zip, FILE.eln)
every file is compared with the manifest, the thread is proved, artifact, views and report are derived from it again, evidence and
quotes are checked, and the signature and checkpoints, whose witnesses --allowed-signers and --ca tie to names. Nothing is
written.`,
		Example: "  brenner verify\n  brenner verify RS-20260110-cell-fate\n  brenner verify thread.jsonl\n" +
			"  brenner verify cells.zip --allowed-signers ~/.ssh/allowed_signers",
		Args:              between(nil, "T|FILE"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make what is kept beside the messages again")
	cmd.Flags().StringVar(&whom.signers, "allowed-signers", "",
		"`FILE` with the keys that may have signed a crate, and whose word on checkpoints you take, as ssh-keygen reads it")
	cmd.Flags().StringVar(&whom.authorities, "ca", "", "`FILE` with the certificates of the authorities whose time-stamps you believe")
	cmd.Flags().StringVar(&outside, "checkpoint", "",
		"hold the journal against the checkpoint in `FILE`, a note or what brenner checkpoint -o wrote")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		switch {
		case len(args) == 0 && (repair || whom != trusted{}):
			return nil, usageFor(cmd, "say which thread or file: --repair takes a thread, --allowed-signers and --ca a crate")
		case len(args) == 0:
			return a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
				return a.verifyAll(ctx, p, outside)
			})(ctx, args)
		case outside != "" && isFile(args[0]):
			return nil, protocol.Errorf(protocol.Usage, "--checkpoint belongs to this project, or to a thread of it")
		case isFile(args[0]) && repair:
			return nil, protocol.Errorf(protocol.Usage, "--repair takes a thread: a file holds nothing that could be made again")
		case whom != trusted{} && !isCrate(args[0]):
			return nil, protocol.Errorf(protocol.Usage, "--allowed-signers and --ca belong to a crate: FILE.zip or FILE.eln")
		case isCrate(args[0]):
			return a.verifyCrate(args[0], whom)
		case isFile(args[0]):
			return a.verifyFile(ctx, args[0])
		}
		run := func(ctx context.Context, p *project.App, args []string) (report, error) {
			verify := p.Sessions.Verify
			if repair {
				verify = p.Sessions.Repair
			}
			v, err := verify(ctx, args[0])
			if err == nil {
				err = holdJournal(ctx, p, args[0], outside, &v)
			}
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
	in, err := a.open(ctx, input{path, maxDocument, protocol.InvalidInput})
	if err != nil {
		return nil, err
	}
	defer in.close()
	if !strings.HasSuffix(path, ".jsonl") && !in.opensObject() {
		in.max = maxArtifact
		data, err := in.all()
		if err != nil {
			return nil, err
		}
		if err := markdown.CheckLines(data); err != nil {
			return nil, err
		}
		return a.verifyArtifact(ctx, path, string(data))
	}
	lines, findings, err := transfer.ReadLines(in)
	if in.err != nil {
		return nil, in.err
	}
	if err != nil {
		return nil, err
	}
	if protocol.HasErrors(findings) {
		return nil, verdict("the file", findings)
	}
	v, err := session.VerifyLines(lines)
	v.Findings = append(findings, v.Findings...)
	if err != nil {
		return verifyReport{Messages: v.Messages, Claims: []protocol.Claim{}, Findings: protocol.NonNil(v.Findings)}, err
	}
	return newVerifyReport(v)
}

// verifyArtifact compares the sections of a Markdown file with the hash in its front matter, and inside a project with the
// thread that it names.
func (a *app) verifyArtifact(ctx context.Context, path, text string) (report, error) {
	doc, outline, findings := markdown.Parse(text)
	if !outline.FrontMatter.Present {
		return nil, protocol.Errorf(protocol.InvalidInput, "the file is neither the lines of an export nor an artifact")
	}
	if err := verdict("the file", findings); err != nil {
		return nil, err
	}
	r := verifyReport{Versions: 1, Claims: []protocol.Claim{}, Findings: protocol.NonNil(findings)}
	if doc.Metadata.ArtifactHash == "" {
		r.Findings = append(r.Findings, protocol.NewFinding(protocol.NotVerifiable, "The file names no artifact_hash."))
		return r, protocol.Errorf(protocol.NotVerifiable, "nothing can be verified: the file names no artifact_hash")
	}
	hash, err := doc.Artifact.Hash()
	if err != nil {
		return nil, err
	}
	if hash.String() == doc.Metadata.ArtifactHash {
		return r, a.verifyInProject(ctx, path, text, doc.Metadata, &r)
	}
	r.FirstBad = &badMessage{doc.Metadata.AgentMailMessageID, "the sections hash to " + shortHash(hash.String()) +
		"…, the front matter says " + shortHash(doc.Metadata.ArtifactHash) + "…: the file was edited"}
	return r, protocol.Errorf(protocol.VersionMismatch, "the file is not the version it says it is: %s", r.FirstBad.Reason)
}

// verifyInProject holds a file that lies in the project against the project's log, where there is one.
func (a *app) verifyInProject(ctx context.Context, path, text string, named artifact.Metadata, r *verifyReport) error {
	found, err := a.find(ctx)
	if err != nil {
		return err
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if _, err := projectfs.At(found.Root).Name(whole); path == "-" || err != nil {
		return nil // it lies elsewhere
	}
	p, err := project.Peek(ctx, project.Options{Project: found, Store: a.dsn()})
	if protocol.CodeOf(err) == protocol.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	defer p.Close()
	differ, known, err := p.Sessions.VerifyText(ctx, path, text)
	switch {
	case err != nil:
		return err
	case !known:
		r.Findings = append(r.Findings, protocol.NewFinding(protocol.NotVerifiable,
			"The project has no thread %s to compare the file with: it was held against its own hash alone.",
			protocol.Brief(named.SessionID)))
	case len(differ) > 0:
		r.Findings = append(r.Findings, differ...)
		r.FirstBad = &badMessage{named.AgentMailMessageID, differ[0].Message}
		return protocol.Errorf(differ[0].Code, "%s", differ[0].Message)
	}
	return nil
}

type verifyReport struct {
	Messages int                `json:"messages"`
	Versions int                `json:"versions"`
	FirstBad *badMessage        `json:"first_bad"`
	Claims   []protocol.Claim   `json:"claims"`
	Findings []protocol.Finding `json:"findings"`
}

// claims lists what a proof does not cover, after what it does.
func (p *printer) claims(list []protocol.Claim) {
	if len(list) == 0 {
		return
	}
	p.print("not proved, only claimed:\n")
	for _, c := range list {
		p.print("  %s  %s\n", c.Code, visible(c.Message))
	}
}

type badMessage struct {
	MessageID int64  `json:"message_id"`
	Reason    string `json:"reason"`
}

func newVerifyReport(v mail.Verification) (report, error) {
	r := verifyReport{Messages: v.Messages, Versions: v.Versions, Claims: protocol.NonNil(v.Claims), Findings: protocol.NonNil(v.Findings)}
	if v.FirstBad == nil {
		return r, nil
	}
	r.FirstBad = &badMessage{v.FirstBad.Message, v.FirstBad.Reason}
	if v.FirstBad.Message == 0 { // it is about no message of the thread, but about the journal
		return r, protocol.Errorf(v.Code(), "%s", v.FirstBad.Reason)
	}
	return r, protocol.Errorf(v.Code(), "message %d does not match: %s", r.FirstBad.MessageID, r.FirstBad.Reason)
}

func (r verifyReport) show(p *printer) {
	p.findings(r.Findings, nil)
	if r.FirstBad == nil {
		p.print("%s and %s match\n", count(r.Messages, "message"), count(r.Versions, "version"))
		p.claims(r.Claims)
		p.next("brenner", "thread", "list")
		return
	}
	switch has := func(code protocol.Code) bool {
		return slices.ContainsFunc(r.Findings, func(f protocol.Finding) bool { return f.Code == code })
	}; {
	case has(protocol.ArtifactDiffers):
		p.hint("write the version again: brenner persist T --force; or send the edit as a DELTA")
		return
	case has(protocol.KeptMismatch):
		p.hint("make what is kept again from the messages: brenner verify T --repair")
		return
	}
	p.hint("take the thread from a backup or an export: brenner restore FILE, brenner thread import FILE")
}
