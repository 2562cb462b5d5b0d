package evidence

import (
	"strconv"
	"strings"
)

// pages returns the pages of a text that a citation may mean (SCIENCE 1, EV-Q08): p. n is the n-th page of the file, or the
// one that is printed n. Pages that are neither are not judged.
func (c *checker) pages(p citedPlace, text *Text) []int {
	if p.pages.First == 0 || text.origin != Extracted || p.citation.Evidence == "" {
		return nil
	}
	count := text.Pages()
	first := 0
	if s := c.library.Pack.Source(p.citation.Evidence); s != nil {
		first = s.firstPage()
	}
	var pages []int
	for n := p.pages.First; n <= p.pages.Last && n-p.pages.First < maxPages; n++ {
		if n <= count {
			pages = append(pages, n)
		}
		if printed := n - first + 1; first > 1 && printed >= 1 && printed <= count {
			pages = append(pages, printed)
		}
	}
	return pages
}

// maxPages bounds the pages that one citation names.
const maxPages = 1000

// firstPage is the number that is printed on the first page of a source; 0: not known.
func (s *Source) firstPage() int {
	if s.Cite == nil {
		return 0
	}
	digits := strings.TrimLeft(s.Cite.Page, " \tp.")
	end := 0
	for end < len(digits) && end < 7 && digits[end] >= '0' && digits[end] <= '9' {
		end++
	}
	n, _ := strconv.Atoi(digits[:end])
	return n
}
