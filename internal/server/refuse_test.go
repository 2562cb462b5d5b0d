package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"brenner/internal/protocol"
)

// TestRefuseNamesItsCode: a caller that has gone, and a store that took too long, are no faults of the program.
func TestRefuseNamesItsCode(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		code   protocol.Code
	}{
		{fmt.Errorf("asking: %w", context.Canceled), http.StatusServiceUnavailable, protocol.Interrupted},
		{fmt.Errorf("asking: %w", context.DeadlineExceeded), http.StatusServiceUnavailable, protocol.TimedOut},
		{protocol.Errorf(protocol.NotAllowed, "no"), http.StatusUnauthorized, protocol.NotAllowed},
	} {
		w := httptest.NewRecorder()
		refuse(w, c.err, http.StatusUnauthorized)
		var answer failure
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != c.status || answer.Error.Code != c.code {
			t.Errorf("%v: %d %s, %v", c.err, w.Code, w.Body, err)
		}
	}
}
