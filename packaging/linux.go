package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	"github.com/goreleaser/nfpm/v2/rpm"
)

// installed are the folders that packages put files into.
var installed = map[kind]string{
	document:       "/usr/share/doc/brenner/",
	manual:         "/usr/share/man/man1/",
	bashCompletion: "/usr/share/bash-completion/completions/",
	zshCompletion:  "/usr/share/zsh/site-functions/",
	fishCompletion: "/usr/share/fish/vendor_completions.d/",
	unit:           "/usr/lib/systemd/system/",
}

// writeLinuxPackages makes a .deb and an .rpm for each Linux binary. They have no scripts: the unit is
// there to be enabled, and nothing starts by itself.
func (r *release) writeLinuxPackages(context.Context) error {
	packagers := []interface {
		nfpm.Packager
		nfpm.PackagerWithExtension
	}{deb.Default, rpm.DefaultRPM}
	for _, b := range r.binaries {
		if b.os != "linux" {
			continue
		}
		for _, p := range packagers {
			if err := r.writePackage(b, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) writePackage(b binary, p nfpm.Packager) error {
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "brenner", Arch: b.arch, Platform: b.os, Version: r.version, MTime: r.at,
		Section: "science", Priority: "optional", License: "MIT", Homepage: r.homepage(), Maintainer: "The brenner authors <brenner@localhost>",
		Description: "Research sessions of several agents\nTyped messages on threads, merged into a versioned artifact.",
		Overridables: nfpm.Overridables{
			Contents:   r.contents(b),
			Recommends: []string{"git"},
			Suggests:   []string{"tmux"},
			RPM:        nfpm.RPM{BuildHost: "localhost", Summary: "Research sessions of several agents"},
		},
	})
	if err := nfpm.PrepareForPackager(info, p.(interface{ ConventionalExtension() string }).ConventionalExtension()[1:]); err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(r.out, p.ConventionalFileName(info)))
	if err != nil {
		return err
	}
	defer out.Close()
	if err := p.Package(info, out); err != nil {
		return err
	}
	return out.Close()
}

func (r *release) contents(b binary) files.Contents {
	list := files.Contents{r.content(b.path, "/usr/bin/brenner", 0o755)}
	for _, f := range r.extras {
		name := filepath.Base(f.name)
		if f.kind == bashCompletion {
			name = "brenner"
		}
		if folder := installed[f.kind]; folder != "" {
			list = append(list, r.content(f.path, folder+name, f.mode))
		}
	}
	return list
}

func (r *release) content(path, to string, mode os.FileMode) *files.Content {
	return &files.Content{Source: path, Destination: to, FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.at}}
}

// homepage is where the module lives, once its path is an address.
func (r *release) homepage() string {
	if host, _, _ := strings.Cut(r.module, "/"); strings.Contains(host, ".") {
		return "https://" + r.module
	}
	return "https://brenner.invalid"
}
