package gitrepo

import (
	"context"
	"strings"
)

// Head returns the commit that is checked out, empty before the first, and whether the work tree below
// dir differs from it, leaving some folders out.
func (r Repo) Head(ctx context.Context, dir string, except ...string) (commit string, dirty bool, err error) {
	if out, err := run(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		commit = strings.TrimSpace(out)
	}
	args := []string{"status", "--porcelain", "--untracked-files=normal", "--", "."}
	for _, folder := range except {
		args = append(args, ":(exclude,literal)"+folder)
	}
	// Among literal pathspecs nothing can be left out.
	out, err := runWith(ctx, dir, "GIT_LITERAL_PATHSPECS=0", args...)
	return commit, strings.TrimSpace(out) != "", err
}
