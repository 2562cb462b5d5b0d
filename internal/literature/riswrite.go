package literature

import (
	"fmt"
	"strings"
)

func renderRIS(references []Reference) string {
	var b strings.Builder
	for _, r := range references {
		writeRIS(&b, r)
	}
	return b.String()
}

func writeRIS(b *strings.Builder, r Reference) {
	item := r.Item
	tag := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "%s  - %s\n", name, value)
		}
	}
	tag("TY", toRIS(item.Type))
	tag("ID", r.Key)
	tag("TI", item.Title)
	for _, n := range item.Author {
		tag("AU", risName(n))
	}
	if d := item.Issued; d != nil && len(d.Parts) > 0 {
		tag("PY", iso(d.Parts[0][:1], ""))
		tag("DA", risSlashes(d.Parts[0]))
	} else if d != nil {
		tag("PY", d.Literal)
	}
	tag("T2", item.ContainerTitle)
	tag("VL", item.Volume)
	tag("IS", item.Issue)
	first, last := risPages(item.Page)
	tag("SP", first)
	tag("EP", last)
	tag("DO", item.DOI)
	tag("UR", item.URL)
	tag("AN", item.PMID)
	if item.PMID != "" {
		tag("DB", "PubMed")
	}
	tag("N1", item.Note)
	b.WriteString("ER  - \n\n")
}

// risName writes Last, First, Suffix. A literal name has no comma of its own: it would be read as one of a person.
func risName(n Name) string {
	if n.Literal != "" {
		return strings.ReplaceAll(n.Literal, ",", ";")
	}
	text := strings.TrimSpace(n.Particle+" "+n.Family) + ", " + n.Given
	if n.Suffix != "" {
		text += ", " + n.Suffix
	}
	return text
}

// risSlashes writes year/month/day/.
func risSlashes(parts []int) string {
	if len(parts) == 1 {
		return ""
	}
	return iso(parts, "/") + strings.Repeat("/", 4-len(parts))
}

// risPages cuts a range of two pages.
func risPages(page string) (first, last string) {
	first, last, isRange := strings.Cut(page, "-")
	if !isRange || first == "" || last == "" || first == last || strings.ContainsAny(last, "-,;") || strings.ContainsAny(first, ",;") {
		return page, ""
	}
	return first, last
}
