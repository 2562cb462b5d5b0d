package markdown

import (
	"html/template"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/markup"
)

// page is what the template shows of a document.
type page struct {
	Session      string
	Version      int
	Status       string
	Program      string
	Hash         string
	CompiledBy   string
	Compiled     moment
	Updated      moment
	Contributors []personView
	Sections     []sectionView
}

type personView struct{ Name, Role string }

// moment is an instant for people and for machines; both are empty if it is unknown.
type moment struct{ Text, Stamp string }

type sectionView struct {
	Number int
	ID     string
	Title  string
	Active int
	Empty  string // what to say if there is nothing in it
	Matrix *matrixView
	Items  []itemView
}

type itemView struct {
	ID     string
	Anchor string
	Name   template.HTML
	Thread bool // it is the research thread, which has no heading of its own
	Kill   *killView
	Chips  []chip
	Score  *scoreView
	Fields []fieldView
	Extra  string
}

type killView struct {
	By     string
	At     moment
	Reason template.HTML
}

// chip is a short remark on an item; Kind chooses its colour.
type chip struct{ Text, Kind string }

type scoreView struct {
	Total string
	Parts []scorePartView
}

type scorePartView struct {
	Name, Number string
	Percent      int // of the most that counts
}

// fieldView is a field in one of the forms in which fields are shown.
type fieldView struct {
	Label    string
	Lead     bool // shown larger, without its label
	Prose    template.HTML
	Tags     []tag
	Outcomes []outcomeView
	Code     string
	Empty    bool
}

type tag struct {
	Text string
	Item string // the item of this page that it names
}

type outcomeView struct {
	Key  tag
	Text template.HTML
	Dead bool // its hypothesis is killed
}

type matrixView struct {
	Columns []columnView
	Rows    []rowView
}

type columnView struct {
	Key  tag
	Name template.HTML
	Dead bool
}

type rowView struct {
	ID        string
	Condition template.HTML
	Killed    bool
	Cells     []cellView
}

type cellView struct {
	Text  template.HTML
	Given bool
	Dead  bool
}

func showTime(t time.Time) moment {
	if t.IsZero() {
		return moment{}
	}
	return moment{t.UTC().Format("2 January 2006, 15:04 UTC"), artifact.FormatTime(t)}
}

// prose shows a text as the Markdown it is, with every line break its author made. The text
// goes through the form that it has in a file, where headings and HTML are inert.
func prose(text string) template.HTML {
	lines, _ := blockLines(strings.Trim(text, "\n"))
	return template.HTML(markup.HTML(strings.Join(lines, "\n"))) // markup.HTML escapes what is not Markdown
}

// phrase shows a short text inside a line: Markdown if it is one paragraph, else plain text.
func phrase(text string) template.HTML {
	h := string(prose(text))
	inner, ok := strings.CutPrefix(strings.TrimSuffix(h, "\n"), "<p>")
	inner, closed := strings.CutSuffix(inner, "</p>")
	if ok && closed && !strings.Contains(inner, "<p>") && !strings.Contains(inner, "<a ") {
		return template.HTML(inner) // a part of what markup.HTML wrote
	}
	return template.HTML(template.HTMLEscapeString(text))
}

// statusKind chooses the colour of a status.
func statusKind(status string) string {
	switch status {
	case "passed", "verified", "resolved":
		return "good"
	case "failed", "falsified", "error":
		return "bad"
	case "active", "blocked":
		return "busy"
	}
	return "calm"
}

func wordOf(name string) string { return strings.ReplaceAll(name, "_", " ") }

func isOneOf(field string, names ...string) bool { return slices.Contains(names, field) }
