package foreign

import (
	"errors"

	"brenner/internal/mcpclient"
	"brenner/internal/protocol"
)

// arguments of a tool, by name.
type arguments = mcpclient.Arguments

// absent tells whether an error may mean that what was asked for is not there. The contract does not
// say how a server tells that, so that where one thing was asked for, a refusal without a code of
// ours is taken for it.
func absent(err error) bool {
	return errors.Is(err, mcpclient.ErrUncoded) || err != nil && protocol.CodeOf(err).Info().Class == protocol.ClassNotFound
}

func unavailable(format string, args ...any) error {
	return protocol.Errorf(protocol.StoreUnavailable, format, args...)
}
