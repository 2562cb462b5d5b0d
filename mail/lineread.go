package mail

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"brenner/protocol"
)

// maxLineBytes bounds one line of a file (PROTOCOL 16).
const maxLineBytes = 4 << 20

// ReadLines reads message lines. The findings name the line of the file; a line with an error
// is left out, so that everything wrong with a file is said at once; one that is too long ends it. Unknown keys are
// ignored, blank lines skipped. The error is one of reading, never about the text.
func ReadLines(r io.Reader) ([]Line, []protocol.Finding, error) {
	var (
		lines    []Line
		findings []protocol.Finding
		in       = bufio.NewReaderSize(r, 1<<16)
	)
	for number := 1; ; number++ {
		data, err := readLine(in)
		switch {
		case errors.Is(err, io.EOF) && len(data) == 0:
			return lines, findings, nil
		case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errLineTooLong):
			return lines, findings, protocol.Errorf(protocol.InvalidInput, "reading message lines: %w", err)
		case errors.Is(err, errLineTooLong):
			f := protocol.NewFinding(protocol.InvalidInput, "Line %d has more than %d bytes.", number, maxLineBytes).At(number, 0)
			return lines, append(findings, f), nil // it need not end at all
		}
		if data = bytes.TrimSpace(data); len(data) == 0 {
			continue
		}
		line, wrong := ParseLine(data, number)
		findings = append(findings, wrong...)
		if !protocol.HasErrors(wrong) {
			lines = append(lines, line)
		}
	}
}

var errLineTooLong = errors.New("the line is too long")

// readLine returns a line with its end.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLineBytes {
			return nil, errLineTooLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// ParseLine reads one message line. Only thread_id, from, subject, body_md and created_ts are
// needed; what else is absent or null gets its neutral value.
func ParseLine(data []byte, number int) (Line, []protocol.Finding) {
	p := lineParser{number: number}
	if !utf8.Valid(data) {
		p.fail(protocol.InvalidEncoding, "", "Line %d is not UTF-8 text.", number)
		return Line{}, p.findings
	}
	if err := json.Unmarshal(data, &p.fields); err != nil || p.fields == nil {
		p.fail(protocol.InvalidInput, "", "Line %d is not a JSON object.", number)
		return Line{}, p.findings
	}
	if loneSurrogate(data) {
		p.fail(protocol.InvalidEncoding, "", "Line %d has half of a surrogate pair, which is no character.", number)
		return Line{}, p.findings
	}
	return p.line(), p.findings
}

// loneSurrogate finds \uD800–\uDFFF escapes that are not pairs; the JSON decoder would
// replace them silently.
func loneSurrogate(data []byte) bool {
	for i := 0; i+1 < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		i++
		if data[i] != 'u' {
			continue
		}
		unit := hexUnit(data[i+1:])
		i += 4
		switch {
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return true
		case unit >= 0xD800 && unit <= 0xDBFF:
			if i+2 >= len(data) || data[i+1] != '\\' || data[i+2] != 'u' {
				return true
			}
			if low := hexUnit(data[i+3:]); low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 6
		}
	}
	return false
}

// hexUnit reads four hex digits, -1 if there are none.
func hexUnit(data []byte) int {
	if len(data) < 4 {
		return -1
	}
	unit := 0
	for _, c := range data[:4] {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | int(c-'0')
		case c >= 'a' && c <= 'f':
			unit = unit<<4 | int(c-'a'+10)
		case c >= 'A' && c <= 'F':
			unit = unit<<4 | int(c-'A'+10)
		default:
			return -1
		}
	}
	return unit
}
