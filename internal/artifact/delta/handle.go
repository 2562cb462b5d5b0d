package delta

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// Handle returns the name in a text that is one @handle and nothing else (PROTOCOL 5, local
// handles).
func Handle(text string) (name string, ok bool) {
	name, ok = strings.CutPrefix(text, "@")
	return name, ok && isHandleName(name)
}

// ReplaceHandles puts item ids where the words of a text are @handles. An @ inside a word, as
// in an address, is no handle. What the function does not know stays as it is.
func ReplaceHandles(text string, item func(name string) (string, bool)) string {
	var b strings.Builder
	done := 0
	for start, name := range handleWords(text) {
		if id, ok := item(name); ok {
			b.WriteString(text[done:start])
			b.WriteString(id)
			done = start + 1 + len(name)
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// handleWords yields the places and names of the @handles that begin a word.
func handleWords(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for at := 0; ; {
			i := strings.IndexByte(text[at:], '@')
			if i < 0 {
				return
			}
			at += i + 1
			name := wordAt(text[at:])
			if name == "" || insideWord(text[:at-1]) {
				continue
			}
			if !yield(at-1, name) {
				return
			}
			at += len(name)
		}
	}
}

// insideWord tells whether what comes next continues the last word of a text.
func insideWord(before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	return size > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.+%@", r))
}

func isHandleName(name string) bool { return name != "" && wordAt(name) == name }

// localIDPath is the path of a handle in the payload.
const localIDPath = PayloadKey + "." + LocalIDKey

// readLocalID reads the handle that an ADD defines, in the payload or beside it.
func (b *block) readLocalID(e envelope) {
	if b.operation == "" {
		return
	}
	b.localID(e.local, LocalIDKey)
	b.localID(e.payload.get(LocalIDKey), localIDPath)
}

func (b *block) localID(v value, path string) {
	switch {
	case !v.ok():
	case b.operation != Add:
		b.report(protocol.NewFinding(protocol.UnknownField, "Only an ADD can have a local_id; it is not kept.").
			WithFix("Remove local_id; target_id names the item."), v, path)
	case v.kind() == strictjson.Null:
	case v.kind() != strictjson.String || !isHandleName(v.text()):
		b.report(protocol.NewFinding(protocol.InvalidField, "%s is no name for a handle.", protocol.Brief(v.raw())).
			WithFix(`Use letters, digits, _ and - only, without @: "local_id": "memory".`), v, path)
	case b.delta.LocalID != "" && b.delta.LocalID != v.text():
		b.report(protocol.NewFinding(protocol.InvalidField, "The ADD has two handles, %s and %s.",
			protocol.Brief(b.delta.LocalID), protocol.Brief(v.text())).WithFix("Keep one of them."), v, path)
	default:
		if b.fits(v, path) {
			b.delta.LocalID, b.localAt, b.localPath = v.text(), v.node().start, path
		}
	}
}

// useKind says what a handle stands for.
type useKind uint8

const (
	asMention useKind = iota
	asTarget
)

// use is a place where a block uses a handle.
type use struct {
	name   string
	path   string
	offset int32 // in the block's content
	kind   useKind
}

// useHandle notes the use of a handle if the text is one.
func (b *block) useHandle(text string, v value, path string, kind useKind) bool {
	name, ok := Handle(text)
	if ok {
		b.uses = append(b.uses, use{name, path, v.node().start, kind})
	}
	return ok
}

// useHandleAt notes a handle that is an element of a list.
func (b *block) useHandleAt(v value, path string, i int) {
	if name, ok := Handle(v.text()); ok {
		b.uses = append(b.uses, use{name, Element(path, i), v.node().start, asMention})
	}
}

// useHandleIn notes a handle that is the key of a map.
func (b *block) useHandleIn(key value, path string) {
	if name, ok := Handle(key.text()); ok {
		b.uses = append(b.uses, use{name, path + ".@" + name, key.node().start, asMention})
	}
}

// useWords notes the handles among the words of a text.
func (b *block) useWords(v value, path string) {
	for _, name := range handleWords(v.text()) {
		b.uses = append(b.uses, use{name, path, v.node().start, asMention})
	}
}
