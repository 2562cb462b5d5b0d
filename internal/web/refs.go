package web

import (
	"html/template"
	"net/url"
	"strings"
	"unicode/utf8"

	"brenner/internal/artifact"
)

// ref is a reference in a text: an item (H2), a message (#21), a source (EV-003#E1) or a numbered section
// of the transcript (§12).
type ref struct {
	Start, End int
	Kind       byte // H for any item, # for a message, E for a source, S for a section
	Name       string
}

// referencesIn finds what a text may refer to, in one pass. Whether it is there is another question.
func referencesIn(text string) []ref {
	var list []ref
	for i := 0; i < len(text); {
		if !beginsRef[text[i]] {
			i++
			continue
		}
		if r, ok := referenceAt(text, i); ok {
			list = append(list, r)
			i = r.End
			continue
		}
		i++
	}
	return list
}

// beginsRef has the bytes that a reference begins with.
var beginsRef = func() (begins [256]bool) {
	for _, c := range []byte("#EHPTAXC" + "§"[:1]) {
		begins[c] = true
	}
	return begins
}()

func referenceAt(text string, i int) (ref, bool) {
	switch c := text[i]; {
	case c == '#' && !wordBefore(text, i):
		return ending(text, i, digits(text, i+1), '#')
	case strings.HasPrefix(text[i:], "§"):
		start := i + len("§")
		if strings.HasPrefix(text[start:], " ") {
			start++
		}
		r, ok := ending(text, i, digits(text, start), 'S')
		r.Name = "§" + text[min(start, r.End):r.End]
		return r, ok
	case wordBefore(text, i):
		return ref{}, false
	case strings.HasPrefix(text[i:], "EV-"):
		return source(text, i)
	case strings.IndexByte("HPTAXC", c) >= 0:
		return ending(text, i, digits(text, i+1), 'H')
	}
	return ref{}, false
}

// source takes in the excerpt behind a source, where there is one.
func source(text string, i int) (ref, bool) {
	r, ok := ending(text, i, digits(text, i+len("EV-")), 'E')
	if ok && strings.HasPrefix(text[r.End:], "#E") {
		if with, more := ending(text, i, digits(text, r.End+len("#E")), 'E'); more {
			return with, true
		}
	}
	return r, ok
}

// ending accepts a reference whose number ends where a word does.
func ending(text string, start, end int, kind byte) (ref, bool) {
	if end == 0 || end < len(text) && wordAt(text, end) {
		return ref{}, false
	}
	return ref{start, end, kind, text[start:end]}, true
}

// maxDigits bounds the number of a reference.
const maxDigits = 9

// digits returns where a number ends that does not begin with 0, or 0. Sources are counted from 001.
func digits(text string, start int) int {
	end := start
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end == start || end-start > maxDigits || text[start] == '0' && !strings.HasSuffix(text[:start], "EV-") {
		return 0
	}
	return end
}

func wordBefore(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return i > 0 && (inID(r) && r != '§' || r == '#' || r == '&')
}

func wordAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return inID(r) && r != '–' && r != '’' && r != '”' && r != '…' && r != '→' && r != '·'
}

// linker knows where the references in the texts of a thread lead.
type linker struct {
	thread string
	item   func(id artifact.ItemID) (href string, killed, known bool)
	page   func(r ref) bool // whether a source or a section has a page; nil: none has
}

// refLink is a reference that leads somewhere.
type refLink struct {
	Name, Href string
	Killed     bool
}

// links resolves the references of a text. What is not there is no link.
func (l *linker) links(text string) map[string]refLink {
	if l == nil {
		return nil
	}
	var known map[string]refLink
	for _, r := range referencesIn(text) {
		link, ok := l.link(r)
		if !ok {
			continue
		}
		if known == nil {
			known = map[string]refLink{}
		}
		known[r.Name] = link
	}
	return known
}

func (l *linker) link(r ref) (refLink, bool) {
	switch r.Kind {
	case 'H':
		href, killed, ok := l.item(artifact.ItemID(r.Name))
		return refLink{r.Name, href, killed}, ok
	case '#':
		id, err := idOf(r.Name[1:])
		return refLink{Name: r.Name, Href: messageURL(l.thread, id)}, err == nil
	case 'E':
		return refLink{Name: r.Name, Href: sourceURL(r.Name)}, l.page != nil && l.page(r)
	}
	return refLink{Name: r.Name, Href: "/sections/" + r.Name[len("§"):]}, l.page != nil && l.page(r)
}

// sourceURL leads to a source of the evidence pack, or to an excerpt of it.
func sourceURL(name string) string {
	id, excerpt, _ := strings.Cut(name, "#")
	if excerpt == "" {
		return "/evidence/" + url.PathEscape(id)
	}
	return "/evidence/" + url.PathEscape(id) + "#" + url.PathEscape(excerpt)
}

// linked marks the references in a text.
func linked(text string, known map[string]refLink) template.HTML {
	var out strings.Builder
	at := 0
	for _, r := range referencesIn(text) {
		link, ok := known[r.Name]
		if !ok {
			continue
		}
		template.HTMLEscape(&out, []byte(text[at:r.Start]))
		writeRef(&out, link, template.HTMLEscapeString(text[r.Start:r.End]))
		at = r.End
	}
	template.HTMLEscape(&out, []byte(text[at:]))
	return template.HTML(out.String()) // escaped piece by piece
}

func writeRef(out *strings.Builder, link refLink, text string) {
	class := "ref"
	if link.Killed {
		class = "ref gone"
	}
	out.WriteString(`<a class="` + class + `" href="` + template.HTMLEscapeString(link.Href) + `" data-ref="` +
		template.HTMLEscapeString(link.Name) + `">` + text + `</a>`)
}

// linkedHTML marks the references in rendered text, outside of links and code. A tag is a tag there: the
// renderer escapes all text.
func linkedHTML(html string, known map[string]refLink) string {
	if len(known) == 0 {
		return html
	}
	var out strings.Builder
	inside := 0 // of links and code
	for html != "" {
		at := strings.IndexByte(html, '<')
		if at < 0 {
			at = len(html)
		}
		if inside > 0 {
			out.WriteString(html[:at])
		} else {
			linkRendered(&out, html[:at], known)
		}
		end := strings.IndexByte(html[at:], '>') + 1
		tag := html[at : at+end]
		switch {
		case isTag(tag, "a"), isTag(tag, "code"), isTag(tag, "pre"):
			inside++
		case isTag(tag, "/a"), isTag(tag, "/code"), isTag(tag, "/pre"):
			inside--
		}
		out.WriteString(tag)
		if html = html[at+end:]; end == 0 {
			out.WriteString(html)
			break
		}
	}
	return out.String()
}

func isTag(tag, name string) bool {
	rest, ok := strings.CutPrefix(tag, "<"+name)
	return ok && (strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, " "))
}

// linkRendered marks the references in a run of escaped text.
func linkRendered(out *strings.Builder, text string, known map[string]refLink) {
	at := 0
	for _, r := range referencesIn(text) {
		if link, ok := known[r.Name]; ok {
			out.WriteString(text[at:r.Start])
			writeRef(out, link, text[r.Start:r.End])
			at = r.End
		}
	}
	out.WriteString(text[at:])
}
