package config_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/config"
	"brenner/internal/protocol"
)

func TestCrate(t *testing.T) {
	text := "crate:\n  license: https://creativecommons.org/licenses/by/4.0/\n  authors:\n" +
		"    - Ada Lovelace\n    - {name: Josiah Carberry, orcid: \"https://orcid.org/0000-0002-1825-0097\"}\n"
	got, findings, err := load(write(t, t.TempDir(), "brenner.config.yaml", text))
	if err != nil || len(findings) != 0 {
		t.Fatalf("%v, %v", err, findings)
	}
	want := config.Crate{
		License: "https://creativecommons.org/licenses/by/4.0/",
		Authors: []config.Author{{Name: "Ada Lovelace"}, {Name: "Josiah Carberry", ORCID: "0000-0002-1825-0097"}},
	}
	if diff := cmp.Diff(want, got.Crate); diff != "" {
		t.Error(diff)
	}
}

func TestWrongAuthors(t *testing.T) {
	for _, text := range []string{
		`{"crate": {"authors": "Ada"}}`, `{"crate": {"authors": [" "]}}`, `{"crate": {"authors": [{"orcid": "0000-0002-1825-0097"}]}}`,
		`{"crate": {"authors": [{"name": "Ada", "orcid": "1825"}]}}`, `{"crate": {"license": 4}}`, `{"crate": []}`,
	} {
		if _, _, err := load(write(t, t.TempDir(), "brenner.config.json", text)); protocol.CodeOf(err) != protocol.InvalidConfig {
			t.Errorf("%s: %v", text, err)
		}
	}
}
