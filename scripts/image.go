//go:build ignore

// image puts the static program into an OCI image, as a layout in a tar file that docker load, podman load and skopeo read.
// GoReleaser would need a container engine for it. The same binary and time give the same bytes.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"log"
	"os"
	"time"
)

// user is the one that the container runs as.
const user = 65532

type blob struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`

	data []byte
}

func main() {
	at := flag.Int64("at", 0, "the `SECONDS` of the commit")
	version := flag.String("version", "", "the `VERSION`")
	revision := flag.String("revision", "", "the `COMMIT`")
	arch := flag.String("arch", "amd64", "the `ARCH` of the program")
	out := flag.String("o", "image.tar", "write to `FILE`")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("image: ")
	made := time.Unix(*at, 0).UTC()

	layer, diff := layerOf(flag.Arg(0), made)
	config := document("application/vnd.oci.image.config.v1+json", map[string]any{
		"architecture": *arch, "os": "linux", "created": made,
		"config": map[string]any{
			"Entrypoint": []string{"/usr/bin/brenner"}, "Cmd": []string{"help"}, "User": "65532:65532", "WorkingDir": "/project",
			"Env": []string{"PATH=/usr/bin", "HOME=/home/brenner"},
			"Labels": map[string]string{
				"org.opencontainers.image.title": "brenner", "org.opencontainers.image.version": *version,
				"org.opencontainers.image.revision": *revision, "org.opencontainers.image.licenses": "MIT",
			},
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{diff}},
		"history": []any{map[string]any{"created": made, "created_by": "brenner release"}},
	})
	manifest := document("application/vnd.oci.image.manifest.v1+json", map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": []blob{layer},
	})
	manifest.Annotations = map[string]string{"org.opencontainers.image.ref.name": *version}
	index := document("", map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []blob{manifest},
	})

	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	add(w, made, "oci-layout", 0o644, 0, []byte(`{"imageLayoutVersion":"1.0.0"}`))
	add(w, made, "index.json", 0o644, 0, index.data)
	for _, b := range []blob{layer, config, manifest} {
		add(w, made, "blobs/sha256/"+b.Digest[len("sha256:"):], 0o644, 0, b.data)
	}
	check(w.Close())
	check(os.WriteFile(*out, packed.Bytes(), 0o644))
}

// layerOf holds the program, the licences and the folders that it writes to; and the digest of the layer unpacked.
func layerOf(program string, made time.Time) (blob, string) {
	var plain, packed bytes.Buffer
	w := tar.NewWriter(&plain)
	add(w, made, "project/", 0o755, user, nil)
	add(w, made, "home/brenner/", 0o700, user, nil)
	add(w, made, "tmp/", 0o1777, 0, nil)
	add(w, made, "usr/bin/brenner", 0o755, 0, read(program))
	add(w, made, "usr/share/doc/brenner/LICENSE", 0o644, 0, read("LICENSE"))
	add(w, made, "usr/share/doc/brenner/THIRD_PARTY_LICENSES.txt", 0o644, 0, read("build/THIRD_PARTY_LICENSES.txt"))
	check(w.Close())
	z := gzip.NewWriter(&packed)
	_, err := z.Write(plain.Bytes())
	check(err)
	check(z.Close())
	return newBlob("application/vnd.oci.image.layer.v1.tar+gzip", packed.Bytes()), digest(plain.Bytes())
}

func add(w *tar.Writer, made time.Time, name string, mode int64, owner int, data []byte) {
	head := &tar.Header{Name: name, Mode: mode, Uid: owner, Gid: owner, Size: int64(len(data)), ModTime: made, Format: tar.FormatUSTAR}
	if name[len(name)-1] == '/' {
		head.Typeflag = tar.TypeDir
	}
	check(w.WriteHeader(head))
	_, err := w.Write(data)
	check(err)
}

func document(kind string, v any) blob {
	data, err := json.Marshal(v)
	check(err)
	return newBlob(kind, data)
}

func newBlob(kind string, data []byte) blob {
	return blob{MediaType: kind, Digest: digest(data), Size: len(data), data: data}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func read(path string) []byte {
	data, err := os.ReadFile(path)
	check(err)
	return data
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
