package gitrepo

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// Identity is who a commit is made as.
type Identity struct {
	Text     string   // Name <address>
	StandIn  bool     // git knows nobody: what it was not told is the agent's that acts
	settings []string // what git has to be told so that it commits as that
}

// Identity returns who commits here. Where git does not know, the commit is made in the name of the agent that acts, at an
// address that cannot exist (RFC 2606): it says who acted and claims nothing else. NOT_ALLOWED: git knows nobody and was told
// never to guess (user.useConfigOnly).
func (r Repo) Identity(ctx context.Context, as string) (Identity, error) {
	text, unknown := r.ident(ctx, nil)
	if unknown == nil || protocol.CodeOf(unknown) != protocol.NotAllowed {
		return Identity{Text: text}, unknown
	}
	if never, err := ask(ctx, r.Root, "config", "--type=bool", "user.useConfigOnly"); err == nil && strings.TrimSpace(never) == "true" {
		return Identity{}, unknown
	}
	// What git was told is kept; half a person that it guesses is not.
	const told, name, address = "user.useConfigOnly=true", "user.name=", "user.email="
	for _, settings := range [][]string{
		{"-c", told, "-c", name + as}, {"-c", told, "-c", address + addressOf(as)},
		{"-c", told, "-c", name + as, "-c", address + addressOf(as)},
	} {
		if text, err := r.ident(ctx, settings); err == nil {
			return Identity{text, true, settings}, nil
		}
	}
	return Identity{}, unknown
}

// ident asks git whom it would commit as.
func (r Repo) ident(ctx context.Context, settings []string) (string, error) {
	if _, err := ask(ctx, r.Root, append(slices.Clip(settings), "var", "GIT_COMMITTER_IDENT")...); err != nil {
		return "", err
	}
	author, err := ask(ctx, r.Root, append(slices.Clip(settings), "var", "GIT_AUTHOR_IDENT")...)
	if err != nil {
		return "", err
	}
	return author[:strings.LastIndexByte(author, '>')+1], nil // without the time
}

// addressOf makes an address of an agent's name.
func addressOf(agent string) string {
	local := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(agent))
	return local + "@brenner.invalid"
}

// IntroduceYourself is what to type so that git knows who commits.
const IntroduceYourself = "git config --global user.name 'Your Name', and git config --global user.email you@example.org"

// nobody is the refusal of a git that does not know who commits.
func nobody() error {
	return protocol.Errorf(protocol.NotAllowed, "git does not know who commits; tell it with %s", IntroduceYourself).
		WithFindings([]protocol.Finding{protocol.NewFinding(protocol.NotAllowed, "git does not know who commits").
			WithFix("%s", IntroduceYourself)})
}
