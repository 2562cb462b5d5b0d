package crate

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
)

// A zip file says twice what is in it: in front of each entry, and in the directory at its end. Programs that unpack it
// believe the one or the other. These are the records of which a crate is made, and nothing else (SCIENCE 9, files).
const (
	localSignature      = "PK\x03\x04"
	directorySignature  = "PK\x01\x02"
	descriptorSignature = "PK\x07\x08"
	endSignature        = "PK\x05\x06"
	end64Signature      = "PK\x06\x06"
	locator64Signature  = "PK\x06\x07"

	localSize, directorySize, endSize, end64Size, locator64Size = 30, 46, 22, 56, 20

	// maxDirectory bounds the directory, which is held in memory.
	maxDirectory = 16 << 20
)

// The flags of an entry that matter here.
const (
	flagEncrypted  = 1 | 1<<6 | 1<<13
	flagDescriptor = 1 << 3
	flagUTF8       = 1 << 11
)

// entry is what one of the two headers says.
type entry struct {
	name             string
	flags, method    uint16
	crc              uint32
	packed, unpacked uint64
	offset           uint64 // of its local header; only the directory says it
}

// container checks the records of a zip file.
type container struct {
	r    io.ReaderAt
	size int64
}

// check names the first byte that belongs to no file, and the first file of which the two headers say different things. whole is
// false where the file has no directory, or none of a crate.
func (c container) check() (bad *Problem, whole bool) {
	start, length, count, bad := c.directory()
	if bad != nil {
		return bad, false
	}
	entries, bad := c.directoryEntries(start, length, count)
	if bad == nil {
		bad = c.entries(start, entries)
	}
	return bad, true
}

// entries compares the files with the directory, which begins at start.
func (c container) entries(start uint64, entries []entry) *Problem {
	var bad *Problem
	slices.SortFunc(entries, func(a, b entry) int {
		return int(int64(a.offset) - int64(b.offset))
	}) //nolint:gosec // both lie inside the file
	at := uint64(0)
	for i, e := range entries {
		if e.offset != at {
			return problem(e.name, "other bytes lie before it in the zip file")
		}
		next := start
		if i+1 < len(entries) {
			next = entries[i+1].offset
		}
		if at, bad = c.entry(e, next); bad != nil {
			return bad
		}
	}
	if at != start {
		return problem("", "other bytes lie before the directory of the zip file")
	}
	return nil
}

// directory reads the records at the end of the file.
func (c container) directory() (start, length, records uint64, bad *Problem) {
	end, err := c.bytes(c.size-endSize, endSize)
	if err != nil || string(end[:4]) != endSignature {
		return 0, 0, 0, problem("", "the zip file does not end with its directory, or has a comment")
	}
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	count, length, start := uint64(u16(end[10:])), uint64(u32(end[12:])), uint64(u32(end[16:]))
	split, behind := u16(end[4:]) != 0 || u16(end[6:]) != 0 || u16(end[8:]) != u16(end[10:]) || u16(end[20:]) != 0, uint64(c.size-endSize)
	if at := c.size - endSize - locator64Size - end64Size; at >= 0 {
		large, err := c.bytes(at, end64Size+locator64Size)
		if err == nil && string(large[:4]) == end64Signature && string(large[end64Size:end64Size+4]) == locator64Signature {
			behind = uint64(at)
			split = split || !plainEnd64(large, behind)
			u64 := binary.LittleEndian.Uint64
			split = split || !either(count, 0xffff, u64(large[32:])) || !either(length, 0xffffffff, u64(large[40:])) ||
				!either(start, 0xffffffff, u64(large[48:]))
			count, length, start = u64(large[32:]), u64(large[40:]), u64(large[48:])
		}
	}
	switch {
	case split:
		return 0, 0, 0, problem("", "the zip file is one of several, or its last records contradict each other")
	case length > maxDirectory:
		return 0, 0, 0, problem("", "the zip file has more entries than any crate")
	case start > behind || length != behind-start:
		return 0, 0, 0, problem("", "other bytes lie before or behind the directory of the zip file")
	}
	return start, length, count, nil
}

// plainEnd64 reports whether the large form of the last record says nothing of other disks, and stands where the other says.
func plainEnd64(large []byte, at uint64) bool {
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	return u64(large[4:]) == end64Size-12 && u32(large[16:]) == 0 && u32(large[20:]) == 0 && u64(large[24:]) == u64(large[32:]) &&
		u32(large[end64Size+4:]) == 0 && u64(large[end64Size+8:]) == at && u32(large[end64Size+16:]) == 1
}

// either reports whether the short form of a number is the number, or says that the long form has it.
func either(short, full, long uint64) bool { return short == long || short == full }

func (c container) directoryEntries(start, length, count uint64) ([]entry, *Problem) {
	r := bufio.NewReader(io.NewSectionReader(c.r, int64(start),
		int64(length))) //nolint:gosec // both were compared with the size of the file
	var entries []entry
	for range count {
		head, name, extra, err := header(r, directorySignature, directorySize, 28)
		u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
		if err != nil {
			return nil, problem("", "the directory of the zip file cannot be read")
		}
		e := entry{
			name: name, flags: u16(head[8:]), method: u16(head[10:]), crc: u32(head[16:]),
			packed: uint64(u32(head[20:])), unpacked: uint64(u32(head[24:])), offset: uint64(u32(head[42:])),
		}
		whole := e.large(extra, &e.unpacked, &e.packed, &e.offset)
		switch {
		case u16(head[32:]) != 0:
			return nil, problem(name, "it has a comment in the zip file")
		case u16(head[34:]) != 0, !whole:
			return nil, problem(name, "the directory of the zip file does not say where it is")
		case renames(extra, name):
			return nil, problem(name, "the zip file gives it another name, kind or comment in an extra field")
		case !plain(uint16(u32(head[38:])>>16), name):
			return nil, problem(name, "it is no regular file")
		}
		entries = append(entries, e)
	}
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		return nil, problem("", "other bytes lie in the directory of the zip file")
	}
	return entries, nil
}

// entry checks the header in front of a file and returns where the next one begins. next is where the directory says so.
func (c container) entry(e entry, next uint64) (uint64, *Problem) {
	r := io.NewSectionReader(c.r, int64(e.offset), c.size) //nolint:gosec // a place outside cannot be read
	head, name, extra, err := header(r, localSignature, localSize, 26)
	if err != nil {
		return 0, problem(e.name, "it is not where the directory of the zip file says")
	}
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	l := entry{
		name: name, flags: u16(head[6:]), method: u16(head[8:]), crc: u32(head[14:]),
		packed: uint64(u32(head[18:])), unpacked: uint64(u32(head[22:])),
	}
	if !l.large(extra, &l.unpacked, &l.packed) || renames(extra, e.name) {
		return 0, problem(e.name, "the header in front of it cannot be read in one way")
	}
	if bad := e.agrees(l); bad != nil {
		return 0, bad
	}
	body := e.offset + localSize + uint64(len(name)) + uint64(len(extra))
	end := body + e.packed
	if end < body || end > next {
		return 0, problem(e.name, "it is longer in the zip file than its place")
	}
	if l.flags&flagDescriptor == 0 {
		return end, nil
	}
	if !c.descriptor(e, end, next-end) {
		return 0, problem(e.name, "the record behind it is not its own")
	}
	return next, nil
}

// agrees compares what the directory says of an entry with the header in front of it.
func (e entry) agrees(local entry) *Problem {
	later := local.flags&flagDescriptor != 0 // the record behind the content says what the one in front leaves at zero
	told := func(local, listed uint64) bool { return local == listed || later && local == 0 }
	switch {
	case (e.flags|local.flags)&flagEncrypted != 0:
		return problem(e.name, "it is encrypted")
	case local.name != e.name || (e.flags^local.flags)&flagUTF8 != 0:
		return problem(e.name, "the zip file also calls it %q", local.name)
	case local.method != e.method:
		return problem(e.name, "the zip file names two methods of compression for it")
	case !told(uint64(local.crc), uint64(e.crc)), !told(local.packed, e.packed), !told(local.unpacked, e.unpacked):
		return problem(e.name, "the zip file names two sizes or checksums for it")
	case e.method == 0 && e.packed != e.unpacked:
		return problem(e.name, "it is stored with another size than its own")
	case strings.HasSuffix(e.name, "/") && (e.packed > 0 || e.unpacked > 0):
		return problem(e.name, "a folder has no content")
	}
	return nil
}

// descriptor compares the record behind an entry, in one of its four forms, with what the directory says.
func (c container) descriptor(e entry, at, length uint64) bool {
	if length > 24 {
		return false
	}
	text, err := c.bytes(int64(at), int64(length)) //nolint:gosec // it lies before the next header
	if err != nil {
		return false
	}
	if length == 16 || length == 24 {
		if string(text[:4]) != descriptorSignature {
			return false
		}
		text = text[4:]
	}
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	switch len(text) {
	case 12:
		return u32(text) == e.crc && uint64(u32(text[4:])) == e.packed && uint64(u32(text[8:])) == e.unpacked
	case 20:
		return u32(text) == e.crc && u64(text[4:]) == e.packed && u64(text[12:]) == e.unpacked
	}
	return false
}

// header reads a header with its name and extra fields, whose lengths stand at a place of it. The comment of an entry, which must
// not be there, is left to read.
func header(r io.Reader, signature string, size, lengths int) (head []byte, name string, extra []byte, err error) {
	head = make([]byte, size)
	if _, err = io.ReadFull(r, head); err != nil {
		return nil, "", nil, err
	}
	if string(head[:4]) != signature {
		return nil, "", nil, errors.New("another record is there")
	}
	n := int(binary.LittleEndian.Uint16(head[lengths:]))
	rest := make([]byte, n+int(binary.LittleEndian.Uint16(head[lengths+2:])))
	_, err = io.ReadFull(r, rest)
	return head, string(rest[:n]), rest[n:], err
}

// The extra fields that change what the headers say.
const (
	extraLarge          = 1
	extraUnicodePath    = 0x7075
	extraUnicodeComment = 0x6375
	extraUnix           = 0x756e // mode and target of a link
)

// eachExtra hands out the extra fields; what is malformed at their end is padding.
func eachExtra(extra []byte, use func(id uint16, value []byte)) {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; n > len(extra) {
			return
		}
		use(id, extra[:n])
		extra = extra[n:]
	}
}

// large puts the long form of numbers in the place of short ones that say so. It reports whether there was one for each.
func (e entry) large(extra []byte, numbers ...*uint64) bool {
	var long []byte
	eachExtra(extra, func(id uint16, value []byte) {
		if id == extraLarge {
			long = value
		}
	})
	for _, n := range numbers {
		if *n != 0xffffffff {
			continue
		}
		if len(long) < 8 {
			return false
		}
		*n, long = binary.LittleEndian.Uint64(long), long[8:]
	}
	return true
}

// plain reports whether a mode is that of a file, or of a folder where the name is one. Which system is said to have written an entry
// does not matter: programs that unpack believe the mode of many, and of some that exist no more.
func plain(mode uint16, name string) bool {
	const kind, file, folder = 0o170000, 0o100000, 0o040000
	switch mode & kind {
	case 0:
		return true
	case file:
		return !strings.HasSuffix(name, "/")
	case folder:
		return strings.HasSuffix(name, "/")
	}
	return false
}

// renames reports whether an extra field gives an entry another name, or a comment, or makes it a link.
func renames(extra []byte, name string) (found bool) {
	eachExtra(extra, func(id uint16, value []byte) {
		switch id {
		case extraUnicodePath:
			found = found || len(value) < 5 || string(value[5:]) != name
		case extraUnicodeComment:
			found = true
		case extraUnix:
			found = found || len(value) < 6 || !plain(binary.LittleEndian.Uint16(value[4:]), name)
		}
	})
	return found
}

func (c container) bytes(at, length int64) ([]byte, error) {
	if at < 0 || at > c.size-length {
		return nil, io.ErrUnexpectedEOF
	}
	text := make([]byte, length)
	_, err := c.r.ReadAt(text, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return text, err
}

// inflate reads a compressed file to the last byte that is its own: bytes behind the end of the stream are found.
func inflate(r io.Reader) io.ReadCloser {
	packed := bufio.NewReader(r)
	return &inflated{flate.NewReader(packed), packed}
}

type inflated struct {
	io.ReadCloser
	packed *bufio.Reader
}

func (f *inflated) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		if _, more := f.packed.ReadByte(); !errors.Is(more, io.EOF) {
			return n, errors.New("other bytes lie behind its end")
		}
	}
	return n, err
}
