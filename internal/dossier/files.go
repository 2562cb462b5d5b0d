package dossier

import (
	"bytes"
	"encoding/json"
	"io"
	"path"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/crate"
	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/mail/transfer"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// The files of a crate that hold what brenner says.
const (
	artifactText    = "artifact.md"
	artifactJSON    = "artifact.json"
	threadName      = "thread.jsonl"
	transcriptName  = "transcript.md"
	resultsName     = "results.json"
	predictionsName = "predictions.json"
	beliefsName     = "beliefs.json"
	reasonsName     = "reasons.json"
	reviewName      = "review.json"
	evidenceDir     = evidencepack.Dir + "/"
)

var indexFile = evidenceDir + evidencepack.IndexName

// view is a file that is derived from the thread and its evidence.
type view struct {
	name, title, mediaType string
	text                   string
}

// artifact reports whether the file is the artifact, which every edition of SCIENCE folds in the same way.
func (v view) artifact() bool { return v.name == artifactText || v.name == artifactJSON }

// views derives the files that say what the thread comes to.
func (b *Bundle) views() ([]view, error) {
	id := b.ThreadID()
	list := []view{
		{artifactText, "The artifact", "text/markdown", markdown.Render(b.Document)},
		{name: artifactJSON, title: "The artifact, as data"},
		{name: resultsName, title: "Every result and attempt, with what became of it"},
		{name: predictionsName, title: "Every prediction, and whether it was written before its result"},
		{name: beliefsName, title: "How likely the agents hold each hypothesis"},
		{name: reasonsName, title: "What each result did to belief, and what the answer hangs on"},
		{name: reviewName, title: "Who has checked each hypothesis"},
	}
	for i, printed := range []any{
		1: artifactPrinted{b.Document.Metadata, b.Document.Artifact, []protocol.Finding{}},
		2: resultsPrinted{id, b.Results()}, 3: predictionsPrinted{id, b.Predictions(), b.Judgement().Counts},
		4: beliefsPrinted{id, b.Beliefs()},
		5: reasonsPrinted{id, b.Reasons()}, 6: reviewPrinted{id, b.Review()},
	} {
		if printed == nil {
			continue
		}
		text, err := asPrinted(printed)
		if err != nil {
			return nil, err
		}
		list[i].mediaType, list[i].text = "application/json", text
	}
	entries, err := b.bibliography()
	return append(list, entries...), err
}

// The objects that commands print with --json.
type (
	artifactPrinted struct {
		Metadata artifact.Metadata  `json:"metadata"`
		Sections *artifact.Artifact `json:"sections"`
		Findings []protocol.Finding `json:"findings"`
	}
	resultsPrinted struct {
		ThreadID string              `json:"thread_id"`
		Results  []science.ResultRow `json:"results"`
	}
	predictionsPrinted struct {
		ThreadID string `json:"thread_id"`
		science.PredictionReport
		Coverage evidence.Counts `json:"coverage"`
	}
	beliefsPrinted struct {
		ThreadID string `json:"thread_id"`
		science.BeliefReport
	}
	reasonsPrinted struct {
		ThreadID string `json:"thread_id"`
		science.Reasons
	}
	reviewPrinted struct {
		ThreadID string `json:"thread_id"`
		science.Review
	}
)

// asPrinted writes an object as the commands do: ok first, < and > as they are.
func asPrinted(object any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object); err != nil {
		return "", err
	}
	return `{"ok":true,` + strings.TrimPrefix(b.String(), "{"), nil
}

// lines writes the thread while it is read: its text is in memory once already.
func (b *Bundle) lines() (io.ReadCloser, error) {
	return io.NopCloser(&lineReader{lines: b.Lines}), nil
}

// lineReader reads lines as they travel.
type lineReader struct {
	lines []transfer.Line
	text  bytes.Buffer // of the line that is being read
}

// Read implements io.Reader.
func (r *lineReader) Read(p []byte) (int, error) {
	for r.text.Len() == 0 {
		if len(r.lines) == 0 {
			return 0, io.EOF
		}
		r.text.Reset()
		if err := transfer.WriteLine(&r.text, r.lines[0]); err != nil {
			return 0, err
		}
		r.lines = r.lines[1:]
	}
	return r.text.Read(p)
}

// files are the files of the crate but metadata, manifest and signature.
func (b *Bundle) files() ([]crate.File, error) {
	report, err := b.Report()
	if err != nil {
		return nil, err
	}
	views, err := b.views()
	if err != nil {
		return nil, err
	}
	files := []crate.File{
		crate.Bytes(crate.PreviewName, "The report", "text/html", string(report)),
		{Name: threadName, Title: "Every message of the thread up to this version", MediaType: "application/jsonl", Open: b.lines},
		crate.Bytes(indexFile, "The cited sources", "application/yaml", string(b.pack.Index)),
	}
	if b.sections != "" {
		files = append(files, crate.Bytes(transcriptName, "The cited sections of the transcript", "text/markdown", b.sections))
	}
	for _, v := range views {
		files = append(files, crate.Bytes(v.name, v.title, v.mediaType, v.text))
	}
	for _, f := range b.pack.Files {
		files = append(files, crate.File{Name: evidenceDir + f.Name, Title: b.fileTitle(f.Name), MediaType: mediaType(f.Name),
			Open: f.Open})
	}
	checkpoints, err := b.checkpointFiles()
	return append(files, checkpoints...), err
}

// fileTitle names a file of the evidence after its source.
func (b *Bundle) fileTitle(name string) string {
	id, _, _ := strings.Cut(name, ".")
	if b.Library.Pack != nil {
		if s := b.Library.Pack.Source(id); s != nil && s.Title != "" {
			return s.ID + ": " + s.Title
		}
	}
	return name
}

// mediaTypes are those of sources; the machine's own table may say something else tomorrow.
var mediaTypes = map[string]string{
	".txt": "text/plain", ".text": "text/plain", ".out": "text/plain", ".err": "text/plain", ".md": "text/markdown", ".csv": "text/csv",
	".tsv": "text/tab-separated-values", ".json": "application/json", ".yaml": "application/yaml", ".tex": "application/x-tex",
	".html": "text/html", ".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg",
}

func mediaType(name string) string {
	if known, ok := mediaTypes[path.Ext(name)]; ok {
		return known
	}
	return "application/octet-stream"
}

// metadata describes the crate.
func (b *Bundle) metadata() (crate.Metadata, error) {
	m := crate.Metadata{
		Name: b.Question(), Description: b.description(), Edition: edition, Identifier: b.ThreadID(),
		Version:   "v" + strconv.Itoa(b.Version),
		Published: b.last().CreatedAt, License: b.Settings.License, Authors: b.Settings.Authors,
		Compile: crate.Compile{Version: b.Version, At: b.last().CreatedAt, By: b.last().From, Tool: b.Settings.Tool},
	}
	for _, member := range b.Members() {
		agent := b.Agent(member.Agent)
		took := crate.Agent{Name: member.Agent, Program: agent.Program, Model: agent.Model}
		switch family := b.Family(member.Agent); family {
		case science.Human:
			took.Human = true
		case science.UnknownFamily:
		default:
			took.Family = family
		}
		m.Agents = append(m.Agents, took)
	}
	m.Works = b.works()
	var err error
	m.Runs, err = b.runs()
	return m, err
}

func (b *Bundle) description() string {
	return "Version " + strconv.Itoa(b.Version) + " of the research session " + b.ThreadID() + ": " + b.Predictions().Counts.String() +
		". " + b.Judgement().Counts.Line() + "."
}

// last is the COMPILED message.
func (b *Bundle) last() *transfer.Line { return &b.Lines[len(b.Lines)-1] }

// Question is what the session asks, on one line.
func (b *Bundle) Question() string {
	if q := strings.Join(strings.Fields(b.View.Question), " "); q != "" {
		return q
	}
	return b.ThreadID()
}

// WriteCrate packs the crate and returns how many files it has. signer may be nil.
func (b *Bundle) WriteCrate(w io.Writer, signer *crate.Signer) (int, error) {
	files, err := b.files()
	if err != nil {
		return 0, err
	}
	about, err := b.metadata()
	if err != nil {
		return 0, err
	}
	return crate.Write(w, files, about, signer)
}

// WriteNotebook packs the crate for electronic lab notebooks and returns how many files there are. signer may be nil.
func (b *Bundle) WriteNotebook(w io.Writer, signer *crate.Signer) (int, error) {
	files, err := b.files()
	if err != nil {
		return 0, err
	}
	about, err := b.metadata()
	if err != nil {
		return 0, err
	}
	return b.notebook().Write(w, files, about, signer)
}

// notebook is what lab notebooks are told beside the crate. Its folder does not depend on where the file is written.
func (b *Bundle) notebook() crate.Notebook {
	return crate.Notebook{Folder: b.ThreadID() + "-v" + strconv.Itoa(b.Version), Summary: b.Summary()}
}

func formatInt(n int) string { return strconv.Itoa(n) }
