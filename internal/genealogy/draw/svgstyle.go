package draw

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// tones are the colours of a relation on light and on dark paper. Each line also says its
// relation in words, so that nothing depends on telling colours apart.
type tones struct{ light, dark string }

var relationTones = map[string]tones{
	"extends":     {"#0969da", "#58a6ff"},
	"refines":     {"#1a7f37", "#3fb950"},
	"refutes":     {"#cf222e", "#ff7b72"},
	"informed_by": {"#57606a", "#9198a1"},
	"supersedes":  {"#8250df", "#bc8cff"},
	"replicates":  {"#9a6700", "#d29922"},
	otherRelation: {"#57606a", "#9198a1"},
}

const otherRelation = "other"

func relationClass(relation string) string {
	if slices.Contains(artifact.Relations, relation) {
		return relation
	}
	return otherRelation
}

func relationClasses() []string { return append(slices.Clone(artifact.Relations), otherRelation) }

// svgStyle is the style sheet: light paper, and dark where the reader prefers it.
func svgStyle() string {
	var light, dark strings.Builder
	for _, r := range relationClasses() {
		rule := ".%[1]s path{stroke:%[2]s}.%[1]s text,#to-%[1]s path{fill:%[2]s}\n"
		fmt.Fprintf(&light, rule, r, relationTones[r].light)
		fmt.Fprintf(&dark, rule, r, relationTones[r].dark)
	}
	return `<style>
text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:#1f2328}
.paper{fill:#fff}
.node rect{fill:#f6f8fa;stroke:#8c959f;stroke-width:1.2}
.name{font-weight:600}
.session{font-size:11px;fill:#57606a}
.killed rect,.unknown rect{stroke-dasharray:5 4}
.killed .name{text-decoration:line-through;fill:#57606a}
.unknown .name,.note{fill:#57606a}
.line path{fill:none;stroke-width:1.6}
.line text{font-size:11px;text-anchor:middle;stroke:#fff;stroke-width:5px;stroke-linejoin:round;paint-order:stroke}
.loose path{stroke-dasharray:2 4}
` + light.String() + `@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.paper{fill:#0d1117}
.node rect{fill:#161b22;stroke:#6e7681}
.session,.killed .name,.unknown .name,.note{fill:#9198a1}
.line text{stroke:#0d1117}
` + dark.String() + `}
</style>
`
}

// svgDefs holds the clip that keeps long names inside their box, and an arrow's point for
// each colour.
func svgDefs() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<defs><clipPath id=\"inside\"><rect width=\"%s\" height=\"%s\"/></clipPath>\n", px(boxWidth-8), px(boxHeight))
	for _, r := range relationClasses() {
		fmt.Fprintf(&b, `<marker id="to-%s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path `+
			`d="M0 0L8 4L0 8Z"/></marker>`+"\n", r)
	}
	b.WriteString("</defs>\n")
	return b.String()
}
