package markup

// Heading is a heading of the document, ATX or setext.
type Heading struct {
	Level      int
	Text       string // raw text without marks and closing #s
	Start, End int    // byte offsets of the heading's lines
	Line       int    // from 1
}

// Section is a heading with what stands under it, up to the next heading of the same or a
// higher level.
type Section struct {
	Heading    Heading
	Text       string // raw content
	Start, End int    // byte offsets of Text
}
