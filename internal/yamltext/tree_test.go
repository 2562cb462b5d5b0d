package yamltext

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestAnyTextSurvives writes texts of every kind as keys, items and values and reads them back.
func TestAnyTextSurvives(t *testing.T) {
	awkward := rapid.SampledFrom([]string{
		"", " ", "yes", "No", "null", "~", "1", "1e3", "0x1F", "2025-12-30", "---", "...", "a: b", "- a", "#", "\n", "a\nb\n", "\t", "\r\n",
		"\x00", "\x7f", "\u0085", "\u2028", "\ufeff", "\u202e", "🧬", "'", `"`, `\`, "!!str", "&a", "*a", "{", "[", "|", ">", "%", "@", "`",
	})
	text := rapid.OneOf(awkward, rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		want := text.Draw(t, "text")
		tree := &Node{Kind: Mapping, Members: []Member{
			{Key: "text", Value: &Node{Text: want}},
			{Key: "list", Value: &Node{Kind: Sequence, Items: []*Node{{Text: want}}}},
			{Key: "number", Value: &Node{Text: "3", Plain: true}},
		}}
		out, err := Format(tree)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Parse(out)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got := []string{read.Members[0].Value.Text, read.Members[1].Value.Items[0].Text, read.Members[2].Value.Text}
		if diff := cmp.Diff([]string{want, want, "3"}, got); diff != "" {
			t.Fatalf("%s\n%s", diff, out)
		}
		if read.Members[0].Value.Null() {
			t.Fatalf("%q became null", want)
		}
	})
}

func TestPlaces(t *testing.T) {
	root, err := Parse([]byte("a: &x one\nb:\n  - *x\n  - ~\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := root.Members[1]
	if b.Line != 2 || b.Value.Items[0].Text != "one" || b.Value.Items[0].Line != 1 || !b.Value.Items[1].Null() {
		t.Errorf("got %+v %+v", b, b.Value.Items)
	}
	if empty, err := Parse([]byte("# nothing\n")); empty != nil || err != nil {
		t.Errorf("an empty document is %v, %v", empty, err)
	}
}
