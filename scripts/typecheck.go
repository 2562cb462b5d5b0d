//go:build ignore

// typecheck OS/ARCH…: type-checks the module and everything it imports for other platforms, without
// compiling: what other modules declare is read, what their functions do is not. It takes a tenth
// of the time of a build and finds what a build would, short of the compiler's and the linker's
// own faults. `make cross` builds for all of them.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listed is a package as `go list` describes it.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	CgoFiles   []string
	ImportMap  map[string]string
	Module     *struct{ Main bool }
	Error      *struct{ Err string }
}

func main() {
	failed := false
	for _, platform := range os.Args[1:] {
		fmt.Println("check", platform)
		for _, err := range check(platform) {
			fmt.Fprintln(os.Stderr, platform+":", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check type-checks one platform and returns what is wrong with it.
func check(platform string) []error {
	system, machine, _ := strings.Cut(platform, "/")
	packages, err := list(system, machine)
	if err != nil {
		return []error{err}
	}
	c := &checker{files: token.NewFileSet(), sizes: types.SizesFor("gc", machine), done: map[string]*types.Package{"unsafe": types.Unsafe}}
	for i := range packages { // in the order of imports
		c.check(&packages[i])
	}
	return c.faults
}

func list(system, machine string) ([]listed, error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Module,Error", "./...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

type checker struct {
	files  *token.FileSet
	sizes  types.Sizes
	done   map[string]*types.Package
	faults []error
}

func (c *checker) check(p *listed) {
	own := p.Module != nil && p.Module.Main
	if p.Error != nil {
		c.faults = append(c.faults, errors.New(p.ImportPath+": "+p.Error.Err))
	}
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(c.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			c.faults = append(c.faults, err)
			continue
		}
		parsed = append(parsed, f)
	}
	if p.ImportPath == "unsafe" {
		return
	}
	config := types.Config{
		Importer: importer{c, p}, Sizes: c.sizes, IgnoreFuncBodies: !own, FakeImportC: true,
		Error: func(err error) {
			if own {
				c.faults = append(c.faults, err)
			}
		},
	}
	c.done[p.ImportPath], _ = config.Check(p.ImportPath, c.files, parsed, nil) // what is wrong was told to Error
}

// importer finds packages that were checked before, under the names that this one uses.
type importer struct {
	*checker
	of *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	if real, ok := i.of.ImportMap[path]; ok {
		path = real
	}
	if found := i.done[path]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("%s is not there", path)
}
