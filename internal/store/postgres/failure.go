package postgres

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// verbatim marks an error of a caller's own function, which is returned as it is.
type verbatim struct{ error }

func (v verbatim) Unwrap() error { return v.error }

// failure maps what the driver or the server reports, by SQLSTATE and never by text. An error of
// the protocol stays as it is; so does the context's, if it has ended.
func (s *Store) failure(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	if own, ok := errors.AsType[verbatim](err); ok {
		return own.error
	}
	if known, ok := errors.AsType[*protocol.Error](err); ok {
		return known
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.isClosed() {
		return mail.Closed()
	}
	if reason := s.reason(err); reason != "" {
		failed := protocol.Errorf(protocol.StoreUnavailable, "%s: %s (%s)", doing, reason, cause(err))
		failed.Err = err
		return failed
	}
	switch sqlState(err) {
	case invalidText:
		return protocol.Errorf(protocol.InvalidEncoding, "%s: text is UTF-8 without NUL (%w)", doing, err)
	case duplicate:
		return protocol.Errorf(protocol.Conflict, "%s: something is there twice (%w)", doing, err)
	}
	return protocol.Errorf(protocol.Internal, "%s: %w", doing, err)
}

// cause is an error in a line: of all the attempts at connecting the first, in the words of the system.
func cause(err error) string {
	if dial, ok := errors.AsType[*net.OpError](err); ok {
		if unknown, ok := errors.AsType[*net.DNSError](dial.Err); ok {
			return "the host " + unknown.Name + " cannot be found"
		}
		if number, ok := errors.AsType[syscall.Errno](dial.Err); ok {
			return number.Error()
		}
		return dial.Err.Error()
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

// The conditions that a caller is to blame for.
const (
	invalidText = "22021"
	duplicate   = "23505"
	tooMuch     = "54000"
)

// Recovering tells whether the store at an address cannot be used, or not be written, for a reason that passes: its
// server starts, ends or recovers, a connection was cut, or none of several servers is the primary just now. That the
// only server cannot be reached is a mistake in the address as likely as not.
func Recovering(dsn string, err error) bool {
	switch sqlState(err) {
	case "57P01", "57P02", "57P03", "25006":
		return true
	case "":
	default:
		return false
	}
	if protocol.CodeOf(err) != protocol.StoreUnavailable {
		return false
	}
	if _, unreached := errors.AsType[*pgconn.ConnectError](err); !unreached {
		return true
	}
	if _, untrusted := errors.AsType[*tls.CertificateVerificationError](err); untrusted {
		return false // it does not pass
	}
	place, wrong := parsePlace(dsn)
	return wrong == nil && len(place.hosts()) > 1
}

func sqlState(err error) string {
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failed.Code
	}
	return ""
}

// reason says in words why the store cannot be used, or nothing for an error that has
// another cause.
func (s *Store) reason(err error) string {
	code := sqlState(err)
	if text, ok := reasons[code]; ok {
		return text + " " + s.place.String()
	}
	if len(code) == 5 {
		if text, ok := reasons[code[:2]]; ok {
			return text + " " + s.place.String()
		}
		return ""
	}
	if _, untrusted := errors.AsType[*tls.CertificateVerificationError](err); untrusted {
		return "the certificate of the server is not trusted (sslrootcert names who signs it, and its name is the host of the " +
			"address) at " + s.place.String()
	}
	var scan pgx.ScanArgError
	if errors.Is(err, pgx.ErrNoRows) || errors.As(err, &scan) {
		return "" // a fault of this program
	}
	return "no connection to " + s.place.String()
}

// ofStore tells whether an error is about the store and not about one call: trying its
// companions one by one would only take longer.
func (s *Store) ofStore(err error) bool {
	if _, ok := errors.AsType[*protocol.Error](err); ok {
		return false
	}
	return s.reason(err) != "" && sqlState(err) != tooMuch
}

// reasons has conditions and, with two characters, whole classes of them. The place follows.
var reasons = map[string]string{
	"08":    "the connection failed to",
	"25006": "nothing can be written now to",
	"25P03": "a transaction took too long at",
	"28":    "the server refuses the user of",
	"3D000": "there is no database",
	"3F000": "the schema is gone from",
	"40":    "transactions stand in each other's way at",
	"42501": "the rights are missing at",
	"42P01": "the schema is gone from",
	"53":    "the server is out of resources at",
	"53100": "the disk is full at",
	"53300": "there are too many connections to",
	"54000": "a limit of the server is reached at",
	"55P03": "another process keeps the store locked at",
	"57":    "the server was interrupted at",
	"57014": "the server ended a statement that took too long, or that an administrator cancelled, at",
	"57P01": "the server is going down at",
	"57P02": "the server crashed at",
	"57P03": "the server is not ready at",
	"58":    "the server cannot use its files at",
	"XX001": "data is damaged at",
	"XX002": "an index is damaged at",
}
