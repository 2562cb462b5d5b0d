package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"brenner/internal/evidence"
	"brenner/internal/lru"
	"brenner/internal/session"
)

// address is what a page is kept under: different people may see different things at one address.
type address struct {
	url     string
	viewer  Viewer
	library *evidence.Library // quotes were compared with it; another one comes when the pack changes
}

// rendering is a finished page. Only its packed form is made late.
type rendering struct {
	plain  []byte
	tag    string
	thread string           // whose events outdate it; empty: any
	news   session.Revision // as of which event it was made
	until  time.Time        // and how long it is kept if nothing happens
	pack   func() []byte
}

// A page is kept for a while only, even if nothing happens: it says how long ago things were, and files and
// processes change without any event. One that took long to make is kept longer, so that looking at it
// all the time keeps no other reader waiting.
const (
	shortestStand = 10 * time.Second
	maxStand      = time.Minute
	standPerWork  = 200
)

func newRendering(plain []byte, thread string, news session.Revision, made time.Time, took time.Duration) *rendering {
	sum := sha256.Sum256(plain)
	return &rendering{
		plain: plain, thread: thread, news: concerning(news, thread), tag: `W/"` + hex.EncodeToString(sum[:10]) + `"`,
		until: made.Add(min(max(shortestStand, standPerWork*took), maxStand)),
		pack:  sync.OnceValue(func() []byte { return packed(plain) }),
	}
}

// concerning keeps of the news what outdates a page.
func concerning(news session.Revision, thread string) session.Revision {
	if thread == "" {
		news.Thread = 0
	} else {
		news.Cursor = 0
	}
	return news
}

// current tells whether the page is what would be made now.
func (p *rendering) current(news session.Revision, now time.Time) bool {
	return p.news == concerning(news, p.thread) && now.Before(p.until) && !now.Before(p.until.Add(-maxStand))
}

// packers are kept: a new one costs more than packing a page.
var packers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level exists
	}
	return w
}}

// packed compresses a page, quickly rather than well.
func packed(plain []byte) []byte {
	var b bytes.Buffer
	w := packers.Get().(*gzip.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	_, _ = w.Write(plain) // a buffer never fails
	_ = w.Close()
	return b.Bytes()
}

// The bounds of what is kept. A page counts with what is needed around it, so that many small ones are
// bounded too.
const (
	maxPageBytes = 48 << 20 // and as much again, at most, packed
	aroundPage   = 32 << 10
	maxURL       = 2 << 10
)

// cache keeps pages that were asked for lately (BenchmarkPages/*/warm). Safe for concurrent use.
type cache struct {
	pages *lru.Cache[address, *rendering]
	mu    sync.Mutex
	work  map[address]chan struct{} // pages that are being made
}

func newCache() *cache {
	cost := func(p *rendering) int { return len(p.plain) + aroundPage }
	return &cache{pages: lru.New[address](maxPageBytes, cost), work: map[address]chan struct{}{}}
}

// get returns a page as it was last made, if it was.
func (c *cache) get(at address) *rendering {
	page, _ := c.pages.Get(at)
	return page
}

func (c *cache) put(at address, page *rendering) {
	if len(at.url) <= maxURL {
		c.pages.Put(at, page)
	}
}

// clear forgets every page.
func (c *cache) clear() { c.pages.Clear() }

// begin lets one request at a time make a page: with news, all readers ask for it at once. It returns
// nil to the request that is to make it and then calls end; to others what to wait for.
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
