package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/foreign"
	"brenner/internal/store/postgres"
	"brenner/internal/store/sqlite"
)

// OpenStore opens what a DSN names: sqlite:PATH, postgres://… or mcp+http://….
func OpenStore(ctx context.Context, dsn string) (mail.Store, error) {
	scheme, rest, ok := strings.Cut(dsn, ":")
	if !ok {
		return nil, badDSN(dsn)
	}
	switch scheme {
	case "sqlite":
		if rest == "" {
			return nil, badDSN(dsn)
		}
		path := filepath.FromSlash(rest)
		if err := checkStoreFile(path); err != nil {
			return nil, err
		}
		return sqlite.Open(ctx, path, sqlite.Options{})
	case "postgres", "postgresql":
		return postgres.Open(ctx, dsn, postgres.Options{})
	case "mcp+http", "mcp+https":
		return foreign.Open(ctx, dsn, foreign.Options{Getenv: os.Getenv})
	}
	return nil, badDSN(dsn)
}

// StoreExists tells whether opening a DSN would find a store, as far as that can be seen without
// opening it: a file that is not there would be made.
func StoreExists(dsn string) bool {
	path, ok := strings.CutPrefix(dsn, "sqlite:")
	if !ok {
		return true
	}
	_, err := os.Lstat(filepath.FromSlash(path)) // a link is for opening to judge
	return err == nil
}

// StoreSchema returns the version of the schema that a store has, and the one that opening it would bring
// it to. It opens nothing for writing, and changes nothing.
func StoreSchema(ctx context.Context, dsn string) (has, ours int, err error) {
	scheme, rest, _ := strings.Cut(dsn, ":")
	switch scheme {
	case "sqlite":
		path := filepath.FromSlash(rest)
		if err := checkStoreFile(path); err != nil {
			return 0, 0, err
		}
		return sqlite.Schema(ctx, path)
	case "postgres", "postgresql":
		return postgres.Schema(ctx, dsn)
	case "mcp+http", "mcp+https":
		return 0, 0, protocol.Errorf(protocol.NotAllowed, "this store belongs to another server, which alone knows its schema")
	}
	return 0, 0, badDSN(dsn)
}

func badDSN(dsn string) error {
	return protocol.Errorf(protocol.Usage,
		"%q names no store; write sqlite:PATH, postgres://user@host/database or mcp+http://host:port/path/", Redacted(dsn))
}

// Redacted keeps a password out of messages.
func Redacted(dsn string) string {
	if at := strings.LastIndexByte(dsn, '@'); at >= 0 {
		if start := strings.Index(dsn, "://"); start >= 0 && start < at {
			return dsn[:start+3] + "…" + dsn[at:]
		}
	}
	return dsn
}
