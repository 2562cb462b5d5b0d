package main

import (
	"archive/tar"
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// nobody is the user that the container runs as.
const nobody = 65532

// writeImage makes one OCI image for all Linux binaries, as a layout in a tar file, which docker load,
// podman load and skopeo read.
func (r *release) writeImage(context.Context) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, b := range r.binaries {
		if b.os != "linux" {
			continue
		}
		image, err := r.image(b)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image,
			Descriptor: v1.Descriptor{
				Platform:    &v1.Platform{OS: b.os, Architecture: b.arch},
				Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version},
			},
		})
	}
	dir := filepath.Join(r.work, "image")
	if _, err := layout.Write(dir, index); err != nil {
		return err
	}
	return r.packLayout(dir, filepath.Join(r.out, "brenner_"+r.version+"_oci.tar"))
}

func (r *release) image(b binary) (v1.Image, error) {
	layer, err := r.layer(b)
	if err != nil {
		return nil, err
	}
	image, err := mutate.Append(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON), mutate.Addendum{
		Layer:     layer,
		MediaType: types.OCILayer,
		History:   v1.History{Created: v1.Time{Time: r.at}, CreatedBy: "brenner release"},
	})
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, r.imageConfig(b, image))
}

func (r *release) imageConfig(b binary, image v1.Image) *v1.ConfigFile {
	config, err := image.ConfigFile()
	if err != nil {
		config = &v1.ConfigFile{}
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = b.os, b.arch, v1.Time{Time: r.at}
	config.Config = v1.Config{
		Entrypoint: []string{"/usr/bin/brenner"},
		Cmd:        []string{"help"},
		User:       "65532:65532",
		WorkingDir: "/project",
		Env:        []string{"PATH=/usr/bin", "HOME=/home/brenner"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "brenner",
			"org.opencontainers.image.version":  r.version,
			"org.opencontainers.image.revision": r.commit,
			"org.opencontainers.image.licenses": "MIT",
		},
	}
	return config
}

// layer holds the static binary, the licences, and the folders it writes to.
func (r *release) layer(b binary) (v1.Layer, error) {
	var buf bytes.Buffer
	out := tar.NewWriter(&buf)
	for _, dir := range []struct {
		name  string
		mode  int64
		owner int
	}{{"project/", 0o755, nobody}, {"home/", 0o755, 0}, {"home/brenner/", 0o700, nobody}, {"tmp/", 0o1777, 0}, {"usr/", 0o755, 0}, {"usr/bin/", 0o755, 0}} {
		head := &tar.Header{Typeflag: tar.TypeDir, Name: dir.name, Mode: dir.mode, Uid: dir.owner, Gid: dir.owner, ModTime: r.at, Format: tar.FormatUSTAR}
		if err := out.WriteHeader(head); err != nil {
			return nil, err
		}
	}
	files := []file{{name: "usr/bin/brenner", path: b.path, mode: 0o755}}
	for _, f := range r.extras {
		if filepath.Base(f.name) == "THIRD_PARTY_LICENSES.txt" || f.name == "LICENSE" {
			files = append(files, file{name: "usr/share/doc/brenner/" + f.name, path: f.path, mode: f.mode})
		}
	}
	for _, f := range files {
		if err := f.addTo(out, r.at); err != nil {
			return nil, err
		}
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(buf.Bytes())), nil })
}

// packLayout puts a folder into a tar file, in the order of names.
func (r *release) packLayout(dir, to string) error {
	packed, err := os.Create(to)
	if err != nil {
		return err
	}
	defer packed.Close()
	out := tar.NewWriter(packed)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return file{name: filepath.ToSlash(name), path: path, mode: 0o644}.addTo(out, r.at)
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return packed.Close()
}
