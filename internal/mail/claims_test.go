package mail

import (
	"testing"
	"time"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// TestTimeBackwards: a message that is dated before one in front of it is named, wherever the clock went back, and messages
// of other threads are no clock for it.
func TestTimeBackwards(t *testing.T) {
	heard := &Testimony{}
	for i, m := range []struct {
		thread string
		minute int
	}{{"A", 0}, {"A", 9}, {"B", 2}, {"A", 4}, {"A", 8}, {"A", 9}, {"B", 2}, {"", 1}} {
		heard.hear(&Message{Message: message.Message{
			ID: int64(i + 1), ThreadID: m.thread, From: "BlueLake", Intake: protocol.Strict,
			CreatedAt: time.Date(2026, 1, 10, 9, m.minute, 0, 0, time.UTC),
		}})
	}
	claims := heard.Claims()
	if len(claims) != 2 || claims[0].Code != protocol.TimeBackwards ||
		claims[0].Message != "The clock goes backwards in 2 messages, first in message 4." {
		t.Errorf("claims %+v", claims)
	}
}
