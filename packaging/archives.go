package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"time"
)

// writeArchives makes a .tar.gz for each platform, and a .zip for Windows.
func (r *release) writeArchives(context.Context) error {
	for _, b := range r.binaries {
		files := append([]file{{name: b.name(), path: b.path, mode: 0o755}}, r.extras...)
		folder := "brenner_" + r.version + "_" + b.os + "_" + b.arch
		if err := r.writeArchive(b, folder, files); err != nil {
			return err
		}
	}
	return nil
}

// archiveName is the file that a platform's archive has.
func (r *release) archiveName(b binary) string {
	name := "brenner_" + r.version + "_" + b.os + "_" + b.arch
	if b.os == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

func (r *release) writeArchive(b binary, folder string, files []file) error {
	out, err := os.Create(filepath.Join(r.out, r.archiveName(b)))
	if err != nil {
		return err
	}
	defer out.Close()
	if b.os == "windows" {
		err = zipFiles(out, folder, files, r.at)
	} else {
		err = tarGzip(out, folder, files, r.at)
	}
	if err != nil {
		return err
	}
	return out.Close()
}

func tarGzip(w io.Writer, folder string, files []file, at time.Time) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := tarFiles(packed, folder, files, at); err != nil {
		return err
	}
	return packed.Close()
}

func tarFiles(w io.Writer, folder string, files []file, at time.Time) error {
	out := tar.NewWriter(w)
	for _, f := range files {
		f.name = folder + "/" + f.name
		if err := f.addTo(out, at); err != nil {
			return err
		}
	}
	return out.Close()
}

// addTo writes the file into a tar file.
func (f file) addTo(out *tar.Writer, at time.Time) error {
	data, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	head := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(data)), ModTime: at, Format: tar.FormatUSTAR}
	if err := out.WriteHeader(head); err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

func zipFiles(w io.Writer, folder string, files []file, at time.Time) error {
	out := zip.NewWriter(w)
	for _, f := range files {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		head := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		head.SetMode(f.mode)
		entry, err := out.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := entry.Write(data); err != nil {
			return err
		}
	}
	return out.Close()
}
