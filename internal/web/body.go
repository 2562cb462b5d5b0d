package web

import (
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// bodyText is the text of a message as a page shows it.
type bodyText struct {
	Shown string // as it was written
	Size  int    // of the whole, in bytes
	Left  int    // bytes that are not shown
	Long  bool   // better folded until the reader opens it
	below int    // the level of heading that it is under
	refs  map[string]refLink
}

// longBody is how much text is unfolded on a page that shows many messages.
const longBody = 900

// bodyOf takes as much of a text as its setting shows.
func bodyOf(text string, in setting, links *linker) bodyText {
	shown := cutText(text, in.most)
	return bodyText{Shown: shown, Size: len(text), Left: len(text) - len(shown), Long: len(text) > longBody, below: in.below,
		refs: links.links(shown)}
}

// proseOf is a text without its delta and belief blocks, and without headings that had nothing but them below.
func proseOf(text string) string { return proseIn(markup.Parse(text)) }

// proseIn is proseOf a text that was parsed.
func proseIn(doc *markup.Document) string {
	text := doc.Text()
	var out strings.Builder
	at := 0
	for _, f := range doc.Fences() {
		if l := f.Language(); (l == "delta" || l == "belief") && f.Start >= at {
			out.WriteString(text[at:f.Start])
			at = f.End
		}
	}
	out.WriteString(text[at:])
	return dropEmptySections(dropEmptySections(out.String()))
}

// dropEmptySections leaves out headings with nothing below.
func dropEmptySections(text string) string {
	headings := markup.Parse(text).Headings()
	var out strings.Builder
	at := 0
	for i, h := range headings {
		end := len(text)
		if i+1 < len(headings) {
			end = headings[i+1].Start
		}
		deeper := i+1 < len(headings) && headings[i+1].Level > h.Level
		if i == 0 && h.Level == 1 { // the subject says it
			out.WriteString(text[at:h.Start])
			at = h.End
		} else if strings.TrimSpace(text[h.End:end]) == "" && !deeper {
			out.WriteString(text[at:h.Start])
			at = end
		}
	}
	out.WriteString(text[at:])
	return strings.TrimSpace(out.String())
}

// untitled leaves out headings at the top that say what stands beside the text: the subject, and what kind of message it is.
func untitled(text string, kind protocol.MessageType) string {
	for {
		rest := strings.TrimLeft(text, " \r\n")
		line, below, _ := strings.Cut(rest, "\n")
		title := strings.TrimLeft(line, "#")
		level := len(line) - len(title)
		says := level == 1 || strings.EqualFold(strings.TrimSpace(title), string(kind))
		if level == 0 || level > 6 || !strings.HasPrefix(title, " ") || !says {
			return text
		}
		text = strings.TrimSpace(below)
	}
}

var exactTime = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{6}Z`)
})

// plainTimes writes times to the minute where programs wrote them to the microsecond. The page of the message has its own words.
func plainTimes(text string) string { return exactTime().ReplaceAllString(text, "$1 $2 UTC") }

// HTML renders the text. Its headings are below those of the page.
func (b bodyText) HTML() template.HTML {
	return template.HTML(linkedHTML(settleHeadings(markup.HTML(b.Shown), b.below), b.refs)) // inert by construction
}

// cutText keeps whole lines, or as much of a single long one as fits.
func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := text[:most]
	if end := strings.LastIndexByte(cut, '\n'); end > most/2 {
		return cut[:end+1]
	}
	for len(cut) > 0 && !utf8.RuneStart(text[len(cut)]) {
		cut = cut[:len(cut)-1]
	}
	return cut
}

// settleHeadings moves the headings of rendered text to levels below the page's own, without a gap
// between them, however their author counted. Text is escaped there: a tag is a tag.
func settleHeadings(html string, below int) string {
	var out strings.Builder
	var around []byte // the author's levels around the current heading
	for {
		at := strings.Index(html, "<h")
		if at < 0 || at+3 >= len(html) {
			out.WriteString(html)
			return out.String()
		}
		level := html[at+2]
		if level < '1' || level > '6' || html[at+3] != '>' {
			out.WriteString(html[:at+2])
			html = html[at+2:]
			continue
		}
		for len(around) > 0 && around[len(around)-1] >= level {
			around = around[:len(around)-1]
		}
		around = append(around, level)
		tag := "h" + strconv.Itoa(min(below+len(around), 6))
		text, rest, _ := strings.Cut(html[at+4:], "</h"+string(level)+">")
		out.WriteString(html[:at])
		if strings.TrimSpace(text) != "" {
			out.WriteString("<" + tag + ">" + text + "</" + tag + ">")
		}
		html = rest
	}
}
