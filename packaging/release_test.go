package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// TestRelease makes the release for this machine's kind of Linux twice, as two people would, and looks
// at everything in it.
func TestRelease(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux, to run what is packed")
	}
	first, second := filepath.Join(t.TempDir(), "dist"), filepath.Join(t.TempDir(), "elsewhere", "dist")
	o := options{repository: "..", commit: "HEAD", version: "1.2.3", platforms: []string{"linux/" + runtime.GOARCH}}
	for _, o.out = range []string{first, second} {
		if err := run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("the same bytes", func(t *testing.T) { sameFolder(t, first, second) })
	t.Run("checksums", func(t *testing.T) { command(t, first, "sha256sum", "-c", "SHA256SUMS") })
	t.Run("archive", func(t *testing.T) { archive(t, first) })
	t.Run("deb", func(t *testing.T) { installDeb(t, first) })
	t.Run("image", func(t *testing.T) { image(t, first) })
	t.Run("not over another", func(t *testing.T) {
		if err := run(context.Background(), o); err == nil {
			t.Error("a folder that is not empty was written into")
		}
	})
}

func sameFolder(t *testing.T, a, b string) {
	left, err := os.ReadDir(a)
	if err != nil {
		t.Fatal(err)
	}
	right, err := os.ReadDir(b)
	if err != nil || len(left) != len(right) || len(left) != 7 {
		t.Fatalf("%d and %d files: %v", len(left), len(right), err)
	}
	for _, e := range left {
		x, err := sumOf(filepath.Join(a, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if y, err := sumOf(filepath.Join(b, e.Name())); err != nil || x != y {
			t.Errorf("%s: %s, then %s (%v)", e.Name(), x, y, err)
		}
	}
}

func archive(t *testing.T, dist string) {
	dir := t.TempDir()
	command(t, dir, "tar", "xzf", only(t, dist, "*.tar.gz"), "--strip-components=1")
	head := strings.TrimSpace(command(t, ".", "git", "rev-parse", "HEAD"))
	var v struct{ Version, Revision string }
	if err := json.Unmarshal([]byte(command(t, dir, "./brenner", "version", "--json")), &v); err != nil || v.Version != "1.2.3" || v.Revision != head {
		t.Errorf("%+v, %v", v, err)
	}
	for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES.txt", "man/brenner-session-start.1", "completions/brenner.bash", "systemd/brenner.service"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "THIRD_PARTY_LICENSES.txt"))
	if err != nil || !bytes.Contains(text, []byte("github.com/spf13/cobra v")) || !bytes.Contains(text, []byte("idiomorph")) {
		t.Errorf("licences: %v, %d bytes", err, len(text))
	}
}

// installDeb has dpkg install the package into a root of its own, and plays the demo with what is there.
func installDeb(t *testing.T, dist string) {
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip("no dpkg")
	}
	root, deb := t.TempDir(), only(t, dist, "*.deb")
	program := filepath.Join(root, "usr/bin/brenner")
	if os.Getuid() != 0 {
		command(t, root, "dpkg-deb", "-x", deb, root)
	} else {
		admin := filepath.Join(root, "var/lib/dpkg")
		for _, dir := range []string{"info", "updates"} {
			if err := os.MkdirAll(filepath.Join(admin, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(admin, "status"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		command(t, root, "dpkg", "--root="+root, "--force-architecture", "-i", deb)
		if text := command(t, root, "dpkg", "--root="+root, "-s", "brenner"); !strings.Contains(text, "Status: install ok installed") {
			t.Error(text)
		}
	}
	home := t.TempDir()
	if text := command(t, home, program, "demo", "--json"); !strings.Contains(text, `"ok": true`) && !strings.Contains(text, `"ok":true`) {
		t.Error(text)
	}
}

// image reads the layout back, and runs the program that is in it.
func image(t *testing.T, dist string) {
	dir := t.TempDir()
	command(t, dir, "tar", "xf", only(t, dist, "*_oci.tar"))
	path, err := layout.FromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	index, err := path.ImageIndex()
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("%+v, %v", manifest, err)
	}
	img, err := path.Image(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	config, err := img.ConfigFile()
	if err != nil || config.Config.User != "65532:65532" || config.Architecture != runtime.GOARCH {
		t.Errorf("%+v, %v", config, err)
	}
	program := filepath.Join(dir, "brenner")
	extractFile(t, mutate.Extract(img), strings.TrimPrefix(config.Config.Entrypoint[0], "/"), program)
	command(t, dir, program, "version")
}

func extractFile(t *testing.T, packed io.ReadCloser, name, to string) {
	t.Helper()
	defer packed.Close()
	for r := tar.NewReader(packed); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			t.Fatalf("no %s in the image", name)
		} else if err != nil {
			t.Fatal(err)
		}
		if head.Name != name {
			continue
		}
		data, err := io.ReadAll(r)
		if err == nil {
			err = os.WriteFile(to, data, fs.FileMode(head.Mode))
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
}

func only(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v", pattern, found, err)
	}
	return found[0]
}

// command runs a program with a home of its own and returns what it printed.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if dir != "." {
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s%s", name, args, err, out, said.String())
	}
	return string(out)
}
