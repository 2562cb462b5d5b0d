package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"brenner/internal/protocol"
)

func newHelpMan(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "man DIR",
		Short:   "Write a man page for every command into a folder",
		Example: "  brenner help man ~/.local/share/man/man1",
		Args:    exactly("DIR"),
	}
	return a.command(cmd, func(_ context.Context, args []string) (report, error) {
		return writeManPages(cmd.Root(), args[0])
	})
}

type manReport struct {
	Files []string `json:"files"`
}

func (r manReport) show(p *printer) {
	for _, f := range r.Files {
		p.print("%s\n", visible(f))
	}
	p.next("man", "-l", r.Files[0])
}

func writeManPages(root *cobra.Command, dir string) (report, error) {
	r := manReport{Files: []string{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, protocol.Errorf(protocol.Unwritable, "cannot make the folder %q: %w", dir, err)
	}
	for _, cmd := range commands(root) {
		path := filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
		if err := os.WriteFile(path, []byte(manPage(cmd)), 0o644); err != nil {
			return r, protocol.Errorf(protocol.Unwritable, "cannot write %q: %w", path, err)
		}
		r.Files = append(r.Files, path)
	}
	return r, nil
}

// commands returns a command and all below it that are shown to people.
func commands(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			list = append(list, commands(sub)...)
		}
	}
	return list
}

// manPage writes one command in the man macros.
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"brenner %s\"\n", strings.ToUpper(roff(name)), roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roff(cmd.UseLine()))
	if cmd.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(cmd.Long))
	}
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&b, "GLOBAL OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	manSeeAlso(&b, cmd)
	return b.String()
}

func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		option := "--" + f.Name
		if f.Shorthand != "" {
			option = "-" + f.Shorthand + ", " + option
		}
		if value != "" {
			option += " " + value
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(option), roff(usage))
	})
}

func manSeeAlso(b *strings.Builder, cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, roff(strings.ReplaceAll(cmd.Parent().CommandPath(), " ", "-"))+"(1)")
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			pages = append(pages, roff(strings.ReplaceAll(sub.CommandPath(), " ", "-"))+"(1)")
		}
	}
	if len(pages) > 0 {
		fmt.Fprintf(b, ".SH SEE ALSO\n%s\n", strings.Join(pages, ", "))
	}
}

// roff escapes text for the man macros: backslashes, hyphens, and a dot or quote that
// would begin a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\\`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
