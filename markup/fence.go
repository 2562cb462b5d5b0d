package markup

// Fence is a fenced code block.
type Fence struct {
	Info       string // the info string as written, trimmed
	Char       byte   // '`' or '~'
	Length     int    // of the opening fence
	Closed     bool   // false if the end of its container closes it
	Quoted     bool   // it stands inside a block quote
	Start, End int    // byte offsets of the whole fence, fence lines included
	Line       int    // of the opening fence, from 1
	Content    string // as CommonMark gives it: container and fence indents removed

	lines []line // where each line of Content begins in the text
}

// line says where a line of a fence's content comes from.
type line struct{ content, source int }
