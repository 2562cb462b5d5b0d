package memory_test

import (
	"testing"

	"brenner/internal/mail"
	"brenner/internal/mail/mailtest"
	"brenner/internal/mail/memory"
)

func TestConformance(t *testing.T) {
	mailtest.Run(t, mailtest.Engine{New: func(t testing.TB) mail.Store {
		s := memory.New()
		t.Cleanup(func() { s.Close() })
		return s
	}})
}
