package protocol

import (
	"fmt"
	"strings"
)

const codesPreamble = `# Findings and codes

Every finding and every failure carries one of these codes. They are stable: the list only
grows. An **error** refuses the message or rejects the block it is about; warnings and infos
never do. Rules of message bodies (MB, AP) and of lint state what holds when all is well;
the other codes state what is wrong. The last column says what to do.

This page is generated from the table in the package protocol.
`

// CodesMarkdown renders the table of codes as a Markdown page.
func CodesMarkdown() string {
	var b strings.Builder
	b.WriteString(codesPreamble)
	for _, chapter := range codeChapters {
		fmt.Fprintf(&b, "\n## %s\n\n| code | severity | meaning | what to do |\n|---|---|---|---|\n", chapter.Title)
		for _, c := range chapter.Codes {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Code, c.Severity, cell(c.Meaning), cell(c.Fix)+byCommand(c.Code))
		}
	}
	return b.String()
}

// byCommand is the command that does what a fix says, for readers of the page.
func byCommand(c Code) string {
	if a := c.Action(); a != nil && a.Do != "" {
		return " `brenner " + a.Command() + "`"
	}
	return ""
}

// cell keeps a pipe from ending its table cell.
var cell = strings.NewReplacer("|", `\|`, "\n", " ").Replace
