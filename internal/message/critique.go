package message

import (
	"fmt"
	"strings"
)

// Critique is a challenge to be written as a CRITIQUE message.
type Critique struct {
	Title      string
	Target     Target
	About      string // what is attacked, in words; may be empty if Target names it
	Attack     string
	Evidence   string
	Resolution string
	Severity   string // one of Severities
}

// Severities returns the words that the Severity of a CRITIQUE may be, gravest first.
func Severities() []string { return severities }

// Critical tells whether a severity is the gravest: it keeps a session from being completed.
func Critical(severity string) bool { return strings.EqualFold(severity, severities[0]) }

// Notice writes the message.
func (c Critique) Notice() Notice {
	var b strings.Builder
	fmt.Fprintf(&b, "# Critique: %s\n\n## Target\n\n", escape(oneLine(c.Title)))
	if c.Target.Version > 0 {
		fmt.Fprintf(&b, "- **Artifact Version**: v%d\n", c.Target.Version)
	}
	if c.Target.Item != "" {
		fmt.Fprintf(&b, "- **Item**: %s\n", escape(c.Target.Item))
	}
	if c.Target.Section != "" {
		fmt.Fprintf(&b, "- **Section**: %s\n", escape(oneLine(c.Target.Section)))
	}
	if about := Contain(c.About); about != "" {
		b.WriteString("\n" + about + "\n")
	}
	for _, part := range []struct{ heading, text string }{
		{"Attack", c.Attack}, {"Evidence", c.Evidence}, {"Proposed Resolution", c.Resolution}, {"Severity", c.Severity},
	} {
		if text := Contain(part.text); text != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", part.heading, text)
		}
	}
	return Notice{subjectLine("CRITIQUE: ", c.Title), b.String()}
}
