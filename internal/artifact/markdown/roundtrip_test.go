package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// TestRoundTrip is PROTOCOL 8: parse(render(a)) = a for any value, and render(parse(render(a)))
// has the same bytes.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkRoundTrip(t, artifact.Document{Metadata: anyMetadata(t), Artifact: anyArtifact(t)})
	})
}

// TestRoundTripOfEachField draws many values for one field at a time, which finds what whole
// artifacts are too big to find.
func TestRoundTripOfEachField(t *testing.T) {
	for _, s := range artifact.Sections() {
		for _, f := range s.Fields() {
			t.Run(s.String()+"."+f.Name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					it := artifact.NewItem(artifact.NewItemID(s, 1), s)
					it.Set(f.Name, anyValue(t, f))
					a := artifact.New()
					if s == artifact.ResearchThread {
						a.Thread = it
					} else {
						a.Add(it)
					}
					checkRoundTrip(t, artifact.Document{Artifact: a})
				})
			})
		}
	}
}

// checkRoundTrip holds a document to the law, and its Markdown to what any viewer may do with it.
func checkRoundTrip(t interface {
	Fatalf(string, ...any)
	Helper()
}, doc artifact.Document) {
	t.Helper()
	text := Render(doc)
	read, outline, findings := Parse(text)
	for _, f := range findings {
		// a text field with a closed set can hold anything here; nothing else may be amiss
		if f.Code != protocol.ScoreOutOfRange && !(f.Code == protocol.InvalidField && f.Path == artifact.Status) {
			t.Fatalf("a finding in our own text: %+v\n%s", f, text)
		}
	}
	if !read.Artifact.EqualContent(doc.Artifact) {
		t.Fatalf("parse(render(a)) is not a\nwant %s\ngot  %s\ntext:\n%s", describe(doc), describe(read), text)
	}
	if diff := cmp.Diff(doc.Metadata, read.Metadata); diff != "" {
		t.Fatalf("front matter changed: %s\n%s", diff, text)
	}
	if again := Render(read); again != text {
		t.Fatalf("render is not stable: %s", cmp.Diff(text, again))
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unseen(r) && r != '\n' && r < 0x7F }) {
		t.Fatalf("a control character stands in %q", text)
	}
	if len(outline.Malformed)+len(outline.Duplicates)+len(outline.References) > 0 || len(outline.Sections) != 7 {
		t.Fatalf("the outline of our own text has faults: %+v\n%s", outline, text)
	}
	checkHeadings(t, doc, text)
}

// checkHeadings asks the Markdown library for the headings it sees: ours and no other.
func checkHeadings(t interface {
	Fatalf(string, ...any)
	Helper()
}, doc artifact.Document, text string) {
	t.Helper()
	_, body, _ := strings.Cut(text, "\n---\n")
	want := 1 + 7
	for _, s := range artifact.Sections()[1:] {
		if s != artifact.PredictionsTable {
			want += len(doc.Artifact.Items(s))
		}
	}
	got := 0
	for _, h := range markup.Parse(body).Headings() {
		if !(h.Level == 3 && strings.HasPrefix(h.Text, "P")) {
			got++
		}
	}
	if got != want {
		t.Fatalf("a viewer sees %d headings, we wrote %d:\n%s", got, want, body)
	}
}
