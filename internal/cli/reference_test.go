package cli

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write golden files and generated pages anew")

// TestReferencePage keeps doc/reference/cli.md equal to the command tree.
func TestReferencePage(t *testing.T) {
	const page = "../../doc/reference/cli.md"
	want := reference(newRoot(&app{}))
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("doc/reference/cli.md is out of date; run make docs (-want +got):\n%s", diff)
	}
}

// reference writes every command with its help page, in the order of the tree.
func reference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\nMade by `make docs` from the command tree.\n\n")
	all := commands(root)
	for _, cmd := range all {
		path := cmd.CommandPath()
		fmt.Fprintf(&b, "- [`%s`](#%s): %s\n", path, strings.ReplaceAll(path, " ", "-"), cmd.Short)
	}
	for _, cmd := range all {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s```\n", cmd.CommandPath(), helpText(cmd))
	}
	return b.String()
}

// TestCommandTree checks what every command owes its reader.
func TestCommandTree(t *testing.T) {
	for _, cmd := range commands(newRoot(&app{})) {
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
				t.Errorf("short help %q: one line without a full stop", cmd.Short)
			}
			if !strings.Contains(cmd.Example, "brenner") {
				t.Errorf("no example")
			}
			if cmd.RunE == nil {
				t.Errorf("does nothing")
			}
			cmd.InheritedFlags() // merges the global flags in
			for _, name := range []string{"json", "project", "store", "as", "config", "no-color", "quiet"} {
				if cmd.Flag(name) == nil {
					t.Errorf("has no --%s", name)
				}
			}
		})
	}
}
