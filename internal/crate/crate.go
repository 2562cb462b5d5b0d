// Package crate reads and writes research crates: a zip file that follows RO-Crate 1.2, with a
// manifest that sha256sum reads and, if asked for, an SSH signature of that manifest
// (SCIENCE 9). It knows files, hashes and signatures; what the files say is the business of others.
package crate

import (
	"io"
	"path"
	"strings"
)

// The files that every crate has beside its content.
const (
	MetadataName  = "ro-crate-metadata.json"
	PreviewName   = "ro-crate-preview.html"
	ManifestName  = "manifest.sha256"
	SignatureName = "manifest.sha256.sig"
)

// maxUnpacked bounds what is read of a crate, whatever its directory claims (SCIENCE 9).
const maxUnpacked = 1 << 30

// File is one file that goes into a crate. Open is called twice: once to hash, once to copy.
type File struct {
	Name      string // with slashes, below the root of the crate
	Title     string // what a person calls it
	MediaType string
	Open      func() (io.ReadCloser, error)
}

// Bytes returns a file that is in memory.
func Bytes(name, title, mediaType, content string) File {
	return File{name, title, mediaType, text(content)}
}

func text(content string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
}

// Manifest is the file that lists the others.
func Manifest(open func() (io.ReadCloser, error)) File {
	return File{ManifestName, "Manifest", "text/plain", open}
}

// SignatureFile is the signature of the manifest.
func SignatureFile(open func() (io.ReadCloser, error)) File {
	return File{SignatureName, "Signature", "text/plain", open}
}

// localName reports whether a name stays inside the crate and is spelled in one way only.
func localName(name string) bool {
	return name != "" && name == path.Clean(name) && name[0] != '/' && name != "." && name != ".." &&
		!strings.HasPrefix(name, "../") && !strings.ContainsAny(name, "\\:\x00\n\r")
}

// isFrame reports whether the file describes or protects the others: hasPart leaves it out.
func isFrame(name string) bool {
	switch name {
	case MetadataName, PreviewName, ManifestName, SignatureName:
		return true
	}
	return false
}
