package web

import (
	"bytes"
	"crypto/sha256"
	"html/template"
	"time"

	"brenner/internal/lru"
)

// parts remembers pieces of pages, such as a message or an item. A page that changes is mostly made of
// pieces that did not, and executing a template costs far more than finding out that nothing in its data
// is new. A piece is known by its template and everything in its data (print.go), so that nobody is ever
// shown what was made from other data. Safe for concurrent use.
type parts struct {
	now  func() time.Time
	kept *lru.Cache[[sha256.Size]byte, template.HTML]
}

// The bound of what is remembered (BenchmarkPages/session/note), where each piece counts with what is needed
// around it.
const (
	mostPartBytes = 24 << 20
	aroundPart    = 1 << 10
)

func newParts(now func() time.Time) *parts {
	return &parts{now: now, kept: lru.New[[sha256.Size]byte](mostPartBytes, func(html template.HTML) int { return len(html) + aroundPart })}
}

// of returns the function that pages call: {{part "name" data}} is {{template "name" data}}, made once.
// The template must stand where text stands, not in an attribute.
func (p *parts) of(page string, t *template.Template) func(name string, data any) (template.HTML, error) {
	return func(name string, data any) (template.HTML, error) {
		key := fingerprint(p.now(), page, name, data)
		if html, ok := p.kept.Get(key); ok {
			return html, nil
		}
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, name, data); err != nil {
			return "", err
		}
		html := template.HTML(b.String()) // the template has escaped it
		p.kept.Put(key, html)
		return html, nil
	}
}
