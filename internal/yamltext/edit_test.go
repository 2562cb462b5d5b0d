package yamltext

import "testing"

func TestAppendKeepsWhatIsThere(t *testing.T) {
	entry := &Node{Kind: Mapping, Members: []Member{{Key: "id", Value: &Node{Text: "b"}}}}
	for before, want := range map[string]string{
		"":         "list:\n  - id: b\n",
		"# mine\n": "# mine\n\nlist:\n  - id: b\n",
		"# top\nown: 1 # kept\nlist: # all\n  - id: a # first\n    note: x\n": "# top\nown: 1 # kept\nlist: # all\n  - id: a # first\n    note: x\n  - id: b\n",
		"list: []\nlast: 2\n": "list:\n  - id: b\nlast: 2\n",
		"list:\n":             "list:\n  - id: b\n",
	} {
		got, err := Append([]byte(before), entry, "list")
		if err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v; want %q", before, got, err, want)
		}
	}
	got, err := Append([]byte("- id: a\n"), &Node{Text: "x"}, 0, "parts")
	if err != nil || string(got) != "- id: a\n  parts:\n    - x\n" {
		t.Errorf("got %q, %v", got, err)
	}
	for _, bad := range []string{"list: 5", "- a", "list: {a: 1}", "\t:"} {
		if got, err := Append([]byte(bad), entry, "list"); err == nil {
			t.Errorf("%q becomes %q", bad, got)
		}
	}
}
