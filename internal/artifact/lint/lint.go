package lint

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

// Input is what is judged.
type Input struct {
	Name     string // of the artifact in the report; the session's id if it is empty
	Document artifact.Document
	Outline  *markdown.Outline // of the file; nil for the fold of a thread
	Project  *Project          // nil if there is none: the rules that need one do not run
}

// Check judges an artifact. It takes time linear in its size.
func Check(in Input) Report {
	l := newLinter(in)
	for _, rules := range ruleSets {
		rules(l)
	}
	name := in.Name
	if name == "" {
		name = in.Document.Metadata.SessionID
	}
	r := report(name, l.found, checklist(l))
	r.Evidence = l.judgement
	return r
}

// CountErrors returns how many errors Check finds, and what it learns about quotes. It takes far less time: where an
// artifact is large, most of what is found is no error.
func CountErrors(in Input) (int, *evidence.Judgement) {
	l := newLinter(in)
	l.errorsOnly = true
	for _, rules := range ruleSets {
		rules(l)
	}
	errors := 0
	for i := range l.found {
		if l.found[i].Severity == protocol.SeverityError {
			errors++
		}
	}
	return errors, l.judgement
}

// ruleSets are the rules, by file.
var ruleSets = []func(*linter){
	checkFrontMatter, checkStructure, checkPresence, checkMinimums,
	checkHypotheses, checkPredictions, checkTests, checkAssumptions, checkAnomalies, checkCritiques,
	checkProvenance, checkQuotes, checkReferences,
}

// Rules returns the rules of the linter, in the order of the table of codes.
func Rules() []protocol.CodeInfo {
	return append(protocol.ChapterOf(protocol.EM001),
		protocol.EVQ01.Info(), protocol.EVQ02.Info(), protocol.EVQ03.Info(), protocol.EVQ05.Info(), protocol.EVQ06.Info(),
		protocol.EVQ07.Info(), protocol.EVQ08.Info(), protocol.EVS01.Info(),
		protocol.EVN01.Info(), protocol.NUM001.Info())
}

// linter holds the artifact and what was found.
type linter struct {
	Input
	active [7][]*artifact.Item // by section; killed items are exempt
	exists map[artifact.ItemID]bool
	all    []artifact.ItemID // hypotheses, killed ones included
	found  []finding

	judgement  *evidence.Judgement
	errorsOnly bool
}

// asks tells whether anybody wants to know of a broken rule: where only errors count, the others need not run.
func (l *linter) asks(code protocol.Code) bool {
	return !l.errorsOnly || code.Info().Severity == protocol.SeverityError
}

// finding is a violation with its place in the order of the report.
type finding struct {
	protocol.Finding
	part   part
	number int
}

// part is the part of the artifact that a finding belongs to: the front matter, its structure,
// then the sections.
type part int

const (
	frontMatterPart part = iota
	structurePart
	firstSection
)

func sectionPart(s artifact.Section) part { return firstSection + part(s) }

// section is the id of the section that the part is; empty for the others.
func (p part) section() string {
	if p < firstSection {
		return ""
	}
	return artifact.Section(p - firstSection).String()
}

func newLinter(in Input) *linter {
	l := &linter{Input: in, exists: map[artifact.ItemID]bool{}}
	for _, s := range artifact.Sections() {
		l.active[s] = in.Document.Artifact.Active(s)
		for _, it := range in.Document.Artifact.Items(s) {
			l.exists[it.ID] = true
			if s == artifact.HypothesisSlate {
				l.all = append(l.all, it.ID)
			}
		}
	}
	return l
}

// add records a finding about a part of the artifact as a whole.
func (l *linter) add(p part, line int, f protocol.Finding) {
	f.Line = line
	l.found = append(l.found, finding{f, p, 0})
}

// addSection records a finding about a section.
func (l *linter) addSection(s artifact.Section, f protocol.Finding) {
	l.add(sectionPart(s), l.Outline.Section(s), f)
}

// addItem records a finding about an item; path names the field, empty for the item itself.
func (l *linter) addItem(it *artifact.Item, path string, f protocol.Finding) {
	f.Item, f.Path = string(it.ID), path
	f.Line = l.line(it, path)
	l.found = append(l.found, finding{f, sectionPart(it.Section), it.ID.Number()})
}

// line finds where a field is, or its item, or its section. Elements of lists have the
// line of their field.
func (l *linter) line(it *artifact.Item, path string) int {
	field, _, _ := strings.Cut(path, "[")
	if line := l.Outline.Line(it.ID, field); line > 0 {
		return line
	}
	return l.Outline.Section(it.Section)
}

// hypotheses returns the ids of the active hypotheses.
func (l *linter) hypotheses() []artifact.ItemID {
	ids := make([]artifact.ItemID, len(l.active[artifact.HypothesisSlate]))
	for i, it := range l.active[artifact.HypothesisSlate] {
		ids[i] = it.ID
	}
	return ids
}

// any tells whether an active item of a section fits.
func (l *linter) any(s artifact.Section, fits func(*artifact.Item) bool) bool {
	return slices.ContainsFunc(l.active[s], fits)
}
