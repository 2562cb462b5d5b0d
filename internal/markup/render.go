package markup

import (
	"bytes"
	"html"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// maxRenderDepth is the deepest nesting that HTML renders. Beyond it the library's time
// grows with depth times length, and no person nests like that.
const maxRenderDepth = 50

// maxRenderCost bounds what renderCost estimates; it stands for a fraction of a second.
const maxRenderCost = 50_000_000

var renderMarkdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		// Cells are aligned by attribute: a page's policy forbids styles in the text.
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Strikethrough, extension.TaskList),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(inert{}, 1))),
	)
})

// HTML renders untrusted Markdown for a web view. Raw HTML comes out as visible text, links
// lead to http, https, mailto or relative addresses only, and images become links, so that
// looking at a message loads nothing from elsewhere.
func HTML(text string) string {
	if d := Parse(text); d.depth > maxRenderDepth || d.renderCost() > maxRenderCost {
		return plainHTML(text)
	}
	var b bytes.Buffer
	if err := renderMarkdown().Convert([]byte(text), &b); err != nil {
		return plainHTML(text) // a buffer never fails
	}
	return b.String()
}

// renderCost estimates how long rendering takes in the worst case. Fences and HTML are
// counted as if they were text: the estimate may only be too high.
func (d *Document) renderCost() int {
	cost, block := 0, blockCost{}
	for i, start := range d.lines {
		end := len(d.text)
		if i+1 < len(d.lines) {
			end = d.lines[i+1]
		}
		if line := d.text[start:end]; strings.TrimSpace(line) == "" {
			cost += block.total()
			block = blockCost{}
		} else {
			block.add(line)
		}
	}
	return cost + block.total()
}

// blockCost counts what makes a run of lines expensive.
type blockCost struct{ lines, delimiters, columns int }

func (c *blockCost) add(line string) {
	columns := 0
	for i := range len(line) {
		switch line[i] {
		case '[', '*', '_', '`', '<', '~':
			c.delimiters++
		case '|':
			columns++
		}
	}
	c.lines++
	c.columns = max(c.columns, columns)
}

// total weighs pairs of delimiters, and table cells: a short row is filled up to the width of
// the header.
func (c *blockCost) total() int { return c.delimiters*c.delimiters + 100*c.columns*c.lines }

func plainHTML(text string) string { return "<pre>" + html.EscapeString(text) + "</pre>\n" }

// inert renders the nodes through which a text could act on its reader.
type inert struct{}

// RegisterFuncs is called by the Markdown library.
func (inert) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, renderHTMLBlock)
	r.Register(ast.KindRawHTML, renderRawHTML)
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return renderLink(w, n, n.(*ast.Link).Destination, entering)
	})
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return renderLink(w, n, n.(*ast.Image).Destination, entering)
	})
	r.Register(ast.KindAutoLink, renderAutoLink)
	r.Register(extast.KindTaskCheckBox, renderTask)
}

func renderHTMLBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	block := n.(*ast.HTMLBlock)
	if entering {
		_, _ = w.WriteString("<p>")
		_, _ = w.Write(util.EscapeHTML(block.Lines().Value(source)))
		return ast.WalkContinue, nil
	}
	if block.HasClosure() {
		_, _ = w.Write(util.EscapeHTML(block.ClosureLine.Value(source)))
	}
	_, _ = w.WriteString("</p>\n")
	return ast.WalkContinue, nil
}

func renderRawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.Write(util.EscapeHTML(n.(*ast.RawHTML).Segments.Value(source)))
	}
	return ast.WalkSkipChildren, nil
}

// renderTask shows the box of a task as a character: a form field without a name says nothing to
// those who cannot see it.
func renderTask(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		box := "☐ "
		if n.(*extast.TaskCheckBox).IsChecked {
			box = "☑ "
		}
		_, _ = w.WriteString(box)
	}
	return ast.WalkContinue, nil
}

// renderLink writes a link. One without a text shows its address.
func renderLink(w util.BufWriter, n ast.Node, destination []byte, entering bool) (ast.WalkStatus, error) {
	address := util.URLEscape(destination, true) // with entities resolved: &colon; is a colon
	if !safeAddress(string(address)) {
		return ast.WalkContinue, nil // the text of the link stays
	}
	if entering {
		_, _ = w.WriteString(`<a href="`)
		_, _ = w.Write(util.EscapeHTML(address))
		_, _ = w.WriteString(`" rel="noopener noreferrer nofollow">`)
		if n.FirstChild() == nil && n.Kind() != ast.KindAutoLink {
			_, _ = w.Write(util.EscapeHTML(address))
		}
	} else {
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func renderAutoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := n.(*ast.AutoLink)
	address := link.URL(source)
	if link.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(address), []byte("mailto:")) {
		address = append([]byte("mailto:"), address...)
	}
	_, _ = renderLink(w, n, address, true)
	_, _ = w.Write(util.EscapeHTML(link.Label(source)))
	return renderLink(w, n, address, false)
}

// safeAddress allows http, https, mailto and addresses without a scheme. What comes before a
// colon must be exactly one of the schemes, so that no spelling of another slips through.
func safeAddress(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return true
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto":
		return true
	}
	return false
}
