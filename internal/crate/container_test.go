package crate_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io/fs"
	"strings"
	"testing"

	"brenner/internal/crate"
)

// place is where something stands in a zip file of ours, whose entries are stored in byte order.
func place(t *testing.T, data []byte, what string, nth int) int {
	t.Helper()
	at := -1
	for range nth {
		next := bytes.Index(data[at+1:], []byte(what))
		if next < 0 {
			t.Fatalf("there is no %q", what)
		}
		at += 1 + next
	}
	return at
}

// TestContainer: whatever a zip file says twice agrees, and nothing lies beside its files (SCIENCE 9, files).
func TestContainer(t *testing.T) {
	good := pack(t, nil)
	end := len(good) - 22
	directory := int(binary.LittleEndian.Uint32(good[end+16:]))
	put := func(at int, text string) func([]byte) []byte {
		return func(data []byte) []byte {
			return append(append(bytes.Clone(data[:at]), text...), data[at+len(text):]...)
		}
	}
	// move puts bytes somewhere and mends every place that the directory names.
	move := func(at int, text string) func([]byte) []byte {
		return func(data []byte) []byte {
			moved := append(append(bytes.Clone(data[:at]), text...), data[at:]...)
			last := moved[len(moved)-22:]
			if at <= directory {
				binary.LittleEndian.PutUint32(last[16:], uint32(directory+len(text)))
			}
			for i := max(at, directory) + len(text); i < len(moved)-22 && string(moved[i:i+4]) == "PK\x01\x02"; {
				header := moved[i:]
				if offset := binary.LittleEndian.Uint32(header[42:]); int(offset) >= at {
					binary.LittleEndian.PutUint32(header[42:], offset+uint32(len(text)))
				}
				i += 46 + int(binary.LittleEndian.Uint16(header[28:]))
			}
			return moved
		}
	}
	second := place(t, good, "PK\x03\x04", 2)
	listed := place(t, good, "PK\x01\x02", 2)
	for name, change := range map[string]func([]byte) []byte{
		"bytes before":             move(0, "#!/bin/sh\n"),
		"bytes between":            move(second, "hidden"),
		"an entry between":         move(second, string(good[:second])),
		"bytes before directory":   move(directory, "hidden"),
		"bytes behind":             func(data []byte) []byte { return append(bytes.Clone(data), 'x') },
		"another zip behind":       func(data []byte) []byte { return append(bytes.Clone(data), data...) },
		"a comment":                func(data []byte) []byte { return append(put(end+20, "\x01\x00")(data), 'x') },
		"a comment of an entry":    put(listed+32, "\x01"),
		"another name in front":    put(second+30, "ARTIFACT.MD"),
		"another name listed":      put(listed+46, "ARTIFACT.MD"),
		"another method in front":  put(second+8, "\x08"),
		"another CRC in front":     put(second+14, "\x00\x00\x00\x00"),
		"another size in front":    put(second+18, "\x01\x00\x00\x00"),
		"another size, unpacked":   put(second+22, "\x01\x00\x00\x00"),
		"encrypted in front":       put(second+6, "\x01"),
		"encrypted as listed":      put(listed+8, "\x01"),
		"strongly encrypted":       put(listed+8, "\x41"),
		"the directory masked":     put(listed+9, "\x20"),
		"the name is UTF-8 once":   put(second+7, "\x08"),
		"a descriptor is promised": put(second+6, "\x08"),
		"one of several disks":     put(end+4, "\x01"),
		"an entry on another disk": put(listed+34, "\x01"),
		"one entry less":           func(data []byte) []byte { data = bytes.Clone(data); data[end+8]--; data[end+10]--; return data },
		"two entries in one place": put(listed+42, "\x00\x00\x00\x00"),
	} {
		if change(good)[0] == 0 || bytes.Equal(change(good), good) {
			t.Fatalf("%s: nothing was changed", name)
		}
		c, err := crate.Open(bytes.NewReader(change(good)), int64(len(change(good))))
		if err != nil {
			continue
		}
		if _, bad := c.Check(nil, day); bad == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestPackedAgain: what other programs make of the same files is taken, and what they would hide is not.
func TestPackedAgain(t *testing.T) {
	files := contents(t, pack(t, nil))
	again := func(change func(h *zip.FileHeader, text string) (string, error), more ...zip.FileHeader) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for _, h := range more {
			if _, err := w.CreateRaw(&h); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range entries(files) {
			h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
			text, err := change(h, e.text)
			if err != nil {
				t.Fatal(err)
			}
			create := w.CreateHeader
			if h.CompressedSize64 > 0 {
				create = w.CreateRaw
			}
			f, err := create(h)
			if err == nil {
				_, err = f.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	as := func(set func(*zip.FileHeader)) func(*zip.FileHeader, string) (string, error) {
		return func(h *zip.FileHeader, text string) (string, error) { set(h); return text, nil }
	}
	same := as(func(*zip.FileHeader) {})
	folder, link := zip.FileHeader{Name: "evidence/"}, zip.FileHeader{Name: "link"}
	folder.SetMode(fs.ModeDir | 0o755)
	link.SetMode(fs.ModeSymlink | 0o777)
	made := func(host uint16, mode uint32) func(*zip.FileHeader, string) (string, error) {
		return as(func(h *zip.FileHeader) { h.CreatorVersion, h.ExternalAttrs = host<<8|20, mode<<16 })
	}
	linked := folder
	linked.ExternalAttrs = 0o120777 << 16
	extra := func(id uint16, value string) []byte {
		field := binary.LittleEndian.AppendUint16(nil, id)
		return append(binary.LittleEndian.AppendUint16(field, uint16(len(value))), value...)
	}
	for name, tc := range map[string]struct {
		data []byte
		ok   bool
	}{
		"compressed, with descriptors": {again(same), true},
		"stored, with descriptors":     {again(as(func(h *zip.FileHeader) { h.Method = zip.Store })), true},
		"with a folder":                {again(same, folder), true},
		"dated, in an extra field":     {again(as(func(h *zip.FileHeader) { h.Modified = day })), true},
		"with the name in UTF-8 again": {again(as(func(h *zip.FileHeader) { h.Extra = extra(0x7075, "\x01crc_"+h.Name) })), true},
		"with another name in UTF-8":   {again(as(func(h *zip.FileHeader) { h.Extra = extra(0x7075, "\x01crc_x"+h.Name) })), false},
		"with a comment in UTF-8":      {again(as(func(h *zip.FileHeader) { h.Extra = extra(0x6375, "\x01crc_x") })), false},
		"with a comment":               {again(as(func(h *zip.FileHeader) { h.Comment = "x" })), false},
		"with a link":                  {again(same, link), false},
		"with files that are links":    {again(as(func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) })), false},
		"with bytes behind the stream": {again(hidden), false},
		"with the folder as a file":    {again(same, zip.FileHeader{Name: "evidence"}), false},
		"with a way out as a folder":   {again(same, zip.FileHeader{Name: "../x/"}), false},
		"with a folder from Unix":      {again(made(3, 0o100600), folder), true},
		"with modes of no system":      {again(made(0, 0o600)), true},
		"with links of BeOS":           {again(made(16, 0o120777)), false},
		"with links of OpenVMS":        {again(made(2, 0o120777)), false},
		"with devices":                 {again(made(30, 0o020777)), false},
		"with links, in an extra field": {again(as(func(h *zip.FileHeader) {
			h.Extra = extra(0x756e, "crc_\xff\xa1____uugg")
		})), false},
		"with a mode in an extra field": {again(as(func(h *zip.FileHeader) {
			h.Extra = extra(0x756e, "crc_\xa4\x81____uugg")
		})), true},
		"with a folder twice":          {again(same, folder, folder), false},
		"with a folder that is a link": {again(same, linked), false},
		"with a folder like a file":    {again(same, zip.FileHeader{Name: "Artifact.MD/"}), false},
		"with a folder in capitals":    {again(same, zip.FileHeader{Name: "EVIDENCE/"}), false},
		"with a folder below a file":   {again(same, zip.FileHeader{Name: "artifact.md/x/"}), false},
		"with very deep folders":       {again(same, zip.FileHeader{Name: strings.Repeat("a/", 100)}), false},
	} {
		if _, bad := check(t, tc.data, nil); (bad == nil) != tc.ok {
			t.Errorf("%s: %v", name, bad)
		}
	}
}

// hidden puts a secret behind the end of what a program that unpacks reads.
func hidden(h *zip.FileHeader, text string) (string, error) {
	var packed strings.Builder
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	packed.WriteString("secret")
	h.CRC32, h.CompressedSize64, h.UncompressedSize64 = crc32.ChecksumIEEE([]byte(text)), uint64(packed.Len()), uint64(len(text))
	return packed.String(), err
}
