package markup

import "strings"

func Parse(text string) *Document                           { return &Document{text: text} }
func (d *Document) Text() string                            { return d.text }
func (d *Document) Position(offset int) (line, column int)  { return 1, offset + 1 }
func (d *Document) Title() (Heading, bool)                  { return Heading{}, false }
func (d *Document) Headings() []Heading                     { return d.headings }
func (d *Document) Section(names ...string) (Section, bool) { return Section{}, false }
func (s Section) Present() bool                             { return strings.TrimSpace(s.Text) != "" }
func (d *Document) Fences() []Fence                         { return d.fences }
func (d *Document) Prose() []Span                           { return d.prose }
func (f *Fence) Language() string                           { return "" }
func (f *Fence) Offset(contentOffset int) int               { return f.Start }
func HTML(text string) string                               { return "" }
