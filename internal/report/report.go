// Package report writes a session as one page that a referee can read: a single HTML file without script,
// which requests nothing, opens from disk and prints like a paper (SCIENCE 8). What it says comes from the
// study that the pages show too; the same input gives the same bytes.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
	"sync"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/figure"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/study"
)

// Report is one version of a session.
type Report struct {
	ThreadID     string
	Question     string
	Version      int
	Published    time.Time
	Hash         string // of the artifact
	Chain        string // of the COMPILED message
	Generator    string // the program that wrote the report, with its version
	Artifact     *artifact.Artifact
	Study        *study.Study
	Known        *study.Known // what the session has come to; nil: not asked
	Why          *study.Why   // why belief is what it is; nil: not asked
	Members      []Member
	Signs        []string // the vital signs, in words
	Reviews      map[artifact.ItemID]Review
	Attacks      []Attack
	Evidence     *evidence.Judgement
	Sources      []Source
	Findings     []string // POST_HOC_CLAIM, RESULT_REPLACED and their like, as sentences
	MoreFindings int      // that are left out
	Versions     []Version
	Log          []Entry
	Claims       []string // what the record says and no proof covers
	Place        string   // which session of its project it was; empty: unknown
	Checkpoints  []string // of the journals, with their witnesses
	Witnessed    []string // what they saw before its result was recorded
	Cite         string
	License      string // empty: none is granted
}

// Member is an agent that took part.
type Member struct {
	figure.Agent
	Program, Model, Family, Role string
	Messages                     int
	Changes                      int // accepted
}

// Review is how far a hypothesis was checked by others (SCIENCE 8).
type Review struct{ State, Why string }

// Attack is a critique with what became of it.
type Attack struct {
	Targets  []artifact.ItemID
	Title    string
	Text     string
	From     figure.Agent
	Family   string
	Severity string
	State    science.AttackState

	MessageID int64           // that brought it
	Item      artifact.ItemID // in the artifact; empty: it has none
	Answer    string          // how it was answered, in words
}

// Source is a cited file of the evidence pack.
type Source struct {
	ID, Title, Origin, SHA256, Kind string
	Withheld                        bool   // only its hash and excerpts are shared
	Standing                        string // such as: retracted (by its editors); empty: it is current
	Reference                       string // its line of the bibliography
	Link                            string // to the work; empty: none is known
}

// Version is a published version.
type Version struct {
	Number  int
	Summary string
	At      time.Time
	Hash    string
}

// Entry is a message of the log.
type Entry struct {
	ID      int64
	At      time.Time
	From    figure.Agent
	Subject string
}

//go:embed report.html
var page string

//go:embed report.css
var style string

// parsed is the template, parsed when the first report is written.
var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report").Funcs(functions).Parse(page))
})

var functions = template.FuncMap{
	"css":     func() template.CSS { return template.CSS(style) },
	"svg":     func(markup string) template.HTML { return template.HTML(markup) }, //nolint:gosec // figure escapes every text
	"percent": figure.Percent,
	"day":     func(t time.Time) string { return t.UTC().Format("2 January 2006") },
	"minute":  func(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") },
	"short":   func(hash string) string { return hash[:min(12, len(hash))] },
	"bits":    func(b float64) string { return fmt.Sprintf("%.2f", b) },
	"effort":  func(e float64) string { return fmt.Sprintf("%.1f", e) },
	"plural":  protocol.Plural,
	"stack":   stack,
	"stamp":   func(t time.Time) string { return t.UTC().Format("2 Jan, 15:04") },
	"class":   class,
	"state":   stateGlyph,
	"support": supportGlyph,
	"link":    safeLink,
	"bare":    bareAddress,
	"add":     func(a, b int) int { return a + b },
	"neg":     func(n int) int { return -n },
	"world":   worldMark, "label": worldLabel, "shareOf": shareOf, "minus": minus, "foundWords": foundWords, "weight": weight,
	"weightOf": weightOf, "controlWord": controlWord, "likely": study.Likelihood,
	"course": course, "date": dayAndMonth, "suppose": study.Supposition,
	"sigmas": func(z *float64) string { return fmt.Sprintf("%.1f", *z) },
	"row":    newRow,
	"one":    func(r *numbered, result study.Result) oneResult { return oneResult{r.Report, result} },
}

// Render writes the report.
func (r *Report) Render() ([]byte, error) {
	var out bytes.Buffer
	err := parsed().Execute(&out, &numbered{Report: r})
	return out.Bytes(), err
}

func class(a figure.Agent) string { return fmt.Sprintf("a%d", a.Hue) }

// stateGlyph is the mark of a review state.
func stateGlyph(state string) string {
	return map[string]string{"contested": "◆", "reviewed": "✓", "outdated": "↻", "provisional": "◐", "unreviewed": "○"}[state]
}

// supportGlyph is the mark of a kind of support.
func supportGlyph(s evidence.Support) string {
	return map[evidence.Support]string{"quoted": "❝", "cited": "§", "inference": "∴", "bare": "!"}[s]
}

// safeLink keeps an address only if it leads to the web.
func safeLink(text string) string {
	if strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://") {
		return text
	}
	return ""
}

// bareAddress writes an address without its scheme: the page names what it leads to only in its links.
func bareAddress(link string) string {
	_, rest, _ := strings.Cut(link, "://")
	return strings.TrimSuffix(rest, "/")
}

// Register is the line of SCIENCE 3 with its squares.
type Register struct {
	science.PredictionCounts
	Squares []string // class of each prediction: revealed, late, exploratory, open
	Many    bool     // they are drawn small
}

// More predictions than maxSquares are not drawn at all: a part of them would show wrong proportions. The sentence
// has the numbers.
const (
	manySquares = 50
	maxSquares  = 300
)

// Register counts the predictions.
func (r *Report) Register() Register {
	c := r.Study.Counts
	reg := Register{PredictionCounts: c, Many: c.Stated > manySquares}
	if c.Stated > maxSquares {
		return reg
	}
	open := c.Stated - c.Revealed - c.Exploratory
	for _, part := range []struct {
		class string
		n     int
	}{{"", c.Locked}, {"p", c.AfterLook + c.PostHoc}, {"e", c.Exploratory}, {"o", open}} {
		for range part.n {
			reg.Squares = append(reg.Squares, part.class)
		}
	}
	return reg
}

// Items returns the active items of a section by its id.
func (r *Report) Items(section string) []*artifact.Item {
	s, ok := artifact.ParseSection(section)
	if !ok {
		return nil
	}
	return r.Artifact.Active(s)
}

// Review returns the review of a hypothesis.
func (r *Report) Review(id artifact.ItemID) Review { return r.Reviews[id] }

// Support returns what an item rests on; nil without a judgement.
func (r *Report) Support(id artifact.ItemID) *evidence.ItemSupport {
	if r.Evidence == nil {
		return nil
	}
	if s, ok := r.Evidence.Item(id); ok {
		return &s
	}
	return nil
}

// Quotes returns every checked quote.
func (r *Report) Quotes() []evidence.ItemQuote {
	if r.Evidence == nil {
		return nil
	}
	return r.Evidence.Quotes()
}

// Item returns an item by its id.
func (r *Report) Item(id string) *artifact.Item { return r.Artifact.Item(artifact.ItemID(id)) }

// tableRow is a row of the matrix with the columns of its cells.
type tableRow struct {
	Row   study.Row
	Cells []tableCell
}

type tableCell struct {
	Cell   study.Cell
	Column study.Column
}

func newRow(row study.Row, columns []study.Column) tableRow {
	t := tableRow{Row: row}
	for i, cell := range row.Cells {
		t.Cells = append(t.Cells, tableCell{cell, columns[i]})
	}
	return t
}

// Foot is the line below each printed page. A name that could leave the style sheet is left out.
func (r *Report) Foot() template.CSS {
	name := r.ThreadID
	if strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.'
	}) {
		name = ""
	}
	return template.CSS(fmt.Sprintf(`@page{@bottom-left{content:"%s  ·  v%d  ·  %.12s"}@bottom-right{content:counter(page) " / " `+
		`counter(pages)}}`, name, r.Version, r.Hash)) //nolint:gosec // checked above
}
