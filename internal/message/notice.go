package message

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"brenner/internal/artifact"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// Notice is a message that the program writes itself. Each passes Check without findings.
type Notice struct{ Subject, Body string }

// maxDescription is how much of a description fits an inbox line (PROTOCOL 3).
const maxDescription = 80

// subjectLine writes a subject whose description is one line of at most 80 characters.
func subjectLine(prefix, description string) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, description)
	runes := []rune(oneLine(visible))
	if len(runes) > maxDescription {
		runes = append(runes[:maxDescription-1:maxDescription-1], '…')
	}
	return prefix + string(runes)
}

// ValidationError tells an author of foreign mail what is wrong with it (PROTOCOL 4).
func ValidationError(id int64, findings []protocol.Finding) Notice {
	var errors, fixes []string
	seen := map[string]bool{}
	for _, f := range findings {
		place := ""
		if f.Line > 0 {
			place = fmt.Sprintf(" (line %d)", f.Line)
		}
		errors = append(errors, fmt.Sprintf("%s: %s%s", f.Code, f.Message, place))
		if f.Fix != "" && !seen[f.Fix] {
			seen[f.Fix] = true
			fixes = append(fixes, f.Fix)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Validation Error\n\n## Message\n\n%d\n\n## Errors\n\n", id)
	writeList(&b, errors)
	b.WriteString("\n## Suggestion\n\n")
	writeList(&b, fixes)
	return Notice{"INFO: Validation error in message " + strconv.FormatInt(id, 10), b.String()}
}

// Persisted says that a version was written to its file. commit is empty until it is
// committed; nothing is ever pushed.
func Persisted(version int, path, commit string) Notice {
	return Notice{
		fmt.Sprintf("INFO: Artifact v%d persisted to repository", version),
		"# Artifact Persisted\n\n" + persistence(path, commit),
	}
}

func persistence(path, commit string) string {
	if commit == "" {
		return fmt.Sprintf("- **Path**: %s\n- **Status**: Written, not committed\n", escape(path))
	}
	return fmt.Sprintf("- **Path**: %s\n- **Git Commit**: %s\n- **Status**: Committed\n", escape(path), escape(commit))
}

// Acknowledgement answers a message. status is one of AckStatuses; notes may be empty.
func Acknowledgement(id int64, subject, status, notes string) Notice {
	body := fmt.Sprintf("# Acknowledgement\n\n## Message ID\n\n#%d\n\n## Status\n\n%s\n", id, status)
	if notes = Contain(notes); notes != "" {
		body += "\n## Notes\n\n" + notes + "\n"
	}
	if oneLine(subject) == "" {
		subject = fmt.Sprintf("message %d", id)
	}
	return Notice{subjectLine("ACK: ", subject), body}
}

// AckStatuses returns the words that the Status of an ACK may be, the usual one first.
func AckStatuses() []string { return ackStatuses }

// Waiting is a message with an overdue acknowledgement.
type Waiting struct {
	ID        int64
	Subject   string
	From      string
	Owing     []string // who has to acknowledge it
	Deadline  time.Time
	Reminders int // sent so far
}

// Reminder is what those who owe an acknowledgement get (PROTOCOL 11).
func (w Waiting) Reminder() Notice {
	body := fmt.Sprintf("# Reminder\n\nMessage %d from %s waits for an acknowledgement.\n\n"+
		"- **Subject**: %s\n- **Deadline**: %s\n- **Owed by**: %s\n\n"+
		"Acknowledge it, or answer with an ACK message that names #%d.\n",
		w.ID, escape(w.From), escape(oneLine(w.Subject)), artifact.FormatTime(w.Deadline), w.owing(), w.ID)
	return Notice{subjectLine("INFO: ", fmt.Sprintf("Reminder: message %d waits for your acknowledgement", w.ID)), body}
}

// Escalation is what the operator gets when reminders did not help (PROTOCOL 11).
func (w Waiting) Escalation() Notice {
	body := fmt.Sprintf("# Work Blocked\n\n## Item\n\nMessage %d: %s\n\n"+
		"## Blocker\n\nNo acknowledgement from %s; the deadline was %s.\n\n"+
		"## Type\n\nDependency\n\n## Attempted\n\nSent %s.\n\n"+
		"## Needed\n\nReach %s, or send the work to another agent.\n",
		w.ID, escape(oneLine(w.Subject)), w.owing(), artifact.FormatTime(w.Deadline), plural(w.Reminders, "reminder"), w.owing())
	return Notice{subjectLine("BLOCKED: ", fmt.Sprintf("message %d unacknowledged by %s", w.ID, strings.Join(w.Owing, ", "))), body}
}

func (w Waiting) owing() string { return escape(strings.Join(w.Owing, ", ")) }

// Completion is the record that a session is complete (PROTOCOL 10).
type Completion struct {
	ThreadID string
	Version  int
	Path     string
	Commit   string // empty: written, not committed
	Forced   string // the reason why open problems did not stop it; empty if there was none
	Open     []string
}

var completedSubject = pattern.Lazy(`^INFO: Session complete at v([1-9][0-9]{0,17})$`)

// CompletedVersion reads the subject of Completion's notice; only exactly that is a record.
func CompletedVersion(subject string) (int, bool) {
	n := number(completedSubject(), subject)
	return n, n > 0
}

// Notice writes the record.
func (c Completion) Notice() Notice {
	var b strings.Builder
	fmt.Fprintf(&b, "# Session Complete\n\n- **Thread ID**: %s\n- **Version**: v%d\n%s", escape(c.ThreadID), c.Version,
		persistence(c.Path, c.Commit))
	if c.Forced != "" {
		fmt.Fprintf(&b, "- **Forced**: %s\n", escape(clip(oneLine(c.Forced), maxSummaryBytes)))
	}
	if len(c.Open) > 0 {
		b.WriteString("\n## Left Open\n\n")
		writeList(&b, c.Open)
	}
	return Notice{fmt.Sprintf("INFO: Session complete at v%d", c.Version), b.String()}
}
