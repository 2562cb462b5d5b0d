package markdown

// emptyText stands for the empty text in places where nothing at all means that there is no
// value: cells, bullets, keys.
const emptyText = `""`

// singleOrEmpty writes a text on one line, the empty one visibly.
func (w writing) singleOrEmpty(text string) string {
	switch text {
	case "":
		return emptyText
	case emptyText:
		w.guard = 0
	}
	return w.single(text)
}

// readEmpty reads what singleOrEmpty writes.
func readEmpty(raw string) string {
	if raw == emptyText {
		return ""
	}
	return readInline(raw)
}
