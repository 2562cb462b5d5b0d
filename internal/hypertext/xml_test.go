package hypertext

import (
	"strings"
	"testing"
	"time"
)

const article = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "x.dtd" [<!ENTITY x "y">]>
<article xmlns:mml="http://www.w3.org/1998/Math/MathML"><front><journal-meta><journal-id>Sci</journal-id></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1/x</article-id><title-group><article-title>Growth of <italic>E. ` +
	`coli</italic></article-title></title-group>
<contrib><name><surname>Wolfe</surname><given-names>F.</given-names></name></contrib></article-meta></front>
<body><sec><title>Results</title><p>At 10<sup>5</sup> cells<xref><sup>12</sup></xref> we saw CO<sub>2</sub>&nbsp;&amp; more,
<inline-formula><mml:math><mml:msup><mml:mn>10</mml:mn><mml:mn>5</mml:mn></mml:msup></mml:math></inline-formula> of them.</p>
<p>A second <bold>para</bold>graph.</p><table-wrap><table><tr><td>a</td><td>b</td></tr></table></table-wrap></sec></body></article>`

func TestXMLText(t *testing.T) {
	want := "Growth of E. coli\nWolfe F.\nResults\nAt 10⁵ cells¹² we saw CO2 & more, 10^5 of them.\nA second paragraph.\na b\n"
	if got := strings.ReplaceAll(XML([]byte(article)), "\u00a0", " "); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	latin := "<?xml version='1.0' encoding='ISO-8859-1'?><article><p>Caf\xe9</p></article>"
	if got := XML([]byte(latin)); got != "Café\n" {
		t.Errorf("got %q", got)
	}
	for _, broken := range []string{"<a", "<a>text<", ""} {
		if got := XML([]byte(broken)); strings.TrimSpace(got) != "" {
			t.Errorf("%q gives %q", broken, got)
		}
	}
}

func TestRaisedInHTML(t *testing.T) {
	for page, want := range map[string]string{
		"<p>10<sup>5</sup> cells<sup>12,13</sup>":        "10⁵ cells¹²,¹³\n",
		"<p>10<sup>&minus;5</sup> M, the 5<sup>th</sup>": "10⁻⁵ M, the 5th\n",
		"</sup><p>x2": "x2\n",
	} {
		if got := HTML([]byte(page)); got != want {
			t.Errorf("%s gives %q, want %q", page, got, want)
		}
	}
}

// A file of open elements costs no more than reading it.
func TestDeepXML(t *testing.T) {
	start := time.Now()
	XML([]byte(strings.Repeat("<mml:msup>", 1<<20)))
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}
