package evidence

import (
	"bytes"
	"strings"
)

// What replaces the bytes that are not searched.
const (
	hiddenCode = 0
	hiddenTag  = 1
)

// mask returns a paragraph in which inline code and HTML tags are hidden, byte for byte.
func mask(text string) []byte {
	out := []byte(text)
	if strings.IndexByte(text, '`') >= 0 {
		maskCode(out)
	}
	if bytes.IndexByte(out, '<') >= 0 {
		maskTags(out)
	}
	return out
}

// run is a run of backquotes.
type run struct{ start, length int }

// maskCode hides code spans: from a run of backquotes to the next one of the same length.
func maskCode(text []byte) {
	runs := backquotes(text)
	next := make([]int, len(runs)) // the next run of the same length
	last := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		next[i] = -1
		if j, ok := last[runs[i].length]; ok {
			next[i] = j
		}
		last[runs[i].length] = i
	}
	for i := 0; i < len(runs); i++ {
		if j := next[i]; j >= 0 {
			hide(text, runs[i].start, runs[j].start+runs[j].length, hiddenCode)
			i = j
		}
	}
}

func backquotes(text []byte) []run {
	var runs []run
	for i := 0; i < len(text); {
		switch text[i] {
		case '\\':
			i += 2
		case '`':
			start := i
			for i < len(text) && text[i] == '`' {
				i++
			}
			runs = append(runs, run{start, i - start})
		default:
			i++
		}
	}
	return runs
}

// maskTags hides HTML tags and comments.
func maskTags(text []byte) {
	for i := 0; i < len(text); i++ {
		if text[i] != '<' {
			continue
		}
		if bytes.HasPrefix(text[i:], []byte("<!--")) {
			end := bytes.Index(text[i:], []byte("-->"))
			if end < 0 {
				hide(text, i, len(text), hiddenTag)
				return
			}
			hide(text, i, i+end+len("-->"), hiddenTag)
			continue
		}
		end := bytes.IndexAny(text[i+1:], "<>")
		if end < 0 {
			return
		}
		if tag := text[i+1 : i+1+end]; text[i+1+end] == '>' && opensTag(tag) {
			hide(text, i, i+end+2, hiddenTag)
		} else {
			i += end
		}
	}
}

func opensTag(tag []byte) bool {
	if len(tag) == 0 {
		return false
	}
	b := tag[0] | 0x20
	return 'a' <= b && b <= 'z' || tag[0] == '/' || tag[0] == '!' || tag[0] == '?'
}

func hide(text []byte, start, end int, with byte) {
	for i := start; i < end; i++ {
		text[i] = with
	}
}
