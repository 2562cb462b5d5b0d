package dossier

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact/markdown"
	"brenner/internal/crate"
	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/transcript"
)

// Verification is what checking a crate found.
type Verification struct {
	Files     int
	Messages  int
	Versions  int
	FirstBad  *Bad // nil: everything matches
	Signature crate.Signature
	Findings  []protocol.Finding
}

// Bad is the first thing that does not match.
type Bad struct {
	File    string
	Message int64 // 0: it is not about one message
	Reason  string
}

// Checked is a crate whose check found nothing wrong, and what it holds.
type Checked struct {
	*Bundle
	Verification
}

// VerifyOptions say how a crate is checked.
type VerifyOptions struct {
	Signers crate.Signers // who may have signed; nil: the signer is unknown
	Tool    string        // this program with its version
	Now     time.Time     // for keys that are trusted for a time
}

// Verify checks a crate: its files against the manifest, the signature, the chain and every version, and every file that
// says what the thread comes to against the thread. Nothing is written.
func Verify(c *crate.Crate, o VerifyOptions) Checked {
	v := &verifier{crate: c, options: o}
	v.Files = len(c.Names())
	v.run()
	v.Findings = append([]protocol.Finding{}, v.Findings...)
	return Checked{v.bundle, v.Verification}
}

// verifier checks one crate.
type verifier struct {
	Verification
	crate   *crate.Crate
	options VerifyOptions
	carried crate.Carried
	bundle  *Bundle
	ours    bool // this version of the program wrote the crate
}

func (v *verifier) bad(file, format string, args ...any) {
	if v.FirstBad == nil {
		v.FirstBad = &Bad{File: file, Reason: fmt.Sprintf(format, args...)}
	}
}

func (v *verifier) problem(p *crate.Problem) {
	if p != nil {
		v.bad(p.File, "%s", p.Reason)
	}
}

// run checks step by step, until something is wrong.
func (v *verifier) run() {
	for _, step := range []func(){v.files, v.settings, v.thread, v.evidence, v.views, v.report, v.metadata} {
		if step(); v.FirstBad != nil {
			return
		}
	}
	v.Findings = append(v.Findings, v.bundle.BlindCopies()...)
}

// files checks manifest and signature.
func (v *verifier) files() {
	signature, bad := v.crate.Check(v.options.Signers, v.options.Now)
	v.Signature = signature
	v.problem(bad)
	if bad == nil && signature.State == crate.Unknown {
		v.Findings = append(v.Findings, protocol.NewFinding(protocol.UnknownSigner, "The signature holds; it was made with the key %s, and it is not known whose that is.", signature.Signer))
	}
}

func (v *verifier) settings() {
	carried, bad := v.crate.Carried()
	v.carried = carried
	for name, took := range carried.Agents {
		v.carried.Agents[mail.NameKey(name)] = took
	}
	v.problem(bad)
}

// family is that of an agent as the crate carries it: the words of the project file are not here.
func (v *verifier) family(agent science.Agent) string {
	took, ok := v.carried.Agents[mail.NameKey(agent.Name)]
	switch {
	case !ok:
		return agent.Family(nil)
	case took.Human:
		return science.Human
	case took.Family == "":
		return science.UnknownFamily
	}
	return took.Family
}

// thread reads the lines, checks chain and versions, and derives the dossier.
func (v *verifier) thread() {
	lines, ok := v.readLines()
	if !ok {
		return
	}
	pack, ok := v.readPack()
	if !ok {
		return
	}
	sections, ok := v.read(transcriptName)
	if !ok {
		return
	}
	b, err := derive(lines, pack, string(sections), Settings{License: v.carried.License, Authors: v.carried.Authors, Family: v.family, Tool: v.options.Tool})
	if err != nil {
		v.bad(threadName, "%s", err)
		return
	}
	v.bundle = b
	v.Messages, v.Versions = b.Verification.Messages, b.Verification.Versions
	v.Findings = append(v.Findings, b.Verification.Findings...)
	if first := b.Verification.FirstBad; first != nil {
		v.FirstBad = &Bad{threadName, first.Message, first.Reason}
	}
}

// maxView bounds a file that is held in memory.
const maxView = 256 << 20

func (v *verifier) read(name string) ([]byte, bool) {
	data, err := v.crate.Read(name, maxView)
	if err != nil {
		v.bad(name, "%s", err)
	}
	return data, err == nil
}

// readLines reads the thread. Its lines are spelled in one way only: the chain does not cover how they are written.
func (v *verifier) readLines() ([]transfer.Line, bool) {
	data, ok := v.read(threadName)
	if !ok {
		return nil, false
	}
	lines, findings, err := transfer.ReadLines(bytes.NewReader(data))
	switch {
	case err != nil:
		v.bad(threadName, "%s", err)
	case protocol.HasErrors(findings):
		v.bad(threadName, "%s", findings[0].Message)
	case len(lines) == 0:
		v.bad(threadName, "it has no messages")
	}
	thread := v.carried.Identifier
	for i := range lines {
		l := &lines[i]
		if l.ThreadID != "" && l.ThreadID != thread {
			v.FirstBad = &Bad{threadName, l.ID, fmt.Sprintf("message %d belongs to %s, not to %s", l.ID, l.ThreadID, thread)}
		}
		if len(l.Deliveries) > 0 || l.OriginalID != 0 {
			v.FirstBad = &Bad{threadName, l.ID, fmt.Sprintf("message %d says more than what was sent", l.ID)}
		}
	}
	return lines, v.FirstBad == nil
}

// readPack finds the evidence in the crate.
func (v *verifier) readPack() (evidencepack.Selection, bool) {
	var pack evidencepack.Selection
	var ok bool
	if pack.Index, ok = v.read(indexFile); !ok {
		return pack, false
	}
	for _, name := range v.crate.Names() {
		local, inside := strings.CutPrefix(name, evidenceDir)
		if inside && name != indexFile {
			pack.Files = append(pack.Files, evidencepack.SelectedFile{Name: local, Open: func() (io.ReadCloser, error) { return v.crate.Open(name) }})
		}
	}
	return pack, true
}

// evidence checks the sources against index, run record and COMPILED message, that exactly what is cited goes along, and
// the quotes again.
func (v *verifier) evidence() {
	b := v.bundle
	read, err := evidencepack.FromFiles(b.pack.Index, b.pack.Read)
	if err != nil {
		v.bad(indexFile, "%s", err)
		return
	}
	ids, numbers := session.Cited(b.Lines, b.Library.Transcript)
	for _, s := range read.Sources {
		if !slices.Contains(ids, s.ID) {
			v.bad(indexFile, "%s is not cited", s.ID)
		}
		for _, f := range s.Open().Wrong {
			v.bad(evidenceDir+s.File, "%s", f.Message)
		}
	}
	index, err := evidencepack.RenderIndex(read.Sources)
	if err != nil || string(index) != string(b.pack.Index) {
		v.bad(indexFile, "it says more than which sources are cited")
	}
	v.evidenceFiles(evidencepack.Names(read, b.pack.Read))
	if b.sections != renderSections(transcript.Parse(b.sections), numbers) {
		v.bad(transcriptName, "it is not made of the cited sections")
	}
	if v.FirstBad == nil {
		v.quotes()
	}
}

// evidenceFiles compares the files that are there with those that the index names.
func (v *verifier) evidenceFiles(names []string, err error) {
	if err != nil {
		v.bad(indexFile, "%s", err)
	}
	for _, f := range v.bundle.pack.Files {
		if !slices.Contains(names, f.Name) {
			v.bad(evidenceDir+f.Name, "the index does not name it")
		}
	}
}

func (v *verifier) quotes() {
	judgement, wrong := v.bundle.Evidence()
	for _, f := range wrong {
		if f.Severity == protocol.SeverityError {
			v.FirstBad = &Bad{threadName, v.bundle.last().ID, f.Message}
			return
		}
	}
	for _, f := range quoteFindings(judgement) {
		v.Findings = append(v.Findings, f)
		if f.Severity == protocol.SeverityError {
			v.bad(artifactText, "%s", f.Message)
		}
	}
}

var generator = pattern.Lazy(`<meta name="generator" content="([^"]*)">`)

// views derives artifact and views again.
func (v *verifier) views() {
	page, ok := v.read(crate.PreviewName)
	if !ok {
		return
	}
	m := generator().FindSubmatch(page[:min(len(page), 4096)])
	v.ours = m != nil && html.UnescapeString(string(m[1])) == v.options.Tool
	views, err := v.bundle.views()
	if err != nil {
		v.bad(artifactJSON, "%s", err)
		return
	}
	for _, want := range views {
		got, ok := v.read(want.name)
		if !ok {
			return
		}
		v.compare(want, got)
	}
}

// compare holds a file against what the thread gives. Markdown of another version of the program may be laid out
// differently; its sections hash to the same.
func (v *verifier) compare(want view, got []byte) {
	switch {
	case string(got) == want.text:
	case want.name == artifactText && !v.ours:
		doc, _, _ := markdown.Parse(string(got))
		if hash, err := doc.Artifact.Hash(); err != nil || hash != v.bundle.Hash || doc.Metadata.ArtifactHash != hash.String() {
			v.bad(want.name, "its sections are not those of the version")
		}
	case want.name == artifactText:
		v.bad(want.name, "it is not what the thread gives")
	default:
		if at, ok := agrees(got, []byte(want.text)); !ok {
			v.bad(want.name, "%s is not what the thread gives", at)
		}
	}
}

// report writes the page again.
func (v *verifier) report() {
	if !v.ours {
		v.Findings = append(v.Findings, protocol.NewFinding(protocol.ReportNotRebuilt, "The report was written by another version of brenner than %s; only its hash was checked.", v.options.Tool))
		return
	}
	want, err := v.bundle.Report()
	if err != nil {
		v.bad(crate.PreviewName, "%s", err)
		return
	}
	if got, ok := v.read(crate.PreviewName); ok && !bytes.Equal(got, want) {
		v.bad(crate.PreviewName, "it is not the report of this version")
	}
}

// metadata writes the description again, where this version of the program wrote it.
func (v *verifier) metadata() {
	v.problem(v.crate.CheckMetadata())
	got, ok := v.read(crate.MetadataName)
	if !ok || !v.ours {
		return
	}
	files, err := v.bundle.files()
	if err == nil {
		var want string
		if want, err = v.bundle.metadata().Document(files); err == nil && want != string(got) {
			v.bad(crate.MetadataName, "it does not describe this version")
		}
	}
	if err != nil {
		v.bad(crate.MetadataName, "%s", err)
	}
}

// quoteFindings says which quotes of a dossier are not in the sources that they cite.
func quoteFindings(judgement *evidence.Judgement) []protocol.Finding {
	var list []protocol.Finding
	for _, q := range judgement.Quotes() {
		for _, f := range q.Findings(string(q.Item)) {
			list = append(list, f.On(string(q.Item)).In(q.Path))
		}
	}
	return list
}

// Notes is what a person who shares a dossier should know: who got blind copies goes along, and a quote that is not in the
// source that it cites will be found.
func (b *Bundle) Notes() []protocol.Finding {
	list := b.BlindCopies()
	judgement, _ := b.Evidence()
	for _, f := range quoteFindings(judgement) {
		list = append(list, f.Lowered())
	}
	return list
}
