package web

import (
	"bytes"
	"compress/gzip"
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"brenner/session"
)

// address is what a page is kept under: different people may see different things at one address.
type address struct {
	url    string
	viewer Viewer
}

// rendering is a finished page. Only its packed form is made late.
type rendering struct {
	plain  []byte
	tag    string
	thread string // whose events outdate it; empty: any
	as     asOf
	pack   func() []byte
}

// asOf says as of what a page was made: the events it has seen, and the time, roughly, since pages
// say how long ago things were, and files and processes change without any event.
type asOf struct {
	news session.News
	time int64
}

// coarse is how long a page may stand while nothing happens.
const coarse = 10 * time.Second

func asOfNow(news session.News, thread string, now time.Time) asOf {
	if thread == "" {
		news.Thread = 0
	} else {
		news.Cursor = 0
	}
	return asOf{news, now.UnixNano() / int64(coarse)}
}

func newRendering(plain []byte, thread string, as asOf) *rendering {
	sum := sha256.Sum256(plain)
	return &rendering{
		plain: plain, thread: thread, as: as, tag: `W/"` + hex.EncodeToString(sum[:10]) + `"`,
		pack: sync.OnceValue(func() []byte { return packed(plain) }),
	}
}

// packed compresses a page, quickly rather than well.
func packed(plain []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, 4)
	if err != nil {
		panic(err) // the level exists
	}
	_, _ = w.Write(plain) // a buffer never fails
	_ = w.Close()
	return b.Bytes()
}

// The bounds of what is kept.
const (
	mostPages     = 400
	mostPageBytes = 48 << 20
)

// cache keeps pages that were asked for lately. Safe for concurrent use.
type cache struct {
	mu    sync.Mutex
	pages map[address]*list.Element // of *kept
	order list.List                 // most recently used first
	bytes int
	work  map[address]chan struct{} // pages that somebody is making
}

type kept struct {
	at   address
	page *rendering
}

func newCache() *cache {
	return &cache{pages: map[address]*list.Element{}, work: map[address]chan struct{}{}}
}

// get returns a page as it was last made, if it was.
func (c *cache) get(at address) *rendering {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.pages[at]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*kept).page
}

func (c *cache) put(at address, page *rendering) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.pages[at])
	if len(page.plain) > mostPageBytes/8 {
		return
	}
	c.pages[at] = c.order.PushFront(&kept{at, page})
	c.bytes += len(page.plain)
	for c.order.Len() > mostPages || c.bytes > mostPageBytes {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	if e == nil {
		return
	}
	k := c.order.Remove(e).(*kept)
	delete(c.pages, k.at)
	c.bytes -= len(k.page.plain)
}

// clear forgets every page.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.pages)
	c.order.Init()
	c.bytes = 0
}

// begin lets one at a time make a page: with news, everybody who looks at it asks at once. It returns
// nil to whoever is to make it and then calls end; to others what to wait for.
func (c *cache) begin(at address) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if done := c.work[at]; done != nil {
		return done
	}
	c.work[at] = make(chan struct{})
	return nil
}

func (c *cache) end(at address) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.work[at])
	delete(c.work, at)
}
