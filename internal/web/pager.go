package web

import (
	"net/url"
	"strconv"
)

// pager leads through the pages of a list.
type pager struct {
	From, To, Of   int
	Previous, Next string // addresses; empty: there is none
}

func newPager(at *url.URL, page, size, count int) pager {
	p := pager{From: min((page-1)*size+1, count), To: min(page*size, count), Of: count}
	if page > 1 {
		p.Previous = pageURL(at, page-1)
	}
	if page*size < count {
		p.Next = pageURL(at, page+1)
	}
	return p
}

// pageURL is the address of another page of the same list.
func pageURL(at *url.URL, page int) string {
	values := at.Query()
	if page == 1 {
		values.Del("page")
	} else {
		values.Set("page", strconv.Itoa(page))
	}
	if len(values) == 0 {
		return at.Path
	}
	return at.Path + "?" + values.Encode()
}
