package main

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed files/brenner.rb.tmpl
var formula string

// formulaData is what the template of the formula needs.
type formulaData struct {
	Version, Homepage, URL string
	Systems                []formulaSystem
}

type formulaSystem struct {
	Name string // on_macos, on_linux
	CPUs []formulaCPU
}

type formulaCPU struct{ Name, Archive, Sum string } // on_arm, on_intel

// writeFormula makes the formula for Homebrew, with the checksums of the archives of this release.
func (r *release) writeFormula(context.Context) error {
	parsed, err := template.New("formula").Parse(formula)
	if err != nil {
		return err
	}
	data := formulaData{Version: r.version, Homepage: r.homepage(), URL: r.downloads()}
	for _, system := range []struct{ os, name string }{{"darwin", "on_macos"}, {"linux", "on_linux"}} {
		s := formulaSystem{Name: system.name}
		for _, b := range r.binaries {
			if b.os != system.os {
				continue
			}
			sum, err := sumOf(filepath.Join(r.out, r.archiveName(b)))
			if err != nil {
				return err
			}
			cpu := map[string]string{"arm64": "on_arm", "amd64": "on_intel"}[b.arch]
			s.CPUs = append(s.CPUs, formulaCPU{cpu, r.archiveName(b), sum})
		}
		if len(s.CPUs) > 0 {
			data.Systems = append(data.Systems, s)
		}
	}
	var text strings.Builder
	if err := parsed.Execute(&text, data); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "brenner.rb"), []byte(text.String()), 0o644)
}

// downloads is the address below which the archives will be found.
func (r *release) downloads() string {
	if r.url != "" {
		return strings.TrimSuffix(r.url, "/")
	}
	return r.homepage() + "/releases/download/v" + r.version
}
