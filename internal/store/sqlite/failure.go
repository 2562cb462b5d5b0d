package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"brenner/internal/protocol"
)

// failure maps what the driver or the system reports, by result code and never by text. An error
// of the protocol, and one of the context, stays as it is.
func (s *Store) failure(doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, known := errors.AsType[*protocol.Error](err); known || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if reason := s.reason(err); reason != "" {
		return protocol.Errorf(protocol.StoreUnavailable, "%s: %s (%w)", doing, reason, err)
	}
	return protocol.Errorf(protocol.Internal, "%s: %w", doing, err)
}

// reason says in words why the store cannot be used, or nothing for an error that has
// another cause.
func (s *Store) reason(err error) string {
	if failed, ok := errors.AsType[*driver.Error](err); ok {
		return s.resultReason(failed.Code())
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "the database " + s.path + " is gone"
	case errors.Is(err, fs.ErrPermission):
		return "the rights to " + s.path + " are missing"
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full"
	case errors.Is(err, fs.ErrInvalid), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.EROFS):
		return "the database " + s.path + " cannot be opened"
	}
	return ""
}

func (s *Store) resultReason(code int) string {
	switch code & 0xff {
	case codes.SQLITE_FULL:
		return "the disk is full"
	case codes.SQLITE_READONLY:
		return "the database " + s.path + " cannot be written"
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return "another process keeps the database " + s.path + " locked"
	case codes.SQLITE_CANTOPEN:
		return "the database " + s.path + " cannot be opened"
	case codes.SQLITE_PERM, codes.SQLITE_AUTH:
		return "the rights to " + s.path + " are missing"
	case codes.SQLITE_IOERR:
		return "the database " + s.path + " cannot be read or written"
	case codes.SQLITE_CORRUPT:
		return "the database " + s.path + " is damaged; restore a backup"
	case codes.SQLITE_NOTADB:
		return s.path + " is not a database"
	case codes.SQLITE_NOMEM:
		return "memory ran out"
	case codes.SQLITE_INTERRUPT:
		return "the call was interrupted"
	}
	return ""
}

// distrusted tells whether a connection that reported an error should not be used again.
func distrusted(err error) bool {
	switch resultCode(err) {
	case codes.SQLITE_READONLY, codes.SQLITE_IOERR, codes.SQLITE_CANTOPEN, codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return true
	}
	return false
}

// resultCode returns the primary result code of an error, 0 if it has none.
func resultCode(err error) int {
	if failed, ok := errors.AsType[*driver.Error](err); ok {
		return failed.Code() & 0xff
	}
	return 0
}
