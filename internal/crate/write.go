package crate

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// measured is a file with what one pass over it told.
type measured struct {
	File
	size   int64
	crc    uint32
	sha256 string
}

// Write packs the files with metadata, manifest and, with a signer, a signature. The same input
// gives the same bytes: names in byte order, no clock, nothing compressed. (An ECDSA signature
// is random by nature; Ed25519 and RSA keys sign the same way each time.) It returns the number of
// files in the zip.
func Write(w io.Writer, files []File, about Metadata, signer *Signer) (int, error) {
	parts, err := allParts(files, about, signer)
	if err != nil {
		return 0, err
	}
	return len(parts), pack(w, parts)
}

// allParts adds metadata, manifest and signature to the files.
func allParts(files []File, about Metadata, signer *Signer) ([]measured, error) {
	parts, err := measureAll(files)
	if err != nil {
		return nil, err
	}
	parts, err = add(parts, Bytes(MetadataName, "Metadata", "application/ld+json", about.document(parts)))
	if err != nil {
		return nil, err
	}
	manifest := manifestOf(parts)
	if parts, err = add(parts, Manifest(text(manifest))); err != nil || signer == nil {
		return parts, err
	}
	signature, err := signer.sign(manifest, namespace)
	if err != nil {
		return nil, err
	}
	return add(parts, SignatureFile(text(signature)))
}

func measureAll(files []File) ([]measured, error) {
	var parts []measured
	var err error
	for _, file := range files {
		if parts, err = add(parts, file); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// add measures one more file and puts it where its name belongs.
func add(parts []measured, file File) ([]measured, error) {
	if !localName(file.Name) {
		return nil, protocol.Errorf(protocol.Internal, "a crate cannot hold a file named %q", file.Name)
	}
	at, found := slices.BinarySearchFunc(parts, file.Name, func(p measured, name string) int { return strings.Compare(p.Name, name) })
	if found {
		return nil, protocol.Errorf(protocol.Internal, "a crate cannot hold %s twice", file.Name)
	}
	part, err := measure(file)
	if err != nil {
		return nil, err
	}
	return slices.Insert(parts, at, part), nil
}

func measure(file File) (measured, error) {
	content, err := file.Open()
	if err != nil {
		return measured{}, err
	}
	defer content.Close()
	sum, crc := sha256.New(), crc32.NewIEEE()
	size, err := io.Copy(io.MultiWriter(sum, crc), content)
	return measured{file, size, crc.Sum32(), hex.EncodeToString(sum.Sum(nil))}, err
}

// manifestOf lists what sha256sum -c checks.
func manifestOf(parts []measured) string {
	var text strings.Builder
	for _, part := range parts {
		text.WriteString(part.sha256 + "  " + part.Name + "\n")
	}
	return text.String()
}

func pack(w io.Writer, parts []measured) error {
	archive := zip.NewWriter(w)
	for _, part := range parts {
		if err := store(archive, part); err != nil {
			return err
		}
	}
	return archive.Close()
}

// store writes a file uncompressed with its length and checksum in front, so that even readers
// which do not look at the directory of the zip can read it.
func store(archive *zip.Writer, part measured) error {
	const firstDay = 0x21 // 1980-01-01 as DOS writes it
	header := &zip.FileHeader{
		Name: part.Name, Method: zip.Store, CRC32: part.crc,
		ModifiedDate:     firstDay, //nolint:staticcheck // Modified would add the same moment again, in another form
		CompressedSize64: uint64(part.size), UncompressedSize64: uint64(part.size),
	}
	header.SetMode(fs.FileMode(0o644))
	out, err := archive.CreateRaw(header)
	if err != nil {
		return err
	}
	content, err := part.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	sum := crc32.NewIEEE()
	n, err := io.Copy(io.MultiWriter(out, sum), content)
	if err == nil && (n != part.size || sum.Sum32() != part.crc) {
		err = protocol.Errorf(protocol.Conflict, "%s changed while it was packed; export again", part.Name)
	}
	return err
}
