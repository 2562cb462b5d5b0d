package evidencepack

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"

	"brenner/internal/protocol"
)

// pdfTimeout bounds how long a PDF may take to be read.
const pdfTimeout = 2 * time.Minute

// pdfText lets pdftotext read a PDF. PROGRAM_MISSING: it is not installed. INVALID_INPUT: it cannot read
// the file.
func pdfText(ctx context.Context, data []byte) (string, error) {
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		return "", protocol.Errorf(protocol.ProgramMissing,
			"pdftotext is not installed: install poppler-utils, or give the text yourself").Doing(protocol.Given("text"))
	}
	ctx, cancel := context.WithTimeout(ctx, pdfTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-enc", "UTF-8", "-", "-")
	out := limited{limit: MaxFile}
	complaint := limited{limit: 4 << 10}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), &out, &complaint
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", protocol.Errorf(protocol.InvalidInput, "pdftotext did not finish within %s; give the text yourself", pdfTimeout).
			Doing(protocol.Given("text"))
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", protocol.Errorf(protocol.InvalidInput, "the PDF cannot be read (%s); give the text yourself",
			strings.TrimSpace(strings.ToValidUTF8(complaint.String(), "?"))).Doing(protocol.Given("text"))
	case out.cut:
		return "", protocol.Errorf(protocol.InvalidInput, "the text of the PDF is larger than %d MiB", MaxFile>>20)
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD"), nil
}

// limited keeps the beginning of what is written.
type limited struct {
	bytes.Buffer
	limit int
	cut   bool
}

func (l *limited) Write(data []byte) (int, error) {
	room := l.limit - l.Len()
	if len(data) > room {
		l.cut = true
		l.Buffer.Write(data[:max(room, 0)])
		return len(data), nil
	}
	return l.Buffer.Write(data)
}
