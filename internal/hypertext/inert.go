package hypertext

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Policy is what a report allows a browser: its own styles and pictures, and nothing from anywhere (SCIENCE 9).
const Policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

// Inert tells why a page is not inert (SCIENCE 9): it has the policy before everything else, only elements that show
// something, and runs, sends, leads to and loads nothing. A page that another program wrote is not believed to be one
// of ours, so that what is allowed is listed, not what is forbidden.
func Inert(page []byte) error {
	document, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return err
	}
	w := &inertia{}
	if w.walk(document); w.why == nil && !w.bound {
		w.refuse("it does not have the policy %q", Policy)
	}
	return w.why
}

// inertia walks a page.
type inertia struct {
	bound bool // the policy was met
	why   error
}

func (w *inertia) refuse(format string, args ...any) {
	if w.why == nil {
		w.why = fmt.Errorf(format, args...)
	}
}

func (w *inertia) walk(n *html.Node) {
	switch n.Type {
	case html.ElementNode:
		w.element(n)
	case html.TextNode:
		w.text(n)
	}
	for child := n.FirstChild; child != nil && w.why == nil; child = child.NextSibling {
		w.walk(child)
	}
}

// shown are the elements that a report may have, in HTML and in SVG.
var shown = map[string][]string{
	"": strings.Fields(`html head meta title style body main header footer nav section article aside div p span a b i u s em strong
		small sub sup
		mark abbr cite q code pre kbd samp var bdi bdo br wbr hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote figure figcaption img time
		table caption colgroup col thead tbody tfoot tr th td details summary del ins dfn address data`),
	"svg": strings.Fields(`svg g a path line rect circle ellipse polyline polygon text tspan title desc defs pattern marker clipPath mask
		linearGradient radialGradient stop symbol`),
}

func (w *inertia) element(n *html.Node) {
	if !slices.Contains(shown[n.Namespace], n.Data) {
		w.refuse("it has the element %s", n.Data)
		return
	}
	if n.Namespace == "" && n.Data == "meta" {
		w.meta(n)
	}
	if !w.bound && !slices.Contains([]string{"html", "head", "meta"}, n.Data) {
		w.refuse("it does not begin with the policy %q", Policy)
	}
	for _, a := range n.Attr {
		name := strings.ToLower(a.Key)
		if a.Namespace != "" {
			name = a.Namespace + ":" + name
		}
		w.attribute(n, name, strings.ToLower(strings.TrimSpace(a.Val)))
	}
}

// meta accepts what names things, and the policy, once and in the head.
func (w *inertia) meta(n *html.Node) {
	value := func(name string) (text string, there bool) {
		i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
		if i < 0 {
			return "", false
		}
		return n.Attr[i].Val, true
	}
	equiv, says := value("http-equiv")
	if !says {
		return
	}
	content, _ := value("content")
	inHead := n.Parent != nil && n.Parent.Data == "head"
	switch {
	case !strings.EqualFold(equiv, "Content-Security-Policy"):
		w.refuse("it tells the browser to %s", equiv)
	case content != Policy || !inHead:
		w.refuse("its policy is not %q", Policy)
	}
	w.bound = true
}

// attribute refuses what runs, loads or leads away. Names and values come in small letters.
func (w *inertia) attribute(n *html.Node, name, value string) {
	switch {
	case strings.HasPrefix(name, "on"):
		w.refuse("it has the event handler %s", name)
	case name == "href" || name == "xlink:href":
		w.link(n, value)
	case name == "src":
		if n.Data != "img" || !strings.HasPrefix(value, "data:image/") {
			w.refuse("it loads %.80s", value)
		}
	case slices.Contains(loading, name):
		w.refuse("it has the attribute %s", name)
	case name != "content" && !localStyle(value) && (name == "style" || n.Namespace == "svg"):
		w.refuse("its %s loads %.80s", name, value)
	}
}

// loading are attributes that load, send or open something.
var loading = strings.Fields("srcset srcdoc action formaction background poster data manifest ping profile longdesc usemap codebase " +
	"classid archive target download xml:base")

// link accepts where a reader may go: a place of the page, or a page of the web.
func (w *inertia) link(n *html.Node, value string) {
	web := n.Namespace == "" && n.Data == "a" && (strings.HasPrefix(value, "https://") || strings.HasPrefix(value, "http://"))
	if !web && !strings.HasPrefix(value, "#") {
		w.refuse("it leads to %.80s", value)
	}
}

// text looks at styles, which can load as well. Markup inside them is read in two ways by browsers.
func (w *inertia) text(n *html.Node) {
	if p := n.Parent; p != nil && p.Data == "style" && (!localStyle(strings.ToLower(n.Data)) || strings.Contains(n.Data, "<")) {
		w.refuse("its style loads something")
	}
}

// localStyle tells whether a style needs nothing but itself. A backslash can hide any word.
func localStyle(style string) bool {
	for _, word := range []string{"@import", "image-set", "src(", "expression", "-moz-binding", `\`} {
		if strings.Contains(style, word) {
			return false
		}
	}
	for rest := style; ; {
		_, after, found := strings.Cut(rest, "url(")
		if !found {
			return true
		}
		rest = strings.TrimLeft(after, "\"' ")
		if !strings.HasPrefix(rest, "#") && !strings.HasPrefix(rest, "data:image/") {
			return false
		}
	}
}
