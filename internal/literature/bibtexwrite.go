package literature

import (
	"fmt"
	"strings"
)

func renderBibTeX(references []Reference) string {
	var b strings.Builder
	for i, r := range references {
		if i > 0 {
			b.WriteString("\n")
		}
		writeBibTeX(&b, r)
	}
	return b.String()
}

func writeBibTeX(b *strings.Builder, r Reference) {
	item := r.Item
	fmt.Fprintf(b, "@%s{%s,\n", toBibTeX(item.Type), bibKey(r.Key))
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "  %s = %s,\n", name, value)
		}
	}
	field("title", braced(braced(toLaTeX(item.Title)))) // twice: capitals stay
	field("author", braced(bibNames(item.Author)))
	writeBibDate(field, item.Issued)
	container := "booktitle"
	if toBibTeX(item.Type) == "article" || toBibTeX(item.Type) == "misc" {
		container = "journal"
	}
	field(container, braced(toLaTeX(item.ContainerTitle)))
	field("volume", braced(toLaTeX(item.Volume)))
	field("number", braced(toLaTeX(item.Issue)))
	field("pages", braced(strings.ReplaceAll(toLaTeX(item.Page), "-", "--")))
	field("doi", braced(toVerbatim(item.DOI)))
	field("url", braced(toVerbatim(item.URL)))
	field("pmid", braced(item.PMID))
	field("howpublished", braced(toLaTeX(item.Note)))
	b.WriteString("}\n")
}

func writeBibDate(field func(name, value string), d *Date) {
	switch {
	case d == nil:
	case len(d.Parts) == 0:
		field("year", braced(toLaTeX(d.Literal)))
	default:
		first := d.Parts[0]
		if len(d.Parts) > 1 {
			field("date", braced(iso(first, "-")+"/"+iso(d.Parts[1], "-")))
		} else if len(first) > 2 {
			field("date", braced(iso(first, "-")))
		}
		field("year", braced(iso(first[:1], "")))
		if len(first) > 1 {
			field("month", months[first[1]-1])
		}
	}
}

// bibKey keeps what a key may have.
func bibKey(key string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("{}(),=#\"%~\\ \t\n", r) {
			return -1
		}
		return r
	}, key)
}

func braced(text string) string {
	if text == "" {
		return ""
	}
	return "{" + text + "}"
}

func bibNames(names []Name) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = bibName(n)
	}
	return strings.Join(list, " and ")
}

// bibName writes von Last, Jr, First. Parts that would be read otherwise are in braces.
func bibName(n Name) string {
	switch {
	case n.Literal == others:
		return others
	case n.Literal != "":
		return braced(toLaTeX(n.Literal))
	}
	text := namePart(n.Family)
	if n.Particle != "" {
		text = toLaTeX(n.Particle) + " " + text
	}
	if n.Suffix != "" {
		text += ", " + namePart(n.Suffix)
	}
	return text + ", " + namePart(n.Given)
}

// namePart protects commas, the word and, and a small first letter.
func namePart(text string) string {
	written := toLaTeX(text)
	if strings.Contains(text, ",") || small(written) || len(splitNames(" "+written+" ")) > 1 {
		return braced(written)
	}
	return written
}

var toLaTeXReplacer = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\textbraceleft{}`, "}", `\textbraceright{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "--", "-{}-{}", "''", "'{}'{}", "``", "`{}`{}", `"`, `\textquotedbl{}`,
)

// toLaTeX writes a text so that LaTeX shows it, and latex reads it back.
func toLaTeX(text string) string { return toLaTeXReplacer.Replace(text) }

// toVerbatim writes an address so that verbatim reads it back.
func toVerbatim(text string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\textbraceleft{}`, "}", `\textbraceright{}`).Replace(text)
}
