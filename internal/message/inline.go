package message

import (
	"strings"

	"brenner/internal/markup"
)

// ExtractArtifact returns the text of the artifact that is in a COMPILED body. False: the
// body has none, or only a link to it.
func ExtractArtifact(doc *markup.Document) (string, bool) {
	text, _, ok := inlineArtifact(doc)
	return text, ok
}

// inlineArtifact finds the artifact and its place: the first fence of the Full Artifact
// section. Other programs put it there without a fence; then it is everything from its front
// matter or its title on.
func inlineArtifact(doc *markup.Document) (text string, offset int, ok bool) {
	s, ok := doc.Section("Full Artifact")
	if !ok {
		return "", 0, false
	}
	for _, f := range doc.Fences() {
		if f.Start >= s.Start && f.Start < s.End && !f.Quoted {
			return f.Content, f.Start, true
		}
	}
	rest := strings.TrimLeft(doc.Text()[s.Start:], blanks)
	if !strings.HasPrefix(rest, "---") && !strings.HasPrefix(rest, "# ") {
		return "", 0, false
	}
	return rest, len(doc.Text()) - len(rest), true
}

// fullArtifact: AP-006. An artifact without a fence has a title that ends the section.
func (c *checker) fullArtifact(s Section) {
	if _, _, ok := inlineArtifact(c.doc); !ok {
		c.present(s)
	}
}
