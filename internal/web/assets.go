package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"brenner/internal/protocol"
)

//go:embed assets
var assetFiles embed.FS

// assets serves the embedded files under /assets/{hash}/{name}. The hash covers all of them, so
// that modules find each other by relative names and browsers keep them for ever.
type assets struct {
	hash  string
	files map[string]asset
}

type asset struct {
	kind        string
	plain, gzip []byte
}

func newAssets() *assets {
	a := &assets{files: map[string]asset{}}
	sum := sha256.New()
	err := fs.WalkDir(assetFiles, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := assetFiles.ReadFile(name)
		if err != nil {
			return err
		}
		sum.Write([]byte(name))
		sum.Write(data)
		a.files[strings.TrimPrefix(name, "assets/")] = asset{kind: kindOf(name), plain: data, gzip: compress(data)}
		return nil
	})
	if err != nil {
		panic(err) // the files are compiled in
	}
	a.hash = hex.EncodeToString(sum.Sum(nil))[:12]
	return a
}

func kindOf(name string) string {
	if path.Ext(name) == ".woff2" {
		return "font/woff2" // not every system knows it
	}
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		return kind
	}
	return "text/plain; charset=utf-8"
}

func compress(data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level exists
	}
	_, _ = w.Write(data) // a buffer never fails
	_ = w.Close()
	return b.Bytes()
}

// url is the address of a file.
func (a *assets) url(name string) string { return "/assets/" + a.hash + "/" + name }

// ServeHTTP implements http.Handler.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	hash, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/assets/"), "/")
	a.serve(w, r, hash, name)
}

// icon answers browsers that show something without a page around it.
func (a *assets) icon(w http.ResponseWriter, r *http.Request) { a.serve(w, r, "", "icon.svg") }

func (a *assets) serve(w http.ResponseWriter, r *http.Request, hash, name string) {
	f, ok := a.files[name]
	if !ok {
		failPlainly(w, protocol.Errorf(protocol.NotFound, "there is no file %s", short(200, name)))
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if hash == a.hash {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body := f.plain
	if len(f.gzip) < len(f.plain) && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.gzip
	}
	_, _ = w.Write(body) // the client is gone
}
