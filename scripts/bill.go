//go:build ignore

// bill writes what a release of brenner is made of: the texts of all licences, or a bill of materials (CycloneDX 1.6) with the
// licence and the hash of every module of every platform, and of every script and face that the pages carry.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// part is something that is shipped and was not written here.
type part struct {
	Type     string    `json:"type"` // library, file
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version,omitempty"`
	Hashes   []hash    `json:"hashes,omitempty"`
	Licences []licence `json:"licenses"`
	URL      string    `json:"purl,omitempty"`

	texts []text
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	ID string `json:"expression"`
}

type text struct{ name, body string }

func main() {
	licences := flag.String("licences", "", "write the texts of all licences to `FILE`")
	sbom := flag.String("sbom", "", "write the bill of materials to `FILE`")
	version := flag.String("version", "", "the `VERSION` of brenner")
	at := flag.Int64("at", 0, "the `SECONDS` of the commit")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("bill: ")

	parts := slices.Concat(standardLibrary(), vendored(), modules())
	if *licences != "" {
		check(os.WriteFile(*licences, licenceText(parts), 0o644))
	}
	if *sbom != "" {
		check(os.WriteFile(*sbom, billOf(parts, *version, time.Unix(*at, 0).UTC()), 0o644))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// ask runs the go command.
func ask(platform string, args ...string) string {
	system, arch, _ := strings.Cut(platform, "/")
	cmd := exec.Command("go", args...)
	cmd.Dir = root()
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	check(err)
	return strings.TrimSpace(string(out))
}

func root() string {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	check(err)
	return filepath.Dir(strings.TrimSpace(string(out)))
}

func standardLibrary() []part {
	version := strings.TrimPrefix(ask("", "env", "GOVERSION"), "go")
	return []part{newPart("library", "The Go standard library", version, "pkg:golang/std@"+version, nil, ask("", "env", "GOROOT"))}
}

// modules are those that the program imports on any platform.
func modules() []part {
	sums := moduleSums()
	seen := map[string]part{}
	for _, platform := range platforms {
		const form = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
		for line := range strings.Lines(ask(platform, "list", "-deps", "-f", form, "./cmd/brenner")) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			if len(fields) != 3 || seen[fields[0]].Name != "" {
				continue
			}
			path, version := fields[0], fields[1]
			seen[path] = newPart("library", path, version, "pkg:golang/"+path+"@"+version, sums[path+" "+version], fields[2])
		}
	}
	list := make([]part, 0, len(seen))
	for _, p := range seen {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b part) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// moduleSums are the hashes of go.sum: SHA-256 over the list of a module's files (h1).
func moduleSums() map[string][]hash {
	data, err := os.ReadFile(filepath.Join(root(), "go.sum"))
	check(err)
	sums := map[string][]hash{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || strings.HasSuffix(fields[1], "/go.mod") {
			continue
		}
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(fields[2], "h1:"))
		check(err)
		sums[fields[0]+" "+fields[1]] = []hash{{"SHA-256", hex.EncodeToString(sum)}}
	}
	return sums
}

// vendored are the scripts and faces inside the pages, a folder each with its licence.
func vendored() []part {
	var list []part
	base := filepath.Join(root(), "internal/web/assets/vendor")
	folders, err := os.ReadDir(base)
	check(err)
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		dir := filepath.Join(base, folder.Name())
		files, err := os.ReadDir(dir)
		check(err)
		for _, f := range files {
			if licenceName.MatchString(f.Name()) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, f.Name()))
			check(err)
			sum := sha256.Sum256(data)
			list = append(list, newPart("file", folder.Name()+"/"+f.Name(), "", "", []hash{{"SHA-256", hex.EncodeToString(sum[:])}}, dir))
		}
	}
	return list
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|ofl)([.-].*)?$`)

// newPart reads the licences in a folder. What has none must not be shipped.
func newPart(kind, name, version, url string, hashes []hash, dir string) part {
	p := part{Type: kind, Ref: url, Name: name, Version: version, Hashes: hashes, URL: url}
	if p.Ref == "" {
		p.Ref = "file:" + name
	}
	entries, err := os.ReadDir(dir)
	check(err)
	for _, e := range entries {
		if e.IsDir() || !licenceName.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		check(err)
		p.texts = append(p.texts, text{e.Name(), strings.TrimSpace(string(data))})
		if id := licenceID(string(data)); id != "" && !slices.Contains(p.Licences, licence{id}) {
			p.Licences = append(p.Licences, licence{id})
		}
	}
	if len(p.Licences) == 0 {
		log.Fatalf("%s has no licence that is known in %s", name, dir)
	}
	// CycloneDX takes one expression.
	ids := make([]string, len(p.Licences))
	for i, l := range p.Licences {
		ids[i] = l.ID
	}
	p.Licences = []licence{{strings.Join(ids, " AND ")}}
	return p
}

// licencePhrases tell licences apart by words that only they have, the more particular first.
var licencePhrases = []struct{ phrase, id string }{
	{"Apache License Version 2.0", "Apache-2.0"},
	{"Licensed under the Apache License, Version 2.0", "Apache-2.0"},
	{"Mozilla Public License Version 2.0", "MPL-2.0"},
	{"SIL OPEN FONT LICENSE Version 1.1", "OFL-1.1"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"Neither the name of", "BSD-3-Clause"},
	{"names of its contributors may be used", "BSD-3-Clause"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	{"Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided",
		"ISC"},
	{"Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.", "0BSD"},
	{"This is free and unencumbered software released into the public domain", "Unlicense"},
}

func licenceID(body string) string {
	flat := strings.Join(strings.Fields(body), " ")
	for _, l := range licencePhrases {
		if strings.Contains(flat, l.phrase) {
			return l.id
		}
	}
	return ""
}

func licenceText(parts []part) []byte {
	var b bytes.Buffer
	rule := strings.Repeat("=", 78)
	for _, p := range parts {
		for _, t := range p.texts {
			title := strings.TrimSpace(p.Name + " " + p.Version)
			fmt.Fprintf(&b, "%s\n%s: %s\n%s\n\n%s\n\n", rule, title, t.name, rule, t.body)
		}
	}
	return b.Bytes()
}

func billOf(parts []part, version string, at time.Time) []byte {
	program := map[string]any{"type": "application", "bom-ref": "brenner", "name": "brenner", "version": version}
	refs := make([]string, len(parts))
	for i, p := range parts {
		refs[i] = p.Ref
	}
	data, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":     map[string]any{"timestamp": at.Format(time.RFC3339), "component": program},
		"components":   parts,
		"dependencies": []any{map[string]any{"ref": "brenner", "dependsOn": refs}},
	}, "", "  ")
	check(err)
	return append(data, '\n')
}
