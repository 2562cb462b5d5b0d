package web

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"html/template"
	"sync"
	"time"
)

// parts remembers pieces of pages, such as a message or an item. A page that changes is mostly made of
// pieces that did not, and executing a template costs far more than finding out that nothing in its data
// is new. A piece is known by its template and everything in its data (print.go), so that nobody is ever
// shown what was made from other data. Safe for concurrent use.
type parts struct {
	now func() time.Time

	mu    sync.Mutex
	kept  map[[sha256.Size]byte]*list.Element // of *part
	order list.List                           // most recently used first
	bytes int
}

type part struct {
	key  [sha256.Size]byte
	html template.HTML
}

// The bounds of what is remembered.
const (
	mostParts     = 8000
	mostPartBytes = 24 << 20
)

func newParts(now func() time.Time) *parts {
	return &parts{now: now, kept: map[[sha256.Size]byte]*list.Element{}}
}

// of returns the function that pages call: {{part "name" data}} is {{template "name" data}}, made once.
// The template must stand where text stands, not in an attribute.
func (p *parts) of(page string, t *template.Template) func(name string, data any) (template.HTML, error) {
	return func(name string, data any) (template.HTML, error) {
		key := fingerprint(p.now(), page, name, data)
		if html, ok := p.get(key); ok {
			return html, nil
		}
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, name, data); err != nil {
			return "", err
		}
		html := template.HTML(b.String()) // the template has escaped it
		p.put(key, html)
		return html, nil
	}
}

func (p *parts) get(key [sha256.Size]byte) (template.HTML, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.kept[key]
	if e == nil {
		return "", false
	}
	p.order.MoveToFront(e)
	return e.Value.(*part).html, true
}

func (p *parts) put(key [sha256.Size]byte, html template.HTML) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept[key] != nil || len(html) > mostPartBytes/8 {
		return
	}
	p.kept[key] = p.order.PushFront(&part{key, html})
	p.bytes += len(html)
	for p.order.Len() > mostParts || p.bytes > mostPartBytes {
		old := p.order.Remove(p.order.Back()).(*part)
		delete(p.kept, old.key)
		p.bytes -= len(old.html)
	}
}
