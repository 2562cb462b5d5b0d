package web

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"brenner/internal/figure"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

//go:embed all:templates
var templateFiles embed.FS

// templates are the pages, each with the layout and the parts (files that begin with an underscore).
type templates struct {
	pages map[string]*template.Template
}

func parseTemplates(a *assets, now func() time.Time) *templates {
	kept := newParts(now)
	base := template.New("").Funcs(template.FuncMap{
		"asset":    a.url,
		"md":       func(text string) template.HTML { return template.HTML(markup.HTML(text)) }, // inert by construction
		"ago":      func(t any) string { return ago(t, now()) },
		"stamp":    stamp,
		"plural":   protocol.Plural,
		"way":      wayTo,
		"thread":   threadURL,
		"version":  versionURL,
		"message":  messageURL,
		"agent":    agentURL,
		"lower":    strings.ToLower,
		"dict":     dict,
		"short":    short,
		"initials": initials,
		"percent":  figure.Percent,
		"svg":      picture,
		"pill":     pill,
		"minus":    minus,
		"bar":      func(shares []figure.Share) shareBar { return barOf(inOutlook, shareList(shares)) },
		"bits":     func(b float64) string { return fmt.Sprintf("%.2f", b) },
		"sub":      func(a, b int) int { return a - b },
		"hue":      func(a figure.Agent) string { return fmt.Sprint("a", a.Hue) },
		"part":     kept.of("", nil), // every page has its own
	})
	shared := template.Must(base.ParseFS(templateFiles, "templates/_*.html"))
	names, err := fs.Glob(templateFiles, "templates/[^_]*.html")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	t := &templates{pages: map[string]*template.Template{}}
	for _, name := range names {
		title := strings.TrimSuffix(path.Base(name), ".html")
		page := template.Must(shared.Clone())
		page.Funcs(template.FuncMap{"part": kept.of(title, page)})
		t.pages[title] = template.Must(page.ParseFS(templateFiles, name))
	}
	return t
}

func (t *templates) render(w io.Writer, f frame) error {
	page, ok := t.pages[f.Template]
	if !ok {
		return fmt.Errorf("there is no template %q", f.Template)
	}
	return page.ExecuteTemplate(w, "layout", f)
}

func threadURL(id string) string { return "/t/" + url.PathEscape(id) }

func versionURL(id string, n int) string { return threadURL(id) + "/v/" + strconv.Itoa(n) }

func agentURL(name string) string { return "/inbox/" + url.PathEscape(name) }

// messageURL leads to a message on the page of its thread that shows it.
func messageURL(thread string, id int64) string {
	n := strconv.FormatInt(id, 10)
	if thread == "" {
		return "/m/" + n
	}
	return threadURL(thread) + "?at=" + n + "#m" + n
}

// dict hands several values to a part.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("dict wants pairs")
	}
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		key, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("dict wants names, not %v", pairs[i])
		}
		m[key] = pairs[i+1]
	}
	return m, nil
}
