package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// binary is the program for one platform.
type binary struct {
	os, arch string
	path     string
}

// name is the program's own.
func (b binary) name() string {
	if b.os == "windows" {
		return "brenner.exe"
	}
	return "brenner"
}

// learnVersion asks the program for the version in its source, if none was given.
func (r *release) learnVersion(ctx context.Context) error {
	if r.version != "" {
		r.version = strings.TrimPrefix(r.version, "v")
		return nil
	}
	host, err := r.host(ctx)
	if err != nil {
		return err
	}
	text, err := output(ctx, r.work, nil, host, "version", "--json")
	if err != nil {
		return err
	}
	var answer struct{ Version string }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return err
	}
	r.version = answer.Version
	return nil
}

func (r *release) compile(ctx context.Context, platforms []string) error {
	for _, platform := range platforms {
		system, arch, ok := strings.Cut(platform, "/")
		if !ok {
			return fmt.Errorf("%q is no OS/ARCH", platform)
		}
		b, err := r.build(ctx, system, arch)
		if err != nil {
			return err
		}
		r.binaries = append(r.binaries, b)
	}
	return nil
}

// build makes one stripped binary. Nothing of this machine, its paths or its environment is in it.
func (r *release) build(ctx context.Context, system, arch string) (binary, error) {
	b := binary{os: system, arch: arch, path: filepath.Join(r.work, "bin", system+"-"+arch, "brenner")}
	if err := os.MkdirAll(filepath.Dir(b.path), 0o755); err != nil {
		return b, err
	}
	flags := fmt.Sprintf("-s -w -buildid= -X %[1]s/internal/cli.revision=%[2]s", r.module, r.commit)
	if r.version != "" {
		flags += fmt.Sprintf(" -X %s/internal/cli.version=%s", r.module, r.version)
	}
	env := []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOWORK=off"}
	_, err := output(ctx, r.dir, env, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", b.path, "./cmd/brenner")
	return b, err
}

// host is the program for this machine, which writes its own pages.
func (r *release) host(ctx context.Context) (string, error) {
	for _, b := range r.binaries {
		if b.os == runtime.GOOS && b.arch == runtime.GOARCH {
			return b.path, nil
		}
	}
	b, err := r.build(ctx, runtime.GOOS, runtime.GOARCH)
	return b.path, err
}
