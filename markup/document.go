package markup

// Document is the structure of a text.
type Document struct {
	text     string
	headings []Heading
	fences   []Fence
	prose    []Span
}

// Span is a range of bytes of the text.
type Span struct{ Start, End int }
