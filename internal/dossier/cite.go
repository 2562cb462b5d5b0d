package dossier

import (
	"fmt"
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// CiteFormat is a way to write a citation down.
type CiteFormat string

// The formats.
const (
	CiteText   CiteFormat = "text"
	CiteBibTeX CiteFormat = "bibtex"
	CiteCFF    CiteFormat = "cff"
)

// CiteFormats lists them, the default first.
func CiteFormats() []string { return []string{string(CiteText), string(CiteBibTeX), string(CiteCFF)} }

// Cite says how to cite the version. The hash names it wherever it is kept.
func (b *Bundle) Cite(format CiteFormat) string {
	switch format {
	case CiteBibTeX:
		return b.citeBibTeX()
	case CiteCFF:
		return b.citeCFF()
	}
	return fmt.Sprintf("%s (%d). %s Research session %s, version %d. SHA-256 %s.", joinNames(b.authors()), b.last().CreatedAt.UTC().Year(),
		sentence(b.Question()), b.ThreadID(), b.Version, b.Hash)
}

// authors are the people of the project file, else the agents that changed the artifact.
func (b *Bundle) authors() []string {
	var names []string
	for _, a := range b.Settings.Authors {
		names = append(names, a.Name)
	}
	if len(names) > 0 {
		return names
	}
	for _, c := range b.View.Fold.Contributors() {
		names = append(names, c.Agent)
	}
	if len(names) == 0 {
		names = []string{b.last().From}
	}
	return names
}

func joinNames(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// sentence ends a title.
func sentence(title string) string {
	if strings.HasSuffix(title, "?") || strings.HasSuffix(title, "!") || strings.HasSuffix(title, ".") {
		return title
	}
	return title + "."
}

func (b *Bundle) citeBibTeX() string {
	at := b.last().CreatedAt.UTC()
	var names []string
	for _, name := range b.authors() {
		names = append(names, "{"+bibText(name)+"}")
	}
	return fmt.Sprintf("@misc{%s-v%d,\n  author = {%s},\n  title = {{%s}},\n  year = {%d},\n  month = {%d},\n  version = {%d},\n  note = "+
		"{Research session %s, version %d; SHA-256 %s}\n}\n",
		b.ThreadID(), b.Version, strings.Join(names, " and "), bibText(b.Question()), at.Year(), int(at.Month()), b.Version,
		bibText(b.ThreadID()), b.Version, b.Hash)
}

// bibEscapes keep the characters that TeX reads as commands.
var bibEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "%", `\%`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

func bibText(text string) string { return bibEscapes.Replace(strings.Join(strings.Fields(text), " ")) }

// citeCFF writes a Citation File Format document, version 1.2.0.
func (b *Bundle) citeCFF() string {
	text := func(v string) *yamltext.Node { return &yamltext.Node{Text: v} }
	authors := &yamltext.Node{Kind: yamltext.Sequence}
	if len(b.Settings.Authors) == 0 {
		for _, name := range b.authors() {
			authors.Items = append(authors.Items, mapping("name", text(name)))
		}
	}
	for _, a := range b.Settings.Authors {
		author := mapping("name", text(a.Name))
		if given, family, ok := cutName(a.Name); ok {
			author = mapping("family-names", text(family), "given-names", text(given))
		}
		if a.ORCID != "" {
			author.Members = append(author.Members, yamltext.Member{Key: "orcid", Value: text("https://orcid.org/" + a.ORCID)})
		}
		authors.Items = append(authors.Items, author)
	}
	identifiers := &yamltext.Node{Kind: yamltext.Sequence, Items: []*yamltext.Node{
		mapping("type", text("other"), "value", text("sha256:"+b.Hash.String()), "description", text("SHA-256 of the artifact")),
	}}
	document := mapping("cff-version", text("1.2.0"), "message", text("If you use this research, please cite it as below."), "type",
		text("dataset"),
		"title", text(b.Question()), "authors", authors, "version", text(formatInt(b.Version)),
		"date-released", text(b.last().CreatedAt.UTC().Format("2006-01-02")), "identifiers", identifiers)
	out, err := yamltext.Format(document)
	if err != nil {
		panic(protocol.Errorf(protocol.Internal, "a citation of texts cannot fail to format: %w", err))
	}
	return string(out)
}

// cutName splits a name of two or more words before the last.
func cutName(name string) (given, family string, ok bool) {
	at := strings.LastIndex(name, " ")
	if at < 0 {
		return "", "", false
	}
	return name[:at], name[at+1:], true
}

func mapping(pairs ...any) *yamltext.Node {
	n := &yamltext.Node{Kind: yamltext.Mapping}
	for i := 0; i < len(pairs); i += 2 {
		n.Members = append(n.Members, yamltext.Member{Key: pairs[i].(string), Value: pairs[i+1].(*yamltext.Node)})
	}
	return n
}
