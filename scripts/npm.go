//go:build ignore

// npm packs the program for npx: a package for each platform, which holds the program and which npm leaves out elsewhere, and one
// that starts the one that was installed. None has an install script. The same program and time give the same bytes.
//
//	npm -at SECONDS -version V -os OS -arch ARCH -o FOLDER PROGRAM    the package of a platform
//	npm -at SECONDS -version V -o FOLDER                              the one that starts it
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"log"
	"os"
	"path/filepath"
	"time"
)

const name = "@brenner/cli"

// manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Licence     string            `json:"license"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
}

// The words of npm for the words of Go.
var (
	systems    = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	processors = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// starter finds the package of the platform beside its own, and becomes its program as far as node can.
const starter = `#!/usr/bin/env node
'use strict'
const { spawnSync } = require('node:child_process')
const { constants } = require('node:os')

const name = '@brenner/cli-' + process.platform + '-' + process.arch
let program
try {
  program = require.resolve(name + '/bin/brenner' + (process.platform === 'win32' ? '.exe' : ''))
} catch {
  console.error('brenner: ' + name + ' is not installed: npm left optional packages out, or there is none for this platform')
  process.exit(1)
}
// The program gets them too, and says how it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' })
if (error) console.error('brenner: ' + error.message)
process.exit(status ?? (signal ? 128 + constants.signals[signal] : 1))
`

func main() {
	at := flag.Int64("at", 0, "the `SECONDS` of the commit")
	version := flag.String("version", "", "the `VERSION`")
	system := flag.String("os", "", "the `SYSTEM` of the program, as Go calls it")
	arch := flag.String("arch", "", "the `PROCESSOR` of the program, as Go calls it")
	out := flag.String("o", ".", "write into `FOLDER`")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("npm: ")

	p := manifest{Name: name, Version: *version, Licence: "MIT"}
	p.Description = "Research sessions of several agents, merged into a versioned artifact"
	file, suffix := "brenner.js", ""
	text := []byte(starter)
	if program := flag.Arg(0); program != "" {
		if file = "brenner"; *system == "windows" {
			file = "brenner.exe"
		}
		suffix = "-" + systems[*system] + "-" + processors[*arch]
		p.Name, p.OS, p.CPU = name+suffix, []string{systems[*system]}, []string{processors[*arch]}
		var err error
		text, err = os.ReadFile(program)
		check(err)
	} else {
		p.Bin, p.Engines = map[string]string{"brenner": "bin/brenner.js"}, map[string]string{"node": ">=18"}
		p.Optional = map[string]string{}
		for _, s := range systems {
			for _, c := range processors {
				p.Optional[name+"-"+s+"-"+c] = *version
			}
		}
	}
	check(os.MkdirAll(*out, 0o755))
	packed := pack(p, "bin/"+file, text, time.Unix(*at, 0).UTC())
	check(os.WriteFile(filepath.Join(*out, "brenner-cli"+suffix+"-"+*version+".tgz"), packed, 0o644))
}

// pack is the archive that npm install takes.
func pack(p manifest, path string, program []byte, made time.Time) []byte {
	described, err := json.MarshalIndent(p, "", "  ")
	check(err)
	licence, err := os.ReadFile("LICENSE")
	check(err)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	add := func(path string, mode int64, data []byte) {
		h := tar.Header{Name: "package/" + path, Mode: mode, Size: int64(len(data)), ModTime: made, Format: tar.FormatPAX}
		check(w.WriteHeader(&h))
		_, err := w.Write(data)
		check(err)
	}
	add("package.json", 0o644, append(described, '\n'))
	add("LICENSE", 0o644, licence)
	add(path, 0o755, program)
	check(w.Close())
	check(z.Close())
	return b.Bytes()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
