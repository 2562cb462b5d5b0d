package app_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/crate"
	"brenner/internal/journal"
	"brenner/internal/witness"
)

func newSigner(t *testing.T) *crate.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := crate.NewSigner(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// history is a journal of some leaves; fork makes another one from there on.
func history(size, fork int) *journal.Tree {
	tree := &journal.Tree{}
	for n := range size {
		line := fmt.Sprint("leaf ", n)
		if n >= fork {
			line += " of a fork"
		}
		tree.Add(line)
	}
	return tree
}

// fileOf is the file of a tree's checkpoint with a proof from an earlier size; 0: none.
func fileOf(t *testing.T, tree *journal.Tree, from int64) string {
	t.Helper()
	file := witness.File{Witnessed: journal.Witnessed{Note: tree.Checkpoint(tree.Size()).Note()}, Proofs: []witness.Proof{}}
	if from > 0 {
		hashes, err := tree.Consistency(from, tree.Size())
		if err != nil {
			t.Fatal(err)
		}
		file.Proofs = append(file.Proofs, witness.Proof{From: from, Hashes: hashes})
	}
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestServerCosigns: a server signs for the journals that its owner named, what continues the last one, and nothing else (SCIENCE 11).
func TestServerCosigns(t *testing.T) {
	settings := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", settings)
	t.Setenv("HOME", settings)
	if own, err := os.UserConfigDir(); err != nil || !strings.HasPrefix(own, settings) {
		t.Skip("this system keeps settings elsewhere")
	}
	if err := os.MkdirAll(filepath.Join(settings, "brenner"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "checkpoint:\n  cosign: [" + history(1, 9).Origin() + "]\n"
	if err := os.WriteFile(filepath.Join(settings, "brenner", "config.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, app.ServeOptions{Cosign: newSigner(t)})
	header := http.Header{"Content-Type": {"application/json"}}
	ask := func(file string) (int, witness.File) {
		status, body := s.do(t, "POST", "/api/v1/checkpoints/cosign", file, header)
		var answer witness.File
		if err := json.Unmarshal([]byte(body), &answer); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		return status, answer
	}
	status, answer := ask(fileOf(t, history(3, 9), 0))
	if status != http.StatusOK || len(answer.Signatures) != 1 {
		t.Fatalf("the first: %d, %+v", status, answer)
	}
	if signed, err := crate.CheckNote(answer.Note, answer.Signatures[0], nil, time.Now()); err != nil || signed.State != crate.Unknown {
		t.Errorf("%+v, %v", signed, err)
	}
	if status, answer := ask(fileOf(t, history(7, 9), 3)); status != http.StatusOK || len(answer.Signatures) != 1 {
		t.Errorf("one that goes on: %d", status)
	}
	other := &journal.Tree{}
	other.Add("of nobody that was named")
	for name, file := range map[string]string{
		"a cut": fileOf(t, history(5, 9), 0), "a fork": fileOf(t, history(7, 4), 0), "a fork that goes on": fileOf(t, history(9, 4), 7),
		"no proof": fileOf(t, history(9, 9), 0), "a proof from elsewhere": fileOf(t, history(9, 9), 3),
		"another journal": fileOf(t, other, 0), "no note": `{"note": "x"}`,
	} {
		if status, answer := ask(file); status < 400 || len(answer.Signatures) > 0 {
			t.Errorf("%s: %d, %q", name, status, answer.Signatures)
		}
	}
	silent := serve(t, app.ServeOptions{})
	status, _ = silent.do(t, "POST", "/api/v1/checkpoints/cosign", fileOf(t, history(9, 9), 7), header)
	if status != http.StatusForbidden {
		t.Errorf("a server without a key: %d", status)
	}
}

// TestCosignOnce: of many forks that come at once one is signed.
func TestCosignOnce(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	cosigner := witness.Cosigner{Signer: newSigner(t)}
	var all sync.WaitGroup
	var mu sync.Mutex
	signed := 0
	for fork := 1; fork < 9; fork++ {
		file, _, err := witness.ReadFile([]byte(fileOf(t, history(9, fork), 0)))
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			if cosigner.Cosign(&file) == nil {
				mu.Lock()
				defer mu.Unlock()
				signed++
			}
		})
	}
	if all.Wait(); signed != 1 {
		t.Errorf("%d forks were signed", signed)
	}
}
