// Command packaging builds everything that a version of brenner is published as, from one commit. The
// same commit, built with the same Go, gives the same bytes. It is a module of its own, so that the
// libraries it packs with stay out of the program.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

// platforms are what archives are made for.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	var o options
	flag.StringVar(&o.repository, "repository", "..", "the repository `DIR`")
	flag.StringVar(&o.commit, "commit", "HEAD", "the `COMMIT` to build")
	flag.StringVar(&o.version, "version", "", "the `VERSION` (default: the one in the source)")
	flag.StringVar(&o.url, "url", "", "the `URL` that archives will be fetched from (default: from the module path)")
	flag.StringVar(&o.out, "out", "../dist", "write to `DIR`, which must be empty or not there")
	flag.Func("platforms", "comma-separated `OS/ARCH` (default: all six)", func(s string) error {
		o.platforms = strings.Split(s, ",")
		return nil
	})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// options say what to release.
type options struct {
	repository, commit, version, url, out string
	platforms                             []string
}

// run makes every file and, last, their checksums.
func run(ctx context.Context, o options) error {
	if len(o.platforms) == 0 {
		o.platforms = platforms
	}
	if entries, err := os.ReadDir(o.out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", o.out)
	}
	work, err := os.MkdirTemp("", "brenner-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	src, err := export(ctx, o.repository, o.commit, filepath.Join(work, "source"))
	if err != nil {
		return err
	}
	r := &release{source: src, version: o.version, url: o.url, out: o.out, work: work}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	return r.make(ctx, o.platforms)
}

// release is one version on its way.
type release struct {
	source
	version, url string
	out, work    string
	binaries     []binary
	extras       []file // what every package holds beside the binary
}

func (r *release) make(ctx context.Context, platforms []string) error {
	steps := []func(context.Context) error{
		r.learnVersion,
		func(ctx context.Context) error { return r.compile(ctx, platforms) },
		r.collectExtras,
		r.writeArchives,
		r.writeLinuxPackages,
		r.writeImage,
		r.writeSBOM,
		r.writeFormula,
		r.writeSums,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}
