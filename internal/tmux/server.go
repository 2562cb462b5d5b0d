package tmux

import (
	"bytes"
	"context"
	"os/exec"
	"strings"

	"brenner/internal/protocol"
)

// Server is a tmux server; it runs as long as it has sessions. Safe for concurrent use.
type Server struct {
	program string
	options Options
}

// Options say which server.
type Options struct {
	Socket string // path; empty: where tmux looks by itself, so that people can attach
	Config string // settings for a server that is not running yet; empty: the person's own
}

// Open finds the program. PROGRAM_MISSING: it is not installed.
func Open(o Options) (*Server, error) {
	path, err := exec.LookPath("tmux")
	if err != nil {
		return nil, protocol.Errorf(protocol.ProgramMissing, "tmux is not installed; the cockpit needs it").WithFindings([]protocol.Finding{
			protocol.NewFinding(protocol.ProgramMissing, "the program tmux is not installed").
				WithFix("install tmux 3.0 or later with your package manager"),
		})
	}
	return &Server{path, o}, nil
}

// args are the words of a call: the program, which server, then the command.
func (s *Server) args(command ...string) []string {
	args := []string{s.program, "-u"} // names are UTF-8 whatever the locale
	if s.options.Socket != "" {
		args = append(args, "-S", s.options.Socket)
	}
	if s.options.Config != "" {
		args = append(args, "-f", s.options.Config)
	}
	return append(args, command...)
}

// errNoServer says that there is no server, and so no session.
var errNoServer error = protocol.Errorf(protocol.TmuxFailed, "no tmux server is running")

// errGone says that a session or pane is not there any more.
var errGone error = protocol.Errorf(protocol.TmuxFailed, "the tmux session or pane is gone")

// run calls tmux in a folder and returns what it printed. Commands are separated by separator;
// all other words are taken literally.
func (s *Server) run(ctx context.Context, dir, stdin string, command ...string) (string, error) {
	words := s.args()
	for _, word := range command {
		words = append(words, literal(word))
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	var out, complaint bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &out, &complaint
	err := cmd.Run()
	text := strings.TrimSpace(complaint.String())
	switch {
	case err == nil:
		return strings.TrimSuffix(out.String(), "\n"), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case text == "", strings.HasPrefix(text, "no server running"), strings.HasPrefix(text, "error connecting to"),
		strings.Contains(text, "server exited"):
		return "", errNoServer // one that ends while it is asked hangs up without a word
	case strings.HasPrefix(text, "can't find"), strings.HasPrefix(text, "no current"), strings.HasPrefix(text, "no sessions"):
		return "", errGone
	}
	return "", protocol.Errorf(protocol.TmuxFailed, "tmux %s: %s", command[0], text)
}

// separator comes between two commands of one call. It cannot be a word by accident: a word that
// ends in a semicolon is escaped.
const separator = "\x00;"

// literal keeps tmux from taking the end of a word for the end of a command.
func literal(word string) string {
	switch {
	case word == separator:
		return ";"
	case strings.HasSuffix(word, ";"):
		return strings.TrimSuffix(word, ";") + `\;`
	}
	return word
}

// unexpanded escapes what tmux would expand where it expects a format, such as the name of a
// session: #{…}, and #(…) which runs a command.
func unexpanded(text string) string { return strings.ReplaceAll(text, "#", "##") }
