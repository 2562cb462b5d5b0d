// Package gallery writes the disputes as static pages: each with its session, report, crate and how to verify it, and the table of
// baselines. The pages need no script and ask no other host for anything.
package gallery

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"brenner/internal/app"
	"brenner/internal/atomicfile"
	"brenner/internal/dispute"
	"brenner/internal/dispute/play"
	"brenner/internal/protocol"
)

//go:embed gallery.html
var pages string

var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("gallery").Funcs(template.FuncMap{"bold": bold, "two": two}).Parse(pages))
})

// bold writes the paragraphs of a page, with what stands between two stars set off.
func bold(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(template.HTMLEscapeString(text), "**") {
		switch {
		case i == 0:
		case i%2 == 1:
			b.WriteString("<b>")
		default:
			b.WriteString("</b>")
		}
		b.WriteString(part)
	}
	return template.HTML(b.String()) // escaped above
}

// two writes a number with two digits behind the point.
func two(x float64) string {
	text := fmt.Sprintf("%.2f", x)
	if text == "-0.00" {
		return "0.00"
	}
	return strings.Replace(text, "-", "−", 1)
}

// Options say what is written, and where.
type Options struct {
	Dir      string // of the pages
	Plays    string // where the baselines play, a project for each dispute
	Disputes []*dispute.Dispute
	Version  string // of the program, as reports name it
	Tell     func(name string)
}

// Written is what came of it.
type Written struct {
	Dir      string   `json:"dir"`
	Disputes []string `json:"disputes"`
	Files    int      `json:"files"`
}

// Write plays what was not played yet, and writes the pages.
func Write(ctx context.Context, o Options) (Written, error) {
	w := writer{Options: o, done: Written{Dir: o.Dir, Disputes: []string{}}}
	scores, err := play.Baselines(ctx, o.Plays, o.Disputes, o.Tell)
	if err != nil {
		return w.done, err
	}
	index := indexPage{Title: "Disputes"}
	index.Rows, index.Recalled = play.Table(scores)
	for _, d := range o.Disputes {
		if err := w.dispute(ctx, d); err != nil {
			return w.done, err
		}
		w.done.Disputes = append(w.done.Disputes, d.Name)
		index.Disputes = append(index.Disputes, d)
	}
	return w.done, w.page("index.html", "index", index)
}

type indexPage struct {
	Title    string
	Disputes []*dispute.Dispute
	Rows     []play.Row
	Recalled []play.Recalled
}

type writer struct {
	Options
	done Written
}

// disputePage is a dispute with the play of the baseline that asks for the best next test.
type disputePage struct {
	*dispute.Dispute
	Title  string
	Thread string
	Rivals []rival
	Tests  []testRow
	Steps  []step
	Arms   []armLine
	Known  []string // paragraphs
	Works  []work
}

type rival struct {
	ID string
	dispute.Hypothesis
}

type testRow struct {
	ID, Name, Found, Note, Twin, SHA256, Source, Link string
	Effort                                            float64
	Expected                                          []expectation
}

type expectation struct{ ID, Text string }

// step is what was believed after a result.
type step struct {
	After  string
	Shares []sharePart
}

type sharePart struct {
	ID      string
	Percent float64
}

type armLine struct {
	Arm    dispute.Arm
	Answer string
	Reach  play.Reach
}

type work struct{ Text, Link, Note string }

// dispute writes the pages of one.
func (w *writer) dispute(ctx context.Context, d *dispute.Dispute) error {
	named, twin := d.Stage(dispute.Named), d.Stage(dispute.Flipped)
	p := disputePage{Dispute: d, Title: d.Title, Thread: play.BaselineThread(named, dispute.ByNext)}
	for i, h := range named.Hypotheses {
		p.Rivals = append(p.Rivals, rival{dispute.HypothesisID(i), h})
	}
	for i, t := range named.Tests {
		seal := named.Seal(dispute.TestID(i))
		row := testRow{ID: seal.Test, Name: t.Name, Found: seal.Found(), Note: seal.Note, Twin: twin.Seal(seal.Test).Found(),
			SHA256: seal.SHA256, Source: seal.Source, Effort: t.Score.Effort()}
		if seal.Cite != nil {
			row.Source, row.Link = seal.Cite.String(), seal.Cite.Link()
		}
		for _, id := range slices.Sorted(maps.Keys(t.Expected)) {
			row.Expected = append(row.Expected, expectation{id, string(t.Expected[id])})
		}
		p.Tests = append(p.Tests, row)
	}
	for _, arm := range dispute.Arms() {
		s := d.Stage(arm)
		p.Arms = append(p.Arms, armLine{arm, s.Answer, play.ReachOf(s)})
	}
	known := strings.TrimPrefix(strings.TrimSpace(d.Known), "# What was known when")
	for part := range strings.SplitSeq(known, "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			p.Known = append(p.Known, part)
		}
	}
	for _, s := range d.Sources {
		p.Works = append(p.Works, work{s.Cite.String(), s.Cite.Link(), s.ID + ": " + s.Title})
	}
	for _, r := range d.Read {
		p.Works = append(p.Works, work{r.Cite.String(), r.Cite.Link(), r.Note})
	}
	return play.InFolder(ctx, filepath.Join(w.Plays, d.Name), func(a *app.App) error {
		if err := w.carry(ctx, a, d.Name, p.Thread); err != nil {
			return err
		}
		if err := p.follow(ctx, a); err != nil {
			return err
		}
		return w.page(filepath.Join(d.Name, "index.html"), "dispute", p)
	})
}

// carry writes the report and the crate of a play.
func (w *writer) carry(ctx context.Context, a *app.App, name, thread string) error {
	bundle, err := a.Dossiers(w.Version).Make(ctx, thread, 0)
	if err != nil {
		return err
	}
	report, err := bundle.Report()
	if err == nil {
		err = w.file(filepath.Join(name, "report.html"), func(to io.Writer) error {
			_, err := to.Write(report)
			return err
		})
	}
	if err != nil {
		return err
	}
	return w.file(filepath.Join(name, name+".zip"), func(to io.Writer) error {
		_, err := bundle.WriteCrate(to, nil)
		return err
	})
}

// follow tells what was believed after each result.
func (p *disputePage) follow(ctx context.Context, a *app.App) error {
	s, err := a.Sessions.Session(ctx, p.Thread)
	if err != nil {
		return err
	}
	at := map[int64]string{}
	for _, r := range s.Results() {
		at[r.MessageID] = string(r.Test) + ": " + r.Said()
	}
	for i, h := range s.Beliefs().History {
		after, result := at[h.MessageID]
		if !result && i > 0 && len(p.Steps) > 0 {
			continue
		}
		if !result {
			if len(h.Pooled) <= len(p.Hypotheses) {
				continue // the slate was not complete
			}
			after = "before any test"
		}
		one := step{After: after}
		for _, id := range slices.Sorted(maps.Keys(h.Pooled)) {
			one.Shares = append(one.Shares, sharePart{id, 100 * h.Pooled[id]})
		}
		p.Steps = append(p.Steps, one)
	}
	return nil
}

// page writes a page from its template.
func (w *writer) page(name, kind string, data any) error {
	var page bytes.Buffer
	if err := parsed().ExecuteTemplate(&page, kind, data); err != nil {
		return err
	}
	return w.file(name, func(to io.Writer) error {
		_, err := page.WriteTo(to)
		return err
	})
}

func (w *writer) file(name string, fill func(io.Writer) error) error {
	path := filepath.Join(w.Dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = atomicfile.Fill(path, 0o644, fill)
	}
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "cannot write %q: %w", name, err)
	}
	w.done.Files++
	return nil
}
