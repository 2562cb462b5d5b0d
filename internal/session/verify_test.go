package session_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// recorded is a thread with two versions and something pending.
func recorded(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "Cells turn by torque"), 0)
	b.compile()
	b.send("RedSky", "DELTA[gemini]: two", hypothesis("Two", "d"), 0)
	b.compile()
	b.send("BlueLake", "DELTA[gpt]: three", hypothesis("Three", "e"), 0)
	for range 16 { // so that the fold is worth keeping
		b.send("BlueLake", "INFO: a note", "n", 0)
	}
	if _, err := b.take().Status(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestKeptFoldsAreProved: a fold with one word replaced is not believed, even with a checksum that fits it;
// verify names it and repair makes it again (PROTOCOL 14).
func TestKeptFoldsAreProved(t *testing.T) {
	const kind mail.ProjectionKind = "session.view.13"
	for _, sealed := range []bool{false, true} {
		b := recorded(t)
		b.Close(t.Context()) // keeps what was folded
		raw, err := b.mail.Kept(t.Context(), kind, thread)
		if err != nil || !bytes.Contains(raw.Data, []byte("torque")) {
			t.Fatalf("%v, %d bytes", err, len(raw.Data))
		}
		if v, err := b.Verify(t.Context(), thread); err != nil || v.FirstBad != nil || len(v.Findings) != 0 {
			t.Fatalf("before: %+v, %v", v, err)
		}
		raw.Data = bytes.ReplaceAll(raw.Data, []byte("torque"), []byte("forged"))
		if sealed {
			err = b.mail.Keep(t.Context(), raw)
		} else {
			raw.Data = append(make([]byte, 32), raw.Data...)
			err = b.mail.Store().PutProjection(t.Context(), b.mail.Project().ID, raw)
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := b.Verify(t.Context(), thread)
		if err != nil || v.FirstBad == nil || len(v.Findings) != 1 || v.Findings[0].Code != protocol.KeptMismatch {
			t.Errorf("checksum %t: %+v, %v", sealed, v, err)
		}
		v, err = b.Repair(t.Context(), thread)
		if err != nil || v.FirstBad != nil || len(v.Findings) != 1 || v.Findings[0].Severity != protocol.SeverityWarning {
			t.Errorf("repaired: %+v, %v", v, err)
		}
		if v, err = b.Verify(t.Context(), thread); err != nil || v.FirstBad != nil || len(v.Findings) != 0 {
			t.Errorf("after a repair: %+v, %v", v, err)
		}
		if !sealed {
			if err := b.mail.Store().PutProjection(t.Context(), b.mail.Project().ID, raw); err != nil {
				t.Fatal(err)
			}
			other := session.New(b.mail, nil, session.Settings{}) // a process that has folded nothing
			if doc, err := other.Document(t.Context(), thread, 0); err != nil || doc.Artifact.Item("H1").
				Text("claim") != "Cells turn by torque" {
				t.Errorf("%v, shown %q", err, doc.Artifact.Item("H1").Text("claim"))
			}
		}
	}
}

// TestExportWithoutHashes: an export from which a hash was taken does not verify.
func TestExportWithoutHashes(t *testing.T) {
	b := recorded(t)
	var out bytes.Buffer
	if err := transfer.Export(t.Context(), b.mail, thread, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	hash := regexp.MustCompile(`"artifact_hash":"[0-9a-f]{64}"`)
	if len(hash.FindAllString(text, -1)) != 2 {
		t.Fatalf("not two hashes in\n%s", text)
	}
	for name, c := range map[string]struct {
		text string
		good bool
	}{
		"as it is": {text, true},
		"null":     {hash.ReplaceAllString(text, `"artifact_hash":null`), false},
		"zeroed":   {hash.ReplaceAllString(text, `"artifact_hash":"`+strings.Repeat("0", 64)+`"`), false},
		"removed":  {regexp.MustCompile(`,?"artifact_hash":"[0-9a-f]{64}"`).ReplaceAllString(text, ""), false},
	} {
		lines, findings, err := transfer.ReadLines(strings.NewReader(c.text))
		if err != nil || protocol.HasErrors(findings) {
			t.Fatal(name, err, findings)
		}
		if v, err := session.VerifyLines(lines); err != nil || (v.FirstBad == nil) != c.good {
			t.Errorf("%s: %+v, %v", name, v.FirstBad, err)
		}
	}
}

// TestLossIsNotRepaired: a fold that knew a message which is gone tells of it, before and after a repair (PROTOCOL 14).
func TestLossIsNotRepaired(t *testing.T) {
	b := recorded(t)
	b.Close(t.Context())
	kept, err := b.mail.Kept(t.Context(), "session.view.13", thread)
	if err != nil {
		t.Fatal(err)
	}
	kept.Through += 100
	if err := b.mail.Keep(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	for _, verify := range []func() (mail.Verification, error){
		func() (mail.Verification, error) { return b.Verify(t.Context(), thread) },
		func() (mail.Verification, error) { return b.Repair(t.Context(), thread) },
		func() (mail.Verification, error) { return b.Verify(t.Context(), thread) },
	} {
		if v, err := verify(); err != nil || v.FirstBad == nil || v.Code() != protocol.RecordLost {
			t.Errorf("%+v, %v", v, err)
		}
	}
}
