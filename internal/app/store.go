package app

import (
	"context"
	"path/filepath"
	"strings"

	"brenner/internal/store/sqlite"
	"brenner/mail"
	"brenner/protocol"
)

// OpenStore opens what a DSN names: sqlite:PATH or postgres://….
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
		return sqlite.Open(ctx, filepath.FromSlash(rest), sqlite.Options{})
	}
	return nil, badDSN(dsn)
}

func badDSN(dsn string) error {
	return protocol.Errorf(protocol.Usage, "%q names no store; write sqlite:PATH or postgres://user@host/database", redacted(dsn))
}

// redacted keeps a password out of messages.
func redacted(dsn string) string {
	if at := strings.LastIndexByte(dsn, '@'); at >= 0 {
		if start := strings.Index(dsn, "://"); start >= 0 && start < at {
			return dsn[:start+3] + "…" + dsn[at:]
		}
	}
	return dsn
}
