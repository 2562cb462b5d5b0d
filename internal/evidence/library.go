package evidence

import (
	"maps"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/literature"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
	"brenner/internal/transcript"
)

// Library is where quotes are looked up: the evidence pack and the transcript of a project.
type Library struct {
	Pack       *Pack                  // nil: the project has none
	Transcript *transcript.Transcript // nil: the project has none with numbered sections

	// Sections returns the text of the transcript; the caller may remember it. Nil: it is made anew each time.
	Sections func() *Sections
}

// Pack is the evidence of a project.
type Pack struct {
	Sources  []*Source // by number
	Snapshot *Snapshot // of retractions; nil: none was joined yet
	Findings []protocol.Finding
}

// Kind says what a source is.
type Kind string

// The kinds.
const (
	KindSource Kind = "source"
	KindRun    Kind = "run"
)

// Source is an entry of the pack, as its index lists it.
type Source struct {
	ID         string // EV-001
	Title      string
	Source     string // where it comes from: URL, DOI or words
	Kind       Kind
	AddedAt    string
	AddedBy    string
	File       string
	SHA256     string
	Text       string // the file with the text; empty: none
	TextSHA256 string
	TextBy     TextBy   // empty: there is no text, or nobody said
	TextAgrees *float64 // part of a supplied text that is in the file; nil: not measured
	Share      bool
	Status     Status
	StatusBy   string // source that corrects or replaces it; empty: none was named
	StatusNote string
	Cite       *literature.Item // nil: none was given
	Excerpts   []Excerpt
	Indexed    bool // false: a file without an entry

	// Open reads the text and compares the files with the index.
	Open func() Content
	// Look tells what Open found, without its text where that is known. Nil: Open tells.
	Look func() Facts
	// Figure reads its file if that is a picture that its hash is of; nil: it is none, or nobody can tell.
	Figure func() []byte
	// Bytes reads its file as the index has its hash; nil if it is not there or is another one by now, or nobody can tell.
	Bytes func() []byte
	// Marked finds the excerpts of a file without an entry: its lines that begin with E1, E2, …. Nil
	// for one in the index.
	Marked func() []Excerpt
}

// Excerpt is a named passage of a source.
type Excerpt struct {
	ID   string // E1
	Text string
	From int // lines of the text, from 1; 0: not known
	To   int
}

// Content is what the files of a source hold.
type Content struct {
	Raw   string             // the text as it is
	Text  *Text              // its normal form; nil: there is none that can be trusted
	Hash  string             // SHA-256 of the file as it is; empty: it cannot be read
	Wrong []protocol.Finding // EV-Q02

	// Words returns the words of Raw; the caller may remember them. Nil: they are read anew each time.
	Words func() *WordIndex
}

// Facts are what is known of the files of a source without their text.
type Facts struct {
	Size  int                // of the text; 0: there is none that can be trusted
	Wrong []protocol.Finding // EV-Q02
}

// Facts leaves the text out.
func (c Content) Facts() Facts { return Facts{c.Text.size(), c.Wrong} }

// look tells what is known of the files. A large text is not read again for it.
func (s *Source) look() Facts {
	if s.Look != nil {
		return s.Look()
	}
	return s.Open().Facts()
}

func (c Content) wordIndex() *WordIndex {
	if c.Words != nil {
		return c.Words()
	}
	return NewWordIndex(c.Raw)
}

// Source finds a source, nil if there is none.
func (p *Pack) Source(id string) *Source {
	i, ok := slices.BinarySearchFunc(p.Sources, id, func(s *Source, id string) int { return CompareIDs(s.ID, id) })
	if !ok {
		return nil
	}
	return p.Sources[i]
}

// CompareIDs orders evidence ids by number.
func CompareIDs(a, b string) int {
	a, b = strings.TrimPrefix(a, "EV-"), strings.TrimPrefix(b, "EV-")
	x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	if x != y {
		return strings.Compare(x, y)
	}
	return len(a) - len(b)
}

// Hash is the SHA-256 of the source: what the index says, else that of the file.
func (s *Source) Hash() string {
	if s.SHA256 != "" {
		return s.SHA256
	}
	return s.Open().Hash
}

// AllExcerpts returns the named passages of a source.
func (s *Source) AllExcerpts() []Excerpt {
	if s.Marked != nil {
		return s.Marked()
	}
	return s.Excerpts
}

// Excerpt finds an excerpt of a source. One without an entry and without marks in its text has any:
// its parts cannot be told.
func (s *Source) Excerpt(id string) (Excerpt, bool) {
	all := s.AllExcerpts()
	i := slices.IndexFunc(all, func(e Excerpt) bool { return e.ID == id })
	if i < 0 {
		return Excerpt{ID: id}, s.Marked != nil && len(all) == 0
	}
	return all[i], true
}

// MarkedExcerpts finds the lines of a text that begin with E1, E2, …: the excerpts of a source without
// an entry. Each ends where the next begins.
func MarkedExcerpts(text string) []Excerpt {
	var found []Excerpt
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if m := excerptMark().FindStringSubmatch(line); m != nil {
			found = append(found, Excerpt{ID: m[1], From: i + 1, To: len(lines)})
			if n := len(found); n > 1 {
				found[n-2].To = i
			}
		}
	}
	for i := range found {
		found[i].Text = strings.TrimSpace(strings.Join(lines[found[i].From-1:found[i].To], "\n"))
	}
	return found
}

var excerptMark = pattern.Lazy(`^[#>*\s-]*(E[0-9]+)\b`)

// Resolution says what became of a citation.
type Resolution uint8

// The resolutions.
const (
	Unknowable Resolution = iota // the project has no pack or no transcript
	Missing                      // it has, and what is cited is not in it
	Resolved
)

// Resolve looks a citation up.
func (l *Library) Resolve(c artifact.Citation) Resolution {
	switch {
	case l == nil || c.Evidence == "" && l.Transcript == nil || c.Evidence != "" && l.Pack == nil:
		return Unknowable
	case c.Evidence == "" && l.MissingSection(c) != 0:
		return Missing
	case c.Evidence == "":
		return Resolved
	}
	s := l.Pack.Source(c.Evidence)
	if s == nil {
		return Missing
	}
	if _, ok := s.Excerpt(c.Excerpt); c.Excerpt != "" && !ok {
		return Missing
	}
	return Resolved
}

// Absent names what is cited and not there, empty if all is there or that is not known.
func (l *Library) Absent(c artifact.Citation) string {
	switch {
	case l.Resolve(c) != Missing:
		return ""
	case c.Evidence == "":
		n := l.MissingSection(c)
		return artifact.Citation{First: n, Last: n}.String()
	case l.Pack.Source(c.Evidence) == nil:
		return c.Evidence
	}
	return c.String()
}

// AbsentFinding is EV-P01. subject says who cites what is not there.
func AbsentFinding(subject, name string) protocol.Finding {
	source := "the transcript has no such section"
	if !strings.HasPrefix(name, "§") {
		source = "the evidence pack has no such entry"
	}
	return protocol.NewFinding(protocol.EVP01, "%s cites %s: %s.", subject, name, source)
}

// MissingSection returns the first cited section that the transcript does not have, 0 if it has all. It
// looks at no more sections than the transcript has, and one.
func (l *Library) MissingSection(c artifact.Citation) int {
	for n := c.First; n <= c.Last; n++ {
		if _, ok := l.Transcript.Section(n); !ok {
			return n
		}
	}
	return 0
}

// Sections is a transcript as one text.
type Sections struct {
	text  *Text
	lines map[int][2]int // first and last line of each section
}

// NewSections joins title and text of all sections, by number.
func NewSections(t *transcript.Transcript) *Sections {
	var b strings.Builder
	s := &Sections{lines: make(map[int][2]int, t.Len())}
	line := 1
	for _, n := range slices.Sorted(maps.Keys(t.Numbers())) {
		section, _ := t.Section(n)
		text := section.Title + "\n" + section.Text + "\n"
		b.WriteString(text)
		count := strings.Count(text, "\n")
		s.lines[n] = [2]int{line, line + count - 1}
		line += count
	}
	s.text = NewText(b.String(), Written)
	return s
}

// at returns the number of the section that has a line.
func (s *Sections) at(line int) int {
	for n, lines := range s.lines {
		if lines[0] <= line && line <= lines[1] {
			return n
		}
	}
	return 0
}

func (l *Library) transcriptText() *Sections {
	if l.Sections != nil {
		return l.Sections()
	}
	return NewSections(l.Transcript)
}

// Check compares all files of the pack with its index: EV-Q02, and what else is odd about the folder.
func (p *Pack) Check() []protocol.Finding {
	findings := slices.Clone(p.Findings)
	for _, s := range p.Sources {
		findings = append(append(findings, s.Open().Wrong...), s.Doubts()...)
	}
	return findings
}
