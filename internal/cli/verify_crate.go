package cli

import (
	"errors"
	"os"

	project "brenner/internal/app"
	"brenner/internal/crate"
	"brenner/internal/dossier"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// maxSigners is the largest file of allowed signers that is read.
const maxSigners = 1 << 20

// allowedSigners reads the keys that are trusted; nil without a file.
func allowedSigners(path string) (crate.Signers, error) {
	if path == "" {
		return nil, nil
	}
	text, err := projectfs.ReadFile(path, maxSigners)
	if err != nil {
		return nil, err
	}
	return crate.ParseSigners(string(text)), nil
}

// openCrate opens and checks a crate. The file stays open for what reads its content; done closes it. What is no zip
// file at all is a crate of which nothing matches.
func (a *app) openCrate(path, signers string) (checked dossier.Checked, done func(), err error) {
	trusted, err := allowedSigners(signers)
	if err != nil {
		return checked, nil, err
	}
	f, err := projectfs.OpenFile(path)
	if err != nil {
		return checked, nil, err
	}
	if checked, err = a.checkCrate(f, trusted); err != nil {
		return checked, nil, errors.Join(err, f.Close())
	}
	return checked, func() { _ = f.Close() }, nil // it was only read
}

// checkCrate checks the crate in an open file.
func (a *app) checkCrate(f *os.File, trusted crate.Signers) (checked dossier.Checked, err error) {
	info, err := f.Stat()
	if err != nil {
		return checked, err
	}
	c, wrong := crate.Open(f, info.Size())
	if wrong != nil {
		checked.Signature.State, checked.FirstBad = crate.Unsigned, &dossier.Bad{File: f.Name(), Reason: wrong.Error()}
	} else {
		checked = dossier.Verify(c, dossier.VerifyOptions{Signers: trusted, Tool: project.Tool(currentVersion().build()), Now: a.now()})
	}
	if bad := checked.FirstBad; bad != nil && bad.File == "" {
		bad.File = f.Name()
	}
	return checked, nil
}

func (a *app) verifyCrate(path, signers string) (report, error) {
	defer a.busy("verifying")()
	checked, done, err := a.openCrate(path, signers)
	if err != nil {
		return nil, err
	}
	defer done()
	r := newCrateReport(checked.Verification)
	return r, r.failure()
}

type crateReport struct {
	Files     int           `json:"files"`
	Messages  int           `json:"messages"`
	Versions  int           `json:"versions"`
	FirstBad  *badFile      `json:"first_bad"`
	Signature signatureJSON `json:"signature"`

	Checkpoints []struct{}         `json:"checkpoints"`
	Witnessed   []struct{}         `json:"witnessed"`
	Claims      []protocol.Claim   `json:"claims"`
	Findings    []protocol.Finding `json:"findings"`

	summary []string
}

type badFile struct {
	File      string `json:"file"`
	MessageID *int64 `json:"message_id"`
	Reason    string `json:"reason"`
}

type signatureJSON struct {
	State  crate.SignatureState `json:"state"`
	Signer *string              `json:"signer"`
}

func newCrateReport(v dossier.Verification) crateReport {
	r := crateReport{
		Files: v.Files, Messages: v.Messages, Versions: v.Versions, Findings: protocol.NonNil(v.Findings),
		Signature: signatureJSON{State: v.Signature.State}, Claims: protocol.NonNil(v.Claims), summary: v.Summary,
		Checkpoints: []struct{}{}, Witnessed: []struct{}{},
	}
	if v.Signature.Signer != "" {
		r.Signature.Signer = &v.Signature.Signer
	}
	if v.FirstBad != nil {
		r.FirstBad = &badFile{File: v.FirstBad.File, Reason: v.FirstBad.Reason}
		if v.FirstBad.Message != 0 {
			r.FirstBad.MessageID = &v.FirstBad.Message
		}
	}
	return r
}

func (r crateReport) failure() error {
	if r.FirstBad == nil {
		return nil
	}
	return protocol.Errorf(protocol.CrateMismatch, "%s does not match: %s", r.FirstBad.File, r.FirstBad.Reason).WithFindings(r.Findings)
}

func (r crateReport) show(p *printer) {
	p.findings(r.Findings, nil)
	if r.FirstBad != nil {
		p.hint("get the crate again from its maker")
		return
	}
	p.print("%s, %s and %s match\n", count(r.Files, "file"), count(r.Messages, "message"), count(r.Versions, "version"))
	for _, line := range r.summary {
		p.print("%s\n", visible(line))
	}
	if r.Signature.State == crate.Valid {
		p.print("signed by %s\n", visible(*r.Signature.Signer))
	}
	p.claims(r.Claims)
	p.next("brenner", "thread", "import")
}
