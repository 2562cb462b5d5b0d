package literature

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"brenner/internal/protocol"
)

// MaxFile is the largest file that is read.
const MaxFile = 64 << 20

// Decode returns the text of a file: UTF-8 with or without byte order mark, else Windows-1252. INVALID_INPUT: it is empty or too
// large.
func Decode(data []byte) ([]byte, error) {
	switch {
	case len(data) > MaxFile:
		return nil, protocol.Errorf(protocol.InvalidInput, "the file is larger than %d MiB", MaxFile>>20)
	case utf8.Valid(data):
		data = bytes.TrimPrefix(data, []byte("\uFEFF"))
		if len(bytes.TrimSpace(data)) == 0 {
			return nil, protocol.Errorf(protocol.InvalidInput, "the file is empty")
		}
		return data, nil
	}
	size := 0
	for _, b := range data {
		size += utf8.RuneLen(charmap.Windows1252.DecodeByte(b))
	}
	if size > MaxFile {
		return nil, protocol.Errorf(protocol.InvalidInput, "the file is larger than %d MiB as UTF-8", MaxFile>>20)
	}
	out := make([]byte, 0, size)
	for _, b := range data {
		out = utf8.AppendRune(out, charmap.Windows1252.DecodeByte(b))
	}
	return out, nil
}
