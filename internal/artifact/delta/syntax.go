package delta

import (
	"errors"
	"io"
	"strings"

	"brenner/internal/markup"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// slip is a way in which JSON goes wrong, and what to do about it.
type slip struct{ message, fix string }

// syntaxFinding explains why a block is no JSON, in the terms of what its author did.
func syntaxFinding(f *markup.Fence, offset int, err error) protocol.Finding {
	s := explain(f, offset, err)
	return protocol.NewFinding(protocol.InvalidJSON, "%s", s.message).WithFix("%s", s.fix).In(strictjson.Path(err))
}

func explain(f *markup.Fence, offset int, err error) slip {
	content := f.Content
	switch {
	case strings.TrimSpace(content) == "":
		return emptyBlock(f)
	case errors.Is(err, errSecondValue):
		return slip{"A second value follows the first in the same block.", "Put each delta object into a fence of its own."}
	case strictjson.DuplicateName(err):
		return slip{"The key " + protocol.Brief(pieceAt(content, offset)) + " stands twice in the same object.", "Keep one of the two."}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return endOfInput(f)
	case strings.Contains(strictjson.Reason(err), "expecting ':'"):
		return slip{"A colon is missing between a key and its value.", `Write "key": value.`}
	case errors.Is(err, errTrailing):
		return trailing(content[offset:])
	}
	if s, ok := explainChar(content, offset); ok {
		return s
	}
	return slip{"The block is not valid JSON: " + protocol.Brief(strictjson.Reason(err)) + ".", "Mend the JSON at this place."}
}

func emptyBlock(f *markup.Fence) slip {
	if strings.ContainsAny(f.Info, "{[") {
		return slip{"The JSON begins on the line of the fence, which is not content.", "Begin the object on the line below the fence."}
	}
	return slip{"The block is empty.", "Put one JSON object into the fence."}
}

func endOfInput(f *markup.Fence) slip {
	if !f.Closed {
		return slip{"The message ends inside the block: neither object nor fence is closed.",
			"Close the object with } and the fence with " + strings.Repeat(string(f.Char), f.Length) + "."}
	}
	return slip{"The block ends before its JSON is complete.", `Close every {, [ and ".`}
}

// trailing explains text after the object.
func trailing(rest string) slip {
	switch {
	case opensFence(rest):
		return innerFence
	case rest[0] == '}' || rest[0] == ']':
		return slip{"A closing " + rest[:1] + " is one too many.", "Remove it."}
	case rest[0] == ',':
		return slip{"A comma follows the object.", "Remove the comma; put each delta object into a fence of its own."}
	}
	return slip{"Text follows the object in the same block.", "Keep one object in the fence and move the rest out of it."}
}

var innerFence = slip{"Another fence begins inside the block: this one is not closed before it.",
	"Close each fence, at least as long as it was opened."}

func opensFence(text string) bool { return hasAnyPrefix(text, "```", "~~~") }

// explainChar knows the usual slips by the character at which reading stopped.
func explainChar(content string, offset int) (slip, bool) {
	rest := content[offset:]
	switch {
	case rest == "":
		return slip{}, false
	case rest[0] == ',' && closes(rest[1:]):
		return slip{"A trailing comma stands before the closing bracket.", "Remove the comma."}, true
	case rest[0] == '}' || rest[0] == ']':
		return slip{"A closing " + rest[:1] + " stands where none is due.", "Remove it, or add the value that is missing before it."}, true
	case rest[0] == '\'':
		return slip{"Single quotes are used; JSON takes double quotes only.", `Write "…" instead of '…'.`}, true
	case strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || rest[0] == '#':
		return slip{"A comment stands in the JSON.", "Remove the comment; JSON has none."}, true
	case hasAnyPrefix(rest, "“", "”", "„", "‘", "’", "«", "»"):
		return slip{"Typographic quotes are used; JSON takes straight double quotes only.", `Write "…" instead.`}, true
	case strings.HasPrefix(rest, "...") || strings.HasPrefix(rest, "…"):
		return slip{"An ellipsis stands where JSON is due.", "Write out the keys and values, or leave them away."}, true
	case opensFence(rest):
		return innerFence, true
	case rest[0] == '|':
		return slip{"A choice with | stands where one value is due.", "Write one of the values."}, true
	case strings.HasPrefix(rest, `\u`):
		return slip{"The escape sequence " + rest[:min(6, len(rest))] + " stands for no character.",
			"Write the character itself, or four hex digits; beyond U+FFFF both halves of a pair."}, true
	case rest[0] == '\\':
		return slip{"The escape sequence " + protocol.Brief(pieceOf(rest)) + " is not JSON.", `Write \\ for a backslash.`}, true
	case rest[0] == '\n' || rest[0] == '\r':
		return slip{"A string goes over the end of its line.", `Write \n for a line break inside a string.`}, true
	case rest[0] < ' ':
		return slip{"A control character stands inside a string.", `Write \t or \u00XX for it.`}, true
	case rest[0] == '"':
		return slip{"A comma is missing before this string.",
			"Put a comma between two members or elements; inside a string write \\\" for a quote."}, true
	}
	return explainWord(content, offset)
}

// explainWord explains a bare word.
func explainWord(content string, offset int) (slip, bool) {
	word := wordAt(content[offset:])
	after := strings.TrimLeft(content[offset+len(word):], " \t")
	switch {
	case word == "":
		return slip{}, false
	case len(word) > 1 && word[0] == '0':
		return slip{"The number " + protocol.Brief(word) + " begins with a zero.", "Write it without the zero."}, true
	case strings.HasPrefix(after, ":"):
		return slip{"The key " + protocol.Brief(word) + " has no quotes.", `Write "` + protocol.Brief(word) + `": …`}, true
	case word == "True" || word == "False" || word == "None" || word == "undefined" || word == "NaN":
		return slip{protocol.Brief(word) + " is not a JSON value.", "Write true, false, null or a number."}, true
	}
	return slip{"The word " + protocol.Brief(word) + " stands where JSON is due.",
		"Put text into double quotes; inside a string write \\\" for a quote."}, true
}

// closes tells whether nothing but space is before a closing bracket.
func closes(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '}' || text[0] == ']')
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// wordAt returns the letters, digits, hyphens and underscores that a text begins with.
func wordAt(text string) string {
	n := 0
	for n < len(text) && (text[n] == '_' || text[n] == '-' || text[n] >= '0' && text[n] <= '9' ||
		text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	return text[:n]
}

// pieceOf returns an escape sequence with the character it escapes.
func pieceOf(rest string) string {
	for i := range rest[1:] {
		if i > 0 {
			return rest[:1+i]
		}
	}
	return rest
}

// pieceAt returns the string literal at an offset.
func pieceAt(content string, offset int) string {
	rest := content[offset:]
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			return rest[:i+1]
		}
	}
	return rest
}
