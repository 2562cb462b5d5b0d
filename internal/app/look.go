package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/protocol"
)

// Look opens a project for a command that begins nothing. Where there is no store, or nothing of the project in
// it, everything is as in a new project, but nothing is made: not even a folder.
func Look(ctx context.Context, o Options) (*App, error) {
	if !StoreExists(o.dsn()) {
		if err := o.possible(); err != nil {
			return nil, err
		}
		return lookAtNothing(ctx, o)
	}
	a, err := openClosed(ctx, o, (*App).known)
	if errors.Is(err, errUnknownProject) {
		return lookAtNothing(ctx, o)
	}
	return a, err
}

// lookAtNothing is a project without a store: what is asked of it finds nothing.
func lookAtNothing(ctx context.Context, o Options) (*App, error) {
	empty := func(context.Context, string) (mail.Store, error) { return memory.New(), nil }
	return open(ctx, o, empty, (*App).ensure)
}

// possible tells whether a store that is not there could be made where a person says it is.
func (o Options) possible() error {
	path, ok := strings.CutPrefix(o.dsn(), "sqlite:")
	if !ok || path == "" {
		return badDSN(o.dsn())
	}
	if o.Store == "" {
		return nil // in the project, whose folder is there
	}
	folder := filepath.Dir(filepath.FromSlash(path))
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return protocol.Errorf(protocol.StoreUnavailable, "there is no store at %s, and no folder %s for one", path, folder)
	}
	return nil
}
