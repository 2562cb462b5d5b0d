package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
)

// mostRefusals bounds what is noted of one agent, in bytes: it may try for ever.
const mostRefusals = 1 << 20

// noted is a line of AGENT.refused in the folder of a run. The log has nothing of refused mail, and an
// agent that was refused is not silent.
type noted struct {
	At       time.Time          `json:"at"`
	Subject  string             `json:"subject"`
	Findings []protocol.Finding `json:"findings"`
}

// NoteRefusals returns a function that notes mail that was refused on threads that a runner plays in
// this project, whichever process refused it. What cannot be noted is let go: the sender gets its
// refusal all the same.
func NoteRefusals(root string) func(message.Draft, mail.Verdict) {
	return func(d message.Draft, v mail.Verdict) {
		if protocol.HasErrors(protocol.CheckMailThreadID(d.ThreadID)) || !filepath.IsLocal(d.ThreadID) {
			return // no name of a folder
		}
		f := folder{filepath.Join(root, ".brenner", "run", d.ThreadID)}
		if _, err := os.Stat(f.path); err == nil {
			f.note(d, v, time.Now())
		}
	}
}

func (f folder) note(d message.Draft, v mail.Verdict, at time.Time) {
	line, err := json.Marshal(noted{at.UTC(), strings.ToValidUTF8(d.Subject, "�"), errorsOf(v.Findings)})
	if err != nil || !protocol.ValidAgentName(d.From) {
		return
	}
	file, err := os.OpenFile(filepath.Join(f.path, d.From+".refused"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() < mostRefusals {
		_, _ = file.Write(append(line, '\n'))
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

// refusals returns what was refused to an agent in a time; over may be zero. Lines that are not whole
// are passed over.
func (f folder) refusals(agent string, begun, over time.Time) ([]Refusal, error) {
	file, err := os.Open(filepath.Join(f.path, agent+".refused"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	defer file.Close()
	var list []Refusal
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 2*mostRefusals)
	for lines.Scan() {
		var n noted
		if json.Unmarshal(lines.Bytes(), &n) == nil && !n.At.Before(begun) && (over.IsZero() || n.At.Before(over)) {
			list = append(list, Refusal{Source: "mail", Subject: n.Subject, Findings: n.Findings})
		}
	}
	return list, nil
}
