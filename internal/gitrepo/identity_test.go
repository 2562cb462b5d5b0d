package gitrepo_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/gitrepo"
)

// TestStandIn: where git knows nobody, the commit is by the agent that acts; what git does know is kept, and nothing is written into
// the repository's settings.
func TestStandIn(t *testing.T) {
	for _, c := range []struct {
		name, as string
		settings map[string]string
		want     string
	}{
		{"nobody", "Operator", nil, "Operator <operator@brenner.invalid>"},
		{"another agent", "Blue Lake+2", nil, "Blue Lake+2 <blue-lake-2@brenner.invalid>"},
		{"a name", "Operator", map[string]string{"user.name": "Ada"}, "Ada <operator@brenner.invalid>"},
		{"an address", "Operator", map[string]string{"user.email": "ada@example.org"}, "Operator <ada@example.org>"},
		{"somebody", "Operator", map[string]string{"user.name": "Ada", "user.email": "ada@example.org"}, "Ada <ada@example.org>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRepo(t)
			git(t, dir, "config", "--unset", "user.name")
			git(t, dir, "config", "--unset", "user.email")
			for key, value := range c.settings {
				git(t, dir, "config", key, value)
			}
			knows := exec.CommandContext(t.Context(), "git", "var", "GIT_AUTHOR_IDENT")
			knows.Dir = dir
			guess, unknown := knows.Output() // some machines tell git enough to guess
			write(t, dir, "a.md", "x")
			before := git(t, dir, "config", "--local", "--list")

			repo, _ := gitrepo.Open(t.Context(), dir)
			by, err := repo.Identity(t.Context(), c.as)
			if err != nil || by.StandIn != (unknown != nil) {
				t.Fatalf("%+v, %v; git says %s, %v", by, err, guess, unknown)
			}
			if by.StandIn && by.Text != c.want || !by.StandIn && !strings.HasPrefix(string(guess), by.Text+" ") {
				t.Errorf("by %s; want %s", by.Text, c.want)
			}
			if _, err := repo.CommitFile(t.Context(), filepath.Join(dir, "a.md"), "m", by); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(git(t, dir, "log", "-1", "--format=%an <%ae>/%cn <%ce>")); got != by.Text+"/"+by.Text {
				t.Errorf("the commit is by %s; want %s", got, by.Text)
			}
			if after := git(t, dir, "config", "--local", "--list"); after != before {
				t.Errorf("settings changed from %s to %s", before, after)
			}
		})
	}
}
