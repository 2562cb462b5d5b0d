package delta

import (
	"slices"
	"strings"

	"brenner/internal/markup"
)

// Wrapping is the outer fence of a document that was wrapped, as chats do (PROTOCOL 4, MB-125).
type Wrapping struct {
	Line int    // of the outer fence
	Text string // the document without it
}

// wrappers are the words of fences that wrap a document; any other word makes a sample of what is inside.
var wrappers = []string{"", "markdown", "md", "text"}

// Wrapped tells whether a document stands in an outer fence: it ends in a fence it opened with, or all of its blocks are
// inside one fence.
func Wrapped(doc *markup.Document) (Wrapping, bool) {
	if !strings.Contains(doc.Text(), Language) {
		return Wrapping{}, false
	}
	fences := doc.Fences()
	outer := slices.IndexFunc(fences, func(f markup.Fence) bool { return !f.Quoted && wraps(&f) && holdsBlock(f.Content) })
	if outer < 0 {
		return Wrapping{}, false
	}
	f := &fences[outer]
	before, text, ends := strip(doc.Text(), f)
	opens := ends && strings.TrimSpace(before) == ""
	found := countBlocks(doc)
	if !opens && (found > 0 || others(fences, outer)) || countBlocks(markup.Parse(before+text)) <= found {
		return Wrapping{}, false
	}
	return Wrapping{f.Line, before + text}, true
}

// strip takes a fence away. Where a block inside has the same fence, the end of that block closes the outer one: its own end is
// then the last line of the document. ends tells whether the document ends with the fence.
func strip(text string, f *markup.Fence) (before, rest string, ends bool) {
	before = text[:f.Start]
	_, rest, _ = strings.Cut(text[f.Start:], "\n")
	if unclosed(f.Content) {
		rest, ends = withoutLastFence(rest)
		return before, rest, ends
	}
	inside, behind := rest[:len(rest)-len(text[f.End:])], text[f.End:]
	if f.Closed {
		inside = inside[:strings.LastIndexByte(inside, '\n')+1]
	}
	return before, inside + behind, strings.TrimSpace(behind) == ""
}

// wraps tells whether a fence is of a kind that wraps documents.
func wraps(f *markup.Fence) bool { return slices.Contains(wrappers, f.Language()) }

// others tells whether another fence holds blocks too: then none of them wraps the document.
func others(fences []markup.Fence, outer int) bool {
	for i := range fences {
		if i != outer && !fences[i].Quoted && holdsBlock(fences[i].Content) {
			return true
		}
	}
	return false
}

// holdsBlock tells whether the content of a fence has delta blocks of its own.
func holdsBlock(content string) bool {
	return strings.Contains(content, Language) && countBlocks(markup.Parse(content)) > 0
}

// unclosed tells whether the last block in the content of a fence has no end there.
func unclosed(content string) bool {
	inner := markup.Parse(content).Fences()
	return len(inner) > 0 && !inner[len(inner)-1].Closed
}

// withoutLastFence cuts off a last line that is a fence and nothing else.
func withoutLastFence(text string) (string, bool) {
	trimmed := strings.TrimRight(text, " \t\r\n")
	at := strings.LastIndexByte(trimmed, '\n') + 1
	line := strings.TrimSpace(trimmed[at:])
	if len(line) < 3 || strings.Trim(line, "`") != "" && strings.Trim(line, "~") != "" {
		return text, false
	}
	return text[:at], true
}
