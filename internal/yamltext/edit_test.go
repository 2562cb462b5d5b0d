package yamltext

import "testing"

func TestAppendKeepsWhatIsThere(t *testing.T) {
	entry := &Node{Kind: Mapping, Members: []Member{{Key: "id", Value: &Node{Text: "b"}}}}
	for before, want := range map[string]string{
		"":         "list:\n  - id: b\n",
		"# mine\n": "# mine\n\nlist:\n  - id: b\n",
		"# top\nown: 1 # kept\nlist: # all\n  - id: a # first\n    note: x\n": "# top\nown: 1 # kept\nlist: # all\n  - id: a # first\n   " +
			" note: x\n  - id: b\n",
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

func TestSetKeepsWhatIsThere(t *testing.T) {
	for before, want := range map[string]string{
		"# top\nlist:\n  - id: a # first\n    state: old # why\n": "# top\nlist:\n  - id: a # first\n    state: new # why\n",
		"list:\n  - id: a\n    own: 1\n":                          "list:\n  - id: a\n    own: 1\n    state: new\n",
		"list:\n  - {id: a, state: old}\n":                        "list:\n  - {id: a, state: new}\n",
		"list:\n  - id: a\n    state:\n      - x\n":               "list:\n  - id: a\n    state: new\n",
	} {
		e, err := Edit([]byte(before))
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Set("state", &Node{Text: "new"}, "list", 0); err != nil {
			t.Errorf("%q: %v", before, err)
			continue
		}
		if got, err := e.Bytes(); err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v; want %q", before, got, err, want)
		}
	}
	for _, bad := range []string{"list:\n  - id: a\n    state: &x old\n  - state: *x\n", "list: [a]", "list: 5", "- a"} {
		e, err := Edit([]byte(bad))
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Set("state", &Node{Text: "new"}, "list", 0); err == nil {
			t.Errorf("%q was changed", bad)
		}
	}
}

func TestWrap(t *testing.T) {
	e, err := Edit([]byte("# mine\n- id: a # first\n"))
	if err != nil {
		t.Fatal(err)
	}
	e.Wrap("list")
	if err := e.Set("day", &Node{Text: "today"}); err != nil {
		t.Fatal(err)
	}
	if got, err := e.Bytes(); err != nil || string(got) != "list:\n  # mine\n  - id: a # first\nday: today\n" {
		t.Errorf("got %q, %v", got, err)
	}
}
