package dossier_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"brenner/internal/dossier"
)

func (s *scribe) bundle() *dossier.Bundle {
	s.t.Helper()
	b, err := s.app.Dossiers("test").Make(context.Background(), largeThread, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

func pack(t *testing.T, b *dossier.Bundle) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.WriteCrate(&out, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// keepSample writes what a person may look at to the folder that DOSSIER_SAMPLE names.
func keepSample(t *testing.T, name string, data []byte) {
	t.Helper()
	if dir := os.Getenv("DOSSIER_SAMPLE"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLargeSession: the crate of a session with hundreds of messages verifies, and is the same twice.
func TestLargeSession(t *testing.T) {
	s := large(t)
	b := s.bundle()
	zip := pack(t, b)
	if !bytes.Equal(zip, pack(t, s.bundle())) {
		t.Error("the same version gives other bytes")
	}
	report, err := b.Report()
	if err != nil {
		t.Fatal(err)
	}
	keepSample(t, "large.html", report)
	keepSample(t, "large.zip", zip)
	if got := verify(t, zip); got.FirstBad != nil || got.Messages < 280 || got.Versions != 13 {
		t.Errorf("%+v", got)
	}
}
