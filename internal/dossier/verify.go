package dossier

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/crate"
	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/hypertext"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/transcript"
	"brenner/internal/witness"
)

// Verification is what checking a crate found.
type Verification struct {
	Files     int
	Messages  int
	Versions  int
	FirstBad  *Bad // nil: everything matches
	Signature crate.Signature

	Checkpoints []Checkpoint
	Witnessed   []Witnessed // predictions and results that witnesses have seen whom the reader believes
	Place       string      // which session of its project it was; empty: no journal tells

	Claims   []protocol.Claim // what the record says and no proof covers
	Summary  []string         // what the thread itself comes to, where the report could not be written again
	Findings []protocol.Finding
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

	Authorities []byte // certificates in PEM of those whose time-stamps are believed; nil: none
}

func (o VerifyOptions) trust() witness.Trust {
	return witness.Trust{Signers: o.Signers, Authorities: o.Authorities, Now: o.Now}
}

// Verify checks a crate: its files against the manifest, the signature, the chain and every version, and every file that
// says what the thread comes to against the thread. Nothing is written.
func Verify(c *crate.Crate, o VerifyOptions) Checked {
	v := &verifier{crate: c, options: o}
	v.Files = c.Count()
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
	maker   string   // the program that wrote the report, in its own words
	differ  []string // what a crate of another edition says differently
	seals   []sealOf // what the reader may think of its checkpoints
}

// ours tells whether this version of the program says that it wrote the crate. It may be believed no more than to hold
// the crate to every byte.
func (v *verifier) ours() bool { return v.maker == v.options.Tool }

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
	for _, step := range []func(){
		v.files, v.settings, v.thread, v.spelling, v.checkpoints, v.evidence,
		v.names, v.views, v.report, v.metadata, v.notebook,
	} {
		if step(); v.FirstBad != nil {
			return
		}
	}
	v.tellDifferences()
	v.tellSeals()
	v.Findings = append(v.Findings, v.bundle.BlindCopies()...)
	v.Witnessed, v.Place = v.bundle.witnessed(v.believed), v.bundle.place()
	v.Claims = v.claims()
}

// claims lists what the crate could not prove (SCIENCE 9, what verify says).
func (v *verifier) claims() []protocol.Claim {
	list := v.bundle.claims()
	if v.Signature.State == crate.Unsigned {
		list = append(list, protocol.Claim{Code: protocol.Unsigned,
			Message: "Nobody has signed the crate: whoever had it could have packed it again."})
	}
	return append(list, v.bundle.witnessedClaim(v.believed)...)
}

// believed tells whether a witness whom the reader named has seen a checkpoint.
func (v *verifier) believed(part int, size int64) (witness.Seal, bool) {
	for i := range v.seals {
		if v.seals[i].part == part && v.seals[i].Size == size {
			return v.seals[i].Seal, v.seals[i].Believed()
		}
	}
	return witness.Seal{}, false
}

// files checks manifest and signature.
func (v *verifier) files() {
	signature, bad := v.crate.Check(v.options.Signers, v.options.Now)
	v.Signature = signature
	v.problem(bad)
	if bad == nil && signature.State == crate.Unknown {
		v.Findings = append(v.Findings, protocol.NewFinding(protocol.UnknownSigner,
			"The signature holds; it was made with the key %s, and it is not known whose that is.", signature.Signer))
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

// family is that of an agent of whom the thread does not tell: the words that a project file has for such are not here, so that the
// crate carries what they came to.
func (v *verifier) family(agent science.Agent) string {
	took := v.carried.Agents[mail.NameKey(agent.Name)]
	switch {
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
	sections, ok := v.readSections()
	if !ok {
		return
	}
	b, err := derive(lines, pack, sections, Settings{License: v.carried.License, Authors: v.carried.Authors, Family: v.family,
		Tool: v.options.Tool})
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
const maxView = 32 << 20

func (v *verifier) read(name string) ([]byte, bool) {
	data, err := v.crate.Read(name, maxView)
	if err != nil {
		v.bad(name, "%s", err)
	}
	return data, err == nil
}

// spelling compares the lines with those that the messages give: the chain does not cover how they are written.
func (v *verifier) spelling() {
	got, err := v.crate.Open(threadName)
	if err != nil {
		v.bad(threadName, "%s", err)
		return
	}
	defer got.Close()
	want, err := v.bundle.lines()
	if err != nil {
		v.bad(threadName, "%s", err)
		return
	}
	defer want.Close()
	if !sameText(got, want) {
		v.bad(threadName, "its lines are not spelled as a crate spells them")
	}
}

// sameText compares two texts while they are read.
func sameText(got, want io.Reader) bool {
	a, b := bufio.NewReader(got), bufio.NewReader(want)
	for {
		x, wrong := a.ReadByte()
		y, end := b.ReadByte()
		if wrong != nil || end != nil {
			return errors.Is(wrong, io.EOF) && errors.Is(end, io.EOF)
		}
		if x != y {
			return false
		}
	}
}

// readLines reads the thread.
func (v *verifier) readLines() ([]transfer.Line, bool) {
	content, err := v.crate.Open(threadName)
	if err != nil {
		v.bad(threadName, "%s", err)
		return nil, false
	}
	defer content.Close()
	lines, findings, err := transfer.ReadLines(content)
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

// readSections reads the cited sections of the transcript, which not every thread has.
func (v *verifier) readSections() (string, bool) {
	if !v.crate.Has(transcriptName) {
		return "", true
	}
	data, ok := v.read(transcriptName)
	if v.anotherEdition() && string(data) == noSections {
		return "", ok
	}
	return string(data), ok
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
			pack.Files = append(pack.Files, evidencepack.SelectedFile{Name: local, Open: v.opener(name), Size: v.crate.Size(name)})
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
	_, numbers := session.Cited(b.Lines, b.Library.Transcript)
	ids, named := session.Named(b.Lines, b.Library.Transcript) // which crates of earlier builds have
	for _, s := range read.Sources {
		if !slices.Contains(ids, s.ID) {
			v.bad(indexFile, "%s is not cited", s.ID)
		}
		for _, f := range s.Open().Wrong {
			v.bad(evidenceDir+s.File, "%s", f.Message)
		}
	}
	index, err := evidencepack.RenderIndex(read.Sources)
	if err != nil || string(index) != string(b.pack.Index) && !(v.anotherEdition() && agreesYAML(b.pack.Index, index)) {
		v.bad(indexFile, "it says more than which sources are cited")
	}
	v.evidenceFiles(evidencepack.Names(read, b.pack.Read))
	carried := transcript.Parse(b.sections)
	if b.sections != renderSections(carried, numbers) && b.sections != renderSections(carried, named) {
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
		if f.Code == protocol.EVQ01 && f.Severity == protocol.SeverityError {
			v.bad(artifactText, "%s", f.Message)
		} else {
			f = f.Lowered() // a source that was retracted is no fault of the crate
		}
		v.Findings = append(v.Findings, f)
	}
}

var generator = pattern.Lazy(`<meta name="generator" content="([^"]*)">`)

// views derives artifact and views again.
func (v *verifier) views() {
	page, ok := v.read(crate.PreviewName)
	if !ok {
		return
	}
	if m := generator().FindSubmatch(page[:min(len(page), 4096)]); m != nil {
		v.maker = html.UnescapeString(string(m[1]))
	}
	views, err := v.bundle.views()
	if err != nil {
		v.bad(artifactJSON, "%s", err)
		return
	}
	for _, want := range views {
		if v.anotherEdition() && !want.artifact() {
			v.compareAnother(want)
			continue
		}
		got, ok := v.read(want.name)
		if !ok {
			return
		}
		v.compare(want, got)
	}
}

// compare holds a file against what the thread gives. Markdown of another edition may be laid out differently; its
// sections hash to the same.
func (v *verifier) compare(want view, got []byte) {
	switch {
	case string(got) == want.text:
	case want.name == artifactText && v.anotherEdition() && !v.ours():
		if err := markdown.CheckLines(got); err != nil {
			v.bad(want.name, "%s", err)
			return
		}
		doc, _, _ := markdown.Parse(string(got))
		if hash, err := doc.Artifact.Hash(); err != nil || hash != v.bundle.Hash || doc.Metadata.ArtifactHash != hash.String() {
			v.bad(want.name, "its sections are not those of the version")
		}
	case want.name == artifactText:
		v.bad(want.name, "it is not what the thread gives")
	default:
		if at, ok := want.agrees(got); !ok {
			v.bad(want.name, "%s is not what the thread gives", at)
		}
	}
}

// names compares the files that are there with those that a crate has, and no others.
func (v *verifier) names() {
	files, err := v.bundle.files()
	if err != nil {
		v.bad(threadName, "%s", err)
		return
	}
	known := map[string]bool{crate.MetadataName: true, crate.ManifestName: true, crate.SignatureName: true}
	for _, f := range files {
		known[f.Name] = true
	}
	if v.anotherEdition() {
		known[transcriptName] = true
	}
	seen := map[string]bool{}
	for _, name := range v.crate.Names() {
		if fold := strings.ToLower(name); !known[name] || seen[fold] { // on some disks the second replaces the first
			v.bad(name, "no crate has it")
		} else {
			seen[fold] = true
		}
	}
}

// report writes the page again, where this version says that it wrote it. Whoever wrote it, it is inert (SCIENCE 9).
func (v *verifier) report() {
	got, ok := v.read(crate.PreviewName)
	if !ok {
		return
	}
	if why := hypertext.Inert(got); why != nil {
		v.bad(crate.PreviewName, "it is not inert: %s", why)
		return
	}
	if !v.ours() {
		v.Summary = v.bundle.Summary()
		v.Findings = append(v.Findings, protocol.NewFinding(protocol.ReportNotRebuilt,
			"The report says that %s wrote it, which is not %s: it is inert, but its words are the packer's.",
			protocol.Brief(cmp.Or(v.maker, "nobody")), v.options.Tool))
		return
	}
	want, err := v.bundle.Report()
	if err != nil {
		v.bad(crate.PreviewName, "%s", err)
		return
	}
	if !bytes.Equal(got, want) {
		v.bad(crate.PreviewName, "it is not the report of this version")
	}
}

// metadata writes the description of the crate again, whoever made it. What other versions lay out differently was
// compared before: sizes and hashes are those of the files that are there.
func (v *verifier) metadata() {
	v.problem(v.crate.CheckMetadata())
	got, ok := v.read(crate.MetadataName)
	if !ok {
		return
	}
	files, described, err := v.described()
	if err != nil {
		v.bad(crate.MetadataName, "%s", err)
		return
	}
	want, err := described.Document(files)
	switch at, same := agrees(got, []byte(want), v.compared()); {
	case err != nil:
		v.bad(crate.MetadataName, "%s", err)
	case v.anotherEdition() && !v.ours():
		if v.citedAs(described); !same {
			v.tell(crate.MetadataName, at)
		}
	case v.ours() && want != string(got), !same:
		v.bad(crate.MetadataName, "it does not describe this version: %s", cmp.Or(at, "its layout"))
	}
}

// described returns the files that the thread gives, with the content that is there, and what describes them.
func (v *verifier) described() ([]crate.File, crate.Metadata, error) {
	files, err := v.bundle.files()
	if err != nil {
		return nil, crate.Metadata{}, err
	}
	for i := range files {
		if name := files[i].Name; v.crate.Has(name) {
			files[i].Open = v.opener(name)
		}
	}
	described, err := v.bundle.metadata()
	described.Compile.Tool = v.maker
	return files, described, err
}

func (v *verifier) opener(name string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return v.crate.Open(name) }
}

// quoteFindings says which quotes of a dossier are not in the sources that they cite.
func quoteFindings(judgement *evidence.Judgement) []protocol.Finding {
	var list []protocol.Finding
	judgement.EachFinding(func(id artifact.ItemID) string { return string(id) }, func(id artifact.ItemID, path string, f protocol.Finding) {
		list = append(list, f.On(string(id)).In(path))
	})
	return list
}

// LeftOut says what came after the version, so that nobody takes it for all there is (SCIENCE 9).
func (b *Bundle) LeftOut() []protocol.Finding {
	if b.after == 0 {
		return nil
	}
	return []protocol.Finding{protocol.NewFinding(protocol.PendingDeltas, "v%d leaves out %s that came after it.", b.Version,
		protocol.Plural(b.after, "change"))}
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
