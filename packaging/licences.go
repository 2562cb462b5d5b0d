package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is one that is compiled into a binary.
type module struct{ path, version string }

// modules are those of all binaries, as the binaries tell.
func (r *release) modules() ([]module, error) {
	var found []module
	for _, b := range r.binaries {
		info, err := buildinfo.ReadFile(b.path)
		if err != nil {
			return nil, err
		}
		for _, m := range info.Deps {
			found = append(found, module{m.Path, m.Version})
		}
	}
	slices.SortFunc(found, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return slices.Compact(found), nil
}

// licences is one text with the licences of all modules, of Go, and of the scripts inside pages.
func (r *release) licences(ctx context.Context) (string, error) {
	var b strings.Builder
	goroot, err := output(ctx, r.dir, nil, "go", "env", "GOROOT")
	if err != nil {
		return "", err
	}
	if err := r.appendLicences(&b, "The Go standard library", strings.TrimSpace(goroot)); err != nil {
		return "", err
	}
	vendored := filepath.Join(r.dir, "internal/web/assets/vendor")
	entries, err := os.ReadDir(vendored)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := r.appendLicences(&b, e.Name(), filepath.Join(vendored, e.Name())); err != nil {
				return "", err
			}
		}
	}
	modules, err := r.modules()
	if err != nil {
		return "", err
	}
	for _, m := range modules {
		dir, err := output(ctx, r.dir, nil, "go", "list", "-m", "-f", "{{.Dir}}", m.path)
		if err != nil {
			return "", err
		}
		if err := r.appendLicences(&b, m.path+" "+m.version, strings.TrimSpace(dir)); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// appendLicences adds the licence files of a folder. A module without one must not be shipped.
func (r *release) appendLicences(b *strings.Builder, title, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !licenceName.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(b, "%s\n%s: %s\n%s\n\n%s\n\n", strings.Repeat("=", 78), title, e.Name(), strings.Repeat("=", 78), strings.TrimSpace(string(text)))
	}
	if !found && dir != "" {
		return fmt.Errorf("%s has no licence file in %s", title, dir)
	}
	return nil
}
