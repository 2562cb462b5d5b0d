package cli

import (
	"errors"
	"os"
	"strings"
	"time"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/crate"
	"brenner/internal/dossier"
	"brenner/internal/mail"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
	"brenner/internal/timestamp"
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

// trusted names the files with those whom a reader believes.
type trusted struct{ signers, authorities string }

// read reads them.
func (t trusted) read() (o dossier.VerifyOptions, err error) {
	if o.Signers, err = allowedSigners(t.signers); err == nil && t.authorities != "" {
		o.Authorities, err = projectfs.ReadFile(t.authorities, maxSigners)
	}
	if err == nil && o.Authorities != nil {
		err = timestamp.CheckAuthorities(o.Authorities)
	}
	return o, err
}

// openCrate opens and checks a crate. The file stays open for what reads its content; done closes it. What is no zip
// file at all is a crate of which nothing matches.
func (a *app) openCrate(path string, whom trusted) (checked dossier.Checked, done func(), err error) {
	options, err := whom.read()
	if err != nil {
		return checked, nil, err
	}
	f, err := projectfs.OpenFile(path)
	if err != nil {
		return checked, nil, err
	}
	if checked, err = a.checkCrate(f, options); err != nil {
		return checked, nil, errors.Join(err, f.Close())
	}
	return checked, func() { _ = f.Close() }, nil // it was only read
}

// checkCrate checks the crate in an open file.
func (a *app) checkCrate(f *os.File, options dossier.VerifyOptions) (checked dossier.Checked, err error) {
	info, err := f.Stat()
	if err != nil {
		return checked, err
	}
	c, wrong := crate.Open(f, info.Size())
	if wrong != nil {
		checked.Signature.State, checked.FirstBad = crate.Unsigned, &dossier.Bad{File: f.Name(), Reason: wrong.Error()}
	} else {
		options.Tool, options.Now = project.Tool(currentVersion().build()), a.now()
		checked = dossier.Verify(c, options)
	}
	if bad := checked.FirstBad; bad != nil && bad.File == "" {
		bad.File = f.Name()
	}
	return checked, nil
}

func (a *app) verifyCrate(path string, whom trusted) (report, error) {
	defer a.busy("verifying")()
	checked, done, err := a.openCrate(path, whom)
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

	Checkpoints []crateCheckpoint  `json:"checkpoints"`
	Witnessed   []witnessedJSON    `json:"witnessed"`
	Place       *string            `json:"place"`
	Claims      []protocol.Claim   `json:"claims"`
	Findings    []protocol.Finding `json:"findings"`

	summary, words []string
}

// crateCheckpoint is a checkpoint that a crate carries.
type crateCheckpoint struct {
	Origin        string       `json:"origin"`
	Size          int64        `json:"size"`
	Signers       []signerJSON `json:"signers"`
	TimestampedAt *string      `json:"timestamped_at"`
	Covers        []int64      `json:"covers"`
}

// witnessedJSON is a prediction, or a result, that a witness has seen.
type witnessedJSON struct {
	Test         artifact.ItemID `json:"test"`
	Hypothesis   *string         `json:"hypothesis"` // null: it is a result
	MessageID    int64           `json:"message_id"`
	By           string          `json:"by"`
	At           *string         `json:"at"` // null: a signature says no time
	BeforeResult bool            `json:"before_result"`
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
		Checkpoints: []crateCheckpoint{}, Witnessed: []witnessedJSON{}, Place: protocol.OrNull(v.Place),
	}
	for _, c := range v.Checkpoints {
		seen := crateCheckpoint{Origin: c.Origin, Size: c.Size, Signers: []signerJSON{}, Covers: c.Covers}
		seen.TimestampedAt = timeOrNull(c.StampedAt)
		for _, signed := range c.Signers {
			seen.Signers = append(seen.Signers, signerJSON{signed.Signer, signed.State})
		}
		r.Checkpoints = append(r.Checkpoints, seen)
	}
	for i := range v.Witnessed {
		w := &v.Witnessed[i]
		r.words = append(r.words, w.String())
		r.Witnessed = append(r.Witnessed, witnessedJSON{
			Test: w.Test, Hypothesis: protocol.OrNull(w.Hypothesis), MessageID: w.MessageID,
			By: strings.Join(w.By, ", "), At: timeOrNull(w.At), BeforeResult: w.BeforeResult,
		})
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

// timeOrNull writes a time, null for none.
func timeOrNull(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := mail.FormatTime(at)
	return &text
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
	if r.Place != nil {
		p.print("%s\n", visible(*r.Place))
	}
	for _, line := range r.words {
		p.print("%s\n", visible(line))
	}
	p.claims(r.Claims)
	p.next("brenner", "thread", "import")
}
