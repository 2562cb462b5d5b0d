package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"brenner/internal/session"
)

// TestCacheIsBounded: whatever addresses are asked for, little is kept, and what was asked for last.
func TestCacheIsBounded(t *testing.T) {
	c, now := newCache(), time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	page := func(size int) *rendering {
		return newRendering([]byte(strings.Repeat("x", size)), "", session.Revision{}, now, 0)
	}
	const most = maxPageBytes / aroundPage
	kept := func(form string, n int) (there int) {
		for i := range n {
			if c.get(address{url: fmt.Sprintf(form, i)}) != nil {
				there++
			}
		}
		return there
	}
	for i := range 3 * most {
		c.put(address{url: fmt.Sprintf("/?page=%d", i)}, page(10))
	}
	if c.get(address{url: fmt.Sprintf("/?page=%d", 3*most-1)}) == nil || c.get(address{url: "/?page=0"}) != nil {
		t.Error("not the last pages are kept")
	}
	if n := kept("/?page=%d", 3*most); n > most {
		t.Errorf("%d small pages are kept", n)
	}
	for i := range 20 {
		c.put(address{url: fmt.Sprintf("/?large=%d", i)}, page(maxPageBytes/9))
	}
	if n := kept("/?large=%d", 20); n < 8 || n > 9 {
		t.Errorf("%d large pages are kept", n)
	}
	huge, long := address{url: "/huge"}, address{url: "/?q=" + strings.Repeat("x", maxURL)}
	c.put(huge, page(maxPageBytes/8+1))
	c.put(long, page(1))
	if c.get(huge) != nil || c.get(long) != nil {
		t.Error("a huge page or a long address is kept")
	}
}
