package web

import (
	"bytes"
	"crypto/sha256"
	"html/template"
	"sync"
	"time"

	"brenner/internal/lru"
)

// parts remembers pieces of pages, such as a message or an item. A page that changes is mostly made of
// pieces that did not, and executing a template costs far more than finding out that a piece is known: by its template
// and the values of its view. Safe for concurrent use.
type parts struct {
	now     func() time.Time
	kept    *lru.Cache[[sha256.Size]byte, template.HTML]
	writers sync.Pool // of *partKey
}

// The bound of what is remembered (BenchmarkPages/artifact/note), where each piece counts with what is needed
// around it.
const (
	maxPartBytes = 24 << 20
	aroundPart   = 1 << 10
)

func newParts(now func() time.Time) *parts {
	return &parts{
		now: now, kept: lru.New[[sha256.Size]byte](maxPartBytes, func(html template.HTML) int { return len(html) + aroundPart }),
		writers: sync.Pool{New: func() any { return &partKey{} }},
	}
}

// keyOf names a part for good.
func (p *parts) keyOf(page, name string, view any) [sha256.Size]byte {
	k := p.writers.Get().(*partKey)
	defer p.writers.Put(k)
	k.buf, k.now = k.buf[:0], p.now()
	k.text(page)
	k.text(name)
	k.write(view)
	return k.sum()
}

// of returns the function that pages call: {{part "name" view}} is {{template "name" view}}, made once.
// The template must be used where text is, not in an attribute.
func (p *parts) of(page string, t *template.Template) func(name string, view any) (template.HTML, error) {
	return func(name string, view any) (template.HTML, error) {
		return p.kept.Of(p.keyOf(page, name, view), func() (template.HTML, error) {
			var b bytes.Buffer
			err := t.ExecuteTemplate(&b, name, view)
			return template.HTML(b.String()), err // the template has escaped it
		})
	}
}
