package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"

	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
)

// RefusalVariable names the file in which a brenner that an agent uses notes what it refuses: the
// log has nothing of it, and an agent that was refused is not silent.
const RefusalVariable = "BRENNER_REFUSALS"

// mostRefusals bounds the file, in bytes: an agent may try for ever.
const mostRefusals = 1 << 20

// noted is a line of the file.
type noted struct {
	From     string             `json:"from"`
	ThreadID string             `json:"thread_id"`
	Subject  string             `json:"subject"`
	Findings []protocol.Finding `json:"findings"`
}

// NoteRefusals returns a function that notes refused mail in a file. What cannot be noted is let go:
// the sender gets its refusal all the same.
func NoteRefusals(path string) func(message.Draft, mail.Verdict) {
	return func(d message.Draft, v mail.Verdict) {
		line, err := json.Marshal(noted{d.From, d.ThreadID, strings.ToValidUTF8(d.Subject, "�"), errorsOf(v.Findings)})
		if err != nil {
			return
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Size() < mostRefusals {
			_, _ = f.Write(append(line, '\n'))
		}
	}
}

func errorsOf(findings []protocol.Finding) []protocol.Finding {
	list := []protocol.Finding{}
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			list = append(list, f)
		}
	}
	return list
}

// readRefusals returns what was refused on a thread. Lines that are not whole are passed over.
func readRefusals(path, thread, agent string) ([]Refusal, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	defer f.Close()
	var list []Refusal
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, mostRefusals)
	for lines.Scan() {
		var n noted
		if json.Unmarshal(lines.Bytes(), &n) == nil && n.ThreadID == thread && protocol.SameAgent(n.From, agent) {
			list = append(list, Refusal{Source: "mail", Subject: n.Subject, Findings: n.Findings})
		}
	}
	return list, nil
}
