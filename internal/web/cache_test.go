package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"brenner/session"
)

// TestCacheIsBounded: whatever addresses somebody thinks of, little is kept, and what was asked for last.
func TestCacheIsBounded(t *testing.T) {
	c, now := newCache(), time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	page := func(size int) *rendering {
		return newRendering([]byte(strings.Repeat("x", size)), "", session.News{}, now, 0)
	}
	for i := range 3 * mostPages {
		c.put(address{url: fmt.Sprintf("/?page=%d", i)}, page(10))
	}
	if len(c.pages) != mostPages || c.order.Len() != mostPages || c.bytes != 10*mostPages {
		t.Errorf("%d pages of %d bytes are kept", len(c.pages), c.bytes)
	}
	if c.get(address{url: fmt.Sprintf("/?page=%d", 3*mostPages-1)}) == nil || c.get(address{url: "/?page=0"}) != nil {
		t.Error("not the last pages are kept")
	}
	for i := range 20 {
		c.put(address{url: fmt.Sprintf("/?large=%d", i)}, page(mostPageBytes/9))
	}
	if c.bytes > mostPageBytes || len(c.pages) > 9 {
		t.Errorf("%d pages of %d bytes are kept", len(c.pages), c.bytes)
	}
	huge, long := address{url: "/huge"}, address{url: "/?q=" + strings.Repeat("x", longestURL)}
	c.put(huge, page(mostPageBytes/8+1))
	c.put(long, page(1))
	if c.get(huge) != nil || c.get(long) != nil {
		t.Error("a huge page or a long address is kept")
	}
}
