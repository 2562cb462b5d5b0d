package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/turn"
)

// maxOutput is how much of an agent's output is looked at: its end.
const maxOutput = 4 << 20

// keyPrefix begins the idempotency keys of what a run sends; outputKey ends that of a contribution
// that was printed.
const (
	keyPrefix = "run:"
	outputKey = ":output"
)

// printed is what an agent's output holds of deltas.
type printed struct {
	body    string // of the message to post; empty: nothing can be
	refused []Refusal
}

func readOutput(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxOutput {
		if _, err := f.Seek(-maxOutput, io.SeekEnd); err != nil {
			return "", protocol.Errorf(protocol.Unreadable, "%w", err)
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxOutput))
	if err != nil {
		return "", protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	return strings.ReplaceAll(strings.ToValidUTF8(string(data), "�"), "\x00", "�"), nil
}

// said is what an agent said: the texts in its program's stream, or all that a program without one printed.
func (f folder) said(round int, agent string) (string, error) {
	t, err := f.readTurn(round, agent)
	if err != nil || t.Format != "text" {
		return t.Said(), err
	}
	return readOutput(f.output(round, agent))
}

// lastPart is the end of a file, cut where a line begins.
func lastPart(path string) string {
	const maxPart = 8 << 10
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	data, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-maxPart), maxPart))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(data), "�")
}

// lastSaid is the last thing that a program said: in its stream, if it has one, else on its last line.
func lastSaid(path string) string {
	data := ends(path)
	t := turn.Of(data)
	if t.Format == "text" {
		if line := lastLine(path); !turn.Tells(line) {
			return line
		}
		return t.LastWords()
	}
	for _, s := range slices.Backward(t.Steps) {
		if s.Kind == turn.Call {
			return "calls " + s.Tool
		}
		if s.Kind == turn.Text || s.Kind == turn.Failure {
			return t.LastWords()
		}
	}
	return "" // a stream is for programs
}

// maxEnds is how much is read of the beginning and of the end of a stream to see what it says last.
const maxEnds = 256 << 10

// ends are the whole lines in the beginning and in the end of a file: the beginning shows that it is a stream.
func ends(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	if info.Size() <= 2*maxEnds {
		data, _ := io.ReadAll(io.LimitReader(f, 2*maxEnds)) // what cannot be read is not shown
		return data[:bytes.LastIndexByte(data, '\n')+1]
	}
	first, _ := io.ReadAll(io.NewSectionReader(f, 0, maxEnds))
	last, _ := io.ReadAll(io.NewSectionReader(f, info.Size()-maxEnds, maxEnds))
	_, last, _ = bytes.Cut(last, []byte("\n"))
	return slices.Concat(first[:bytes.IndexByte(first, '\n')+1], last[:bytes.LastIndexByte(last, '\n')+1])
}

// lastLine is the last line of a file that says something, cut short: mostly why a program failed.
func lastLine(path string) string {
	const maxLine = 300
	f, err := os.Open(path)
	if err != nil {
		return "" // nothing was printed
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	const tail = 4 << 10
	data, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-tail), tail))
	if err != nil {
		return ""
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(data), "�"))
	line := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	return line
}

// readPrinted makes a contribution of the delta blocks in an output. It says so.
func readPrinted(output, agent string, round int) printed {
	var p printed
	body, refused := session.PrintedDeltas(output, fmt.Sprintf(
		"%s printed this in round %d and sent no delta itself; the runner posts it under its name.", agent, round))
	p.body = body
	for _, b := range refused {
		p.refuse(b)
	}
	return p
}

func (p *printed) refuse(b session.BlockText) {
	p.refused = append(p.refused, Refusal{Source: "output", Subject: fmt.Sprintf("line %d of the output", b.Line), Block: b.Index,
		Findings: errorsOf(b.Findings)})
}

// draft is the message that posts what an agent printed.
func (p printed) draft(thread string, agent mail.Agent, to []string, round int) message.Draft {
	return message.Draft{ThreadID: thread, From: agent.Name, To: to, Subject: agent.DeltaSubject("Printed in round %d", round),
		Body: p.body}
}
