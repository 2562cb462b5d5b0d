package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"brenner/internal/ahead"
	"brenner/internal/protocol"
)

const (
	// maxLineBytes bounds one line of a file (PROTOCOL 16).
	maxLineBytes = 4 << 20
	// maxFileBytes bounds what the lines of a file take in memory, for no file may cost more than 256 MiB (PROTOCOL 16).
	maxFileBytes = 80 << 20
	// lineBytes is what a line takes beside its text.
	lineBytes = 512
	// maxFindings is how many are enough to say what is wrong with a file: of no more blocks of lines are any told.
	maxFindings = 10_000
)

// ReadLines reads message lines. The findings name the line of the file; a line with an error is left out, so that everything wrong
// with a file is said at once; one that is too long ends it, and so does one too many. Unknown keys are ignored, blank lines skipped,
// and so is a byte order mark at the start. The error is one of reading, never about the text.
func ReadLines(r io.Reader) ([]Line, []protocol.Finding, error) {
	var (
		parts    [][]Line
		findings []protocol.Finding
		held     int // by what is not text
		in       = lineBlocks{in: bufio.NewReaderSize(r, 1<<16), next: 1}
	)
	for b := range ahead.Map(in.each, (*lineBlock).parse) {
		for i := range b.lines {
			held += b.lines[i].lists()
		}
		if parts = append(parts, b.lines); held > maxFileBytes {
			in.err = errFileTooLong
			break
		}
		if len(findings) < maxFindings {
			findings = append(findings, b.findings...)
		}
		b.lines = make([]Line, 0, len(b.lines)+1)
		in.idle = append(in.idle, b)
	}
	lines := slices.Concat(parts...)
	switch {
	case errors.Is(in.err, errFileTooLong):
		f := protocol.NewFinding(protocol.InvalidInput,
			"The lines of the file take more than %d MiB of memory up to line %d; no more are read.", maxFileBytes>>20, in.next).
			At(in.next, 0).WithFix("Divide the file: one thread in each, or the parts of a thread one after the other.")
		findings = append(findings, f)
	case errors.Is(in.err, errLineTooLong):
		f := protocol.NewFinding(protocol.InvalidInput, "Line %d has more than %d bytes.", in.next, maxLineBytes).At(in.next, 0)
		findings = append(findings, f) // it need not end at all
	case !errors.Is(in.err, io.EOF):
		return lines, findings, protocol.Errorf(protocol.InvalidInput, "reading message lines: %w", in.err)
	}
	return lines, findings, nil
}

var (
	errLineTooLong = errors.New("the line is too long")
	errFileTooLong = errors.New("the file is too long")
)

// lists is about what the lists of a line take, which may be short as text.
func (l *Line) lists() int {
	const name, delivery = 32, 160
	return name*(len(l.To)+len(l.Cc)+len(l.Bcc)) + delivery*len(l.Deliveries)
}

// lineBlocks cuts a file into blocks of whole lines.
type lineBlocks struct {
	in   *bufio.Reader
	next int          // number of the next line
	cost int          // of the lines so far, in memory
	err  error        // why there are no more: io.EOF, errLineTooLong, errFileTooLong, or one of reading
	idle []*lineBlock // to be used again
}

// lineBlock is some lines of a file and what they say.
type lineBlock struct {
	first    int // number of the first line
	data     []byte
	parser   *lineParser
	lines    []Line
	findings []protocol.Finding
}

// blockBytes is how much text is parsed at a time.
const blockBytes = 128 << 10

// each yields the blocks of the file.
func (s *lineBlocks) each(yield func(*lineBlock) bool) {
	for s.err == nil {
		b := s.block()
		for s.err == nil && len(b.data) < blockBytes {
			b.data, s.err = s.line(b.data)
		}
		if len(b.data) > 0 && !yield(b) {
			return
		}
	}
}

// block returns an empty block.
func (s *lineBlocks) block() *lineBlock {
	b := &lineBlock{parser: newLineParser()}
	if n := len(s.idle); n > 0 {
		b, s.idle = s.idle[n-1], s.idle[:n-1]
	}
	b.first, b.data = s.next, b.data[:0]
	return b
}

// line appends the next line with its end. A line that could not be read whole is left out.
func (s *lineBlocks) line(to []byte) ([]byte, error) {
	for from := len(to); ; {
		part, err := s.in.ReadSlice('\n')
		to = append(to, part...)
		switch {
		case len(to)-from > maxLineBytes:
			return to[:from], errLineTooLong
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return to[:from], err
		}
		if s.cost += len(to) - from + lineBytes; s.cost > maxFileBytes {
			return to[:from], errFileTooLong
		}
		s.next++
		return to, err
	}
}

// parse reads the lines of the block.
func (b *lineBlock) parse() *lineBlock {
	b.lines, b.findings = b.lines[:0], b.findings[:0]
	number := b.first
	for data := range bytes.Lines(b.data) {
		if number == 1 {
			data = []byte(protocol.WithoutBOM(string(data)))
		}
		if data = bytes.TrimSpace(data); len(data) > 0 {
			line, wrong := b.parser.parse(data, number)
			b.findings = append(b.findings, wrong...)
			if !protocol.HasErrors(wrong) {
				b.lines = append(b.lines, line)
			}
		}
		number++
	}
	return b
}

// ParseLine reads one message line. Only thread_id, from, subject, body_md and created_ts are
// needed; what else is absent or null gets its neutral value.
func ParseLine(data []byte, number int) (Line, []protocol.Finding) {
	return newLineParser().parse(data, number)
}
