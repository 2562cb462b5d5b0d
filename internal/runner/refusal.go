package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// maxRefusals bounds what is noted of one agent, in bytes: it may try for ever.
const maxRefusals = 1 << 20

// noted is a line of AGENT.refused in the folder of a run. The log has nothing of refused mail, and an
// agent that was refused is not silent.
type noted struct {
	At       time.Time          `json:"at"`
	Subject  string             `json:"subject"`
	Tool     string             `json:"tool,omitempty"` // of a call that failed; empty: mail was refused
	Findings []protocol.Finding `json:"findings"`
}

// NoteRefusals returns a function that notes mail that was refused on threads that a runner plays in
// this project, by any process. What cannot be noted is let go: the sender gets its
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

// NoteFailures is NoteRefusals for calls of tools that failed. Mail that the door refused has been noted.
func NoteFailures(root string) func(agent, tool, thread string, err error) {
	return func(agent, tool, thread string, err error) {
		code := mail.CodeOf(err)
		if thread == "" || protocol.HasErrors(protocol.CheckMailThreadID(thread)) || !filepath.IsLocal(thread) ||
			code == protocol.ValidationFailed || code == protocol.Interrupted {
			return
		}
		f := folder{filepath.Join(root, ".brenner", "run", thread)}
		if _, err := os.Stat(f.path); err != nil {
			return
		}
		f.write(agent, noted{At: time.Now().UTC(), Tool: tool, Findings: []protocol.Finding{
			protocol.NewFinding(code, "%s", brief(strings.ToValidUTF8(err.Error(), "�"))).As(protocol.SeverityError),
		}})
	}
}

func (f folder) note(d message.Draft, v mail.Verdict, at time.Time) {
	f.write(d.From, noted{At: at.UTC(), Subject: strings.ToValidUTF8(d.Subject, "�"), Findings: errorsOf(v.Findings)})
}

func (f folder) write(agent string, n noted) {
	line, err := json.Marshal(n)
	if err != nil || !protocol.ValidAgentName(agent) {
		return
	}
	file, err := os.OpenFile(filepath.Join(f.path, agent+".refused"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() < maxRefusals {
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
	lines.Buffer(nil, 2*maxRefusals)
	for lines.Scan() {
		var n noted
		if json.Unmarshal(lines.Bytes(), &n) == nil && !n.At.Before(begun) && (over.IsZero() || n.At.Before(over)) {
			refused := Refusal{Source: "mail", Subject: n.Subject, Findings: n.Findings}
			if n.Tool != "" {
				refused.Source, refused.Subject = "tool", n.Tool
			}
			list = append(list, refused)
		}
	}
	return list, nil
}

// failedCalls says which calls of tools failed, each kind once; empty: none did.
func failedCalls(refused []Refusal) string {
	var kinds []string
	calls := 0
	for _, r := range refused {
		if r.Source != "tool" {
			continue
		}
		calls++
		kind := r.Subject
		if len(r.Findings) > 0 {
			kind += ": " + string(r.Findings[0].Code)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if calls == 0 {
		return ""
	}
	return fmt.Sprintf("%s failed (%s)", protocol.Plural(calls, "tool call"), strings.Join(kinds, ", "))
}

// inVain says what came of everything that an agent tried.
func inVain(refused []Refusal) string {
	failed := failedCalls(refused)
	tried := slices.DeleteFunc(slices.Clone(refused), func(r Refusal) bool { return r.Source == "tool" })
	switch {
	case len(tried) == 0:
		return "contributed nothing; " + failed
	case failed == "":
		return "tried to contribute, and nothing was accepted (" + refusedText(tried) + ")"
	}
	return "tried to contribute, and nothing was accepted (" + refusedText(tried) + "); " + failed
}
