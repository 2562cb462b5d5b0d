package markup

import (
	"strings"
	"testing"
)

func TestHTML(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"heading", "# a *b*\n", "<h1>a <em>b</em></h1>\n"},
		{"table", "|a|\n|-|\n|1|\n",
			"<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table>\n"},
		{"fence", "```delta\n<b>\n```\n", "<pre><code class=\"language-delta\">&lt;b&gt;\n</code></pre>\n"},
		{"html block", "<script>alert(1)</script>\n", "<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n"},
		{"html comment", "<!--\nx\n-->\n", "<p>&lt;!--\nx\n--&gt;\n</p>\n"},
		{"inline html", "a <img src=x onerror=alert(1)> b\n", "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>\n"},
		{"link", "[a](https://x.org/?b=1&c \"t\")\n", `<p><a href="https://x.org/?b=1&amp;c" rel="noopener noreferrer nofollow">a</a></p>` +
			"\n"},
		{"relative link", "[a](../b.md#c)\n", `<p><a href="../b.md#c" rel="noopener noreferrer nofollow">a</a></p>` + "\n"},
		{"address", "<a@b.org>\n", `<p><a href="mailto:a@b.org" rel="noopener noreferrer nofollow">a@b.org</a></p>` + "\n"},
		{"image", "![alt](https://x.org/a.png)\n", `<p><a href="https://x.org/a.png" rel="noopener noreferrer nofollow">alt</a></p>` +
			"\n"},
		{"link without a text", "[](b)\n", `<p><a href="b" rel="noopener noreferrer nofollow">b</a></p>` + "\n"},
		{"aligned table", "|a|\n|:-:|\n", "<table>\n<thead>\n<tr>\n<th align=\"center\">a</th>\n</tr>\n</thead>\n</table>\n"},
		{"tasks", "- [ ] a\n- [x] b\n", "<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>\n"},
		{"quote in address", `[a](https://x.org/")` + "\n", `<p><a href="https://x.org/%22" rel="noopener noreferrer nofollow">a</a></p>` +
			"\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := HTML(test.text); got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
		})
	}
}

func TestHTMLDropsActiveAddresses(t *testing.T) {
	for _, address := range []string{
		"javascript:alert(1)", "JavaScript:alert(1)", "javascript&colon;alert(1)", "&#106;avascript:alert(1)",
		"<java\tscript:alert(1)>", "data:text/html,x", "data:image/png;base64,x", "vbscript:x", "file:///etc/passwd",
		"\\javascript:alert(1)",
	} {
		for _, text := range []string{"[a](" + address + ")", "![a](" + address + ")", "[a]\n\n[a]: " + address, "<" + address + ">"} {
			if got := HTML(text); strings.Contains(got, "href") || strings.Contains(got, "src") {
				t.Errorf("%q: %s", text, got)
			}
		}
	}
}

// FuzzHTML: whatever the text, no tag comes out that the renderer does not write itself.
func FuzzHTML(f *testing.F) {
	for _, s := range structures(f) {
		f.Add(s.Text)
	}
	f.Add("[a](javascript:x) <b onclick=x> ![](data:x)")
	f.Fuzz(func(t *testing.T, text string) {
		got := strings.ToLower(HTML(text))
		for _, bad := range []string{"<script", "<img", "<iframe", "<!--", `href="javascript`, `href="data`, "<style", "<svg", "<b ",
			"<input"} {
			if strings.Contains(got, bad) {
				t.Fatalf("%q gives %s", text, got)
			}
		}
	})
}

// TestHTMLOfHostileText: what the library would take long over comes out as plain text.
func TestHTMLOfHostileText(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("> ", 5000) + "a", strings.Repeat("[a](", 100_000), strings.Repeat("a_b*c", 50_000),
		strings.Repeat("|a", 5000) + "|\n" + strings.Repeat("|-", 5000) + "|\n" + strings.Repeat("a\n", 5000),
	} {
		if got := HTML(text); !strings.HasPrefix(got, "<pre>") {
			t.Errorf("%.40q… is rendered", text)
		}
	}
}
