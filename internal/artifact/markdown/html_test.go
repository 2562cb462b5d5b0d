package markdown

import (
	"regexp"
	"strings"
	"testing"

	"brenner/internal/artifact"
)

// TestPageIsInert looks for anything in a page that could act or load.
func TestPageIsInert(t *testing.T) {
	acts := regexp.MustCompile(
		`(?i)<(script|iframe|object|embed|img|link|form|input|svg|video|audio|base)\b|\son[a-z]+\s*=|javascript:|\ssrc\s*=|@import|url\(`)
	for name, doc := range map[string]artifact.Document{"awkward": awkwardDocument(), "hostile": hostileDocument()} {
		page := HTML(doc)
		_, body, _ := strings.Cut(page, "</style>")
		for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(body, -1) {
			if acts.MatchString(tag) {
				t.Errorf("%s: the page has %q", name, tag)
			}
		}
		if strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s: the template met a value in a place where it must not stand", name)
		}
	}
}

// hostileDocument has every hostile text in every text field.
func hostileDocument() artifact.Document {
	a := artifact.New()
	for _, f := range a.Thread.Section.Fields() {
		if f.Kind == artifact.KindText {
			a.Thread.Set(f.Name, artifact.Text(strings.Join(hostile, "\n")))
		}
	}
	for _, s := range artifact.Sections()[1:] {
		for i, text := range hostile {
			it := artifact.NewItem(artifact.NewItemID(s, i+1), s)
			for _, f := range s.Fields() {
				switch f.Kind {
				case artifact.KindText:
					it.Set(f.Name, artifact.Text(text))
				case artifact.KindList:
					it.Set(f.Name, artifact.List{text})
				case artifact.KindMap:
					it.Set(f.Name, artifact.NewMap(artifact.Pair{Key: text, Text: text}))
				}
			}
			it.Killed = &artifact.Kill{By: text, Reason: text}
			a.Add(it)
		}
	}
	return artifact.Document{Metadata: artifact.Metadata{SessionID: `"><script>alert(1)</script>`, CompiledBy: "<b>"}, Artifact: a}
}

// TestHostileDocument holds the biggest collection of odd values to the law.
func TestHostileDocument(t *testing.T) { checkRoundTrip(t, hostileDocument()) }

func TestPageHasAnchors(t *testing.T) {
	page := HTML(killsDocument())
	for _, want := range []string{
		`id="RT"`, `id="H1"`, `id="H2"`, `id="P1"`, `id="T2"`, `href="#H2"`, `class="off dead"`, `Killed by BlueLake`, `style="width: 83%"`,
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(page, `id="P2"`); n != 1 {
		t.Errorf("the id P2 stands %d times", n)
	}
}
