package tmux

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/protocol"
)

// Pane is the place of one agent.
type Pane struct {
	ID       string // %7; the server never gives it again
	Ref      string // names pane and program on this machine: %7:1234@SOCKET
	PID      int    // of the program, which leads a process session of its own
	Dead     bool   // the program ended; the pane still shows its last words
	ExitCode *int   // of a dead one, 128 + signal as shells have it; nil: not known
	Agent    string
	Role     string
	Program  string
	TTY      string // the terminal behind it
	Title    string // as its program last set it: hostile text
}

const paneFormat = "#{pane_id}\t#{pane_pid}\t#{pane_dead}\t#{pane_dead_status}\t#{pane_dead_signal}\t" +
	"#{@brenner_agent}\t#{@brenner_role}\t#{@brenner_program}\t#{pane_tty}\t#{socket_path}\t#{pane_title}"

// Panes lists the panes of a session that belong to agents, in order. NOT_FOUND: it is gone.
func (s *Server) Panes(ctx context.Context, sessionID string) ([]Pane, error) {
	list, err := s.listPanes(ctx, sessionID)
	if err != nil || !slices.ContainsFunc(list, unreaped) {
		return list, err
	}
	// tmux 3.3 sometimes sees a pane close and misses the signal that its program ended: the exit code
	// stays away until another child ends. This is one.
	if _, err := s.run(ctx, "", "", "run-shell", "true"); err != nil {
		return list, nil //nolint:nilerr // what was seen before is true all the same
	}
	return s.listPanes(ctx, sessionID)
}

func unreaped(p Pane) bool { return p.Dead && p.ExitCode == nil }

func (s *Server) listPanes(ctx context.Context, sessionID string) ([]Pane, error) {
	text, err := s.run(ctx, "", "", "list-panes", "-s", "-t", sessionID, "-F", paneFormat)
	if errors.Is(err, errNoServer) || errors.Is(err, errGone) {
		return nil, protocol.Errorf(protocol.NotFound, "the tmux session is gone")
	}
	if err != nil {
		return nil, err
	}
	var list []Pane
	for line := range strings.SplitSeq(text, "\n") {
		if p, ok := readPane(line); ok && p.Agent != "" {
			list = append(list, p)
		}
	}
	return list, nil
}

func readPane(line string) (Pane, bool) {
	f := strings.SplitN(line, "\t", 11)
	if len(f) != 11 {
		return Pane{}, false
	}
	pid, err := strconv.Atoi(f[1])
	p := Pane{ID: f[0], Ref: f[0] + ":" + f[1] + "@" + f[9], PID: pid, Dead: f[2] == "1", Agent: f[5], Role: f[6], Program: f[7],
		TTY: f[8], Title: f[10]}
	if status, err := strconv.Atoi(f[3]); err == nil && p.Dead {
		p.ExitCode = &status
	}
	if signal, err := strconv.Atoi(f[4]); err == nil && p.Dead && signal > 0 {
		signal += 128
		p.ExitCode = &signal
	}
	return p, err == nil
}

// Tenant is a program that gets a pane.
type Tenant struct {
	Agent, Role, Program string
	Dir                  string
	Args                 []string // at least two: tmux gives a single word to a shell
}

// Fill starts the tenants in a session that Create made, one pane each, tiled.
func (s *Server) Fill(ctx context.Context, sessionID string, tenants []Tenant) error {
	place, beside := s.takeOver, sessionID+":"
	for _, t := range tenants {
		if len(t.Args) < 2 {
			return protocol.Errorf(protocol.Internal, "a pane needs a program and an argument")
		}
		id, err := place(ctx, beside, t)
		place, beside = s.split, id // each after the one before: in the order of the tenants
		if err != nil {
			return err
		}
		title := t.Agent + " (" + t.Role + ")"
		_, err = s.run(ctx, "", "", "set-option", "-p", "-t", id, "@brenner_agent", t.Agent, separator, "set-option", "-p", "-t", id,
			"@brenner_role", t.Role,
			separator, "set-option", "-p", "-t", id, "@brenner_program", t.Program, separator, "select-pane", "-t", id, "-T",
			unexpanded(title),
			separator, "select-layout", "-t", sessionID+":", "tiled")
		if err != nil {
			return err
		}
	}
	return nil
}

// takeOver puts a tenant into the pane that the session began with.
func (s *Server) takeOver(ctx context.Context, window string, t Tenant) (string, error) {
	id, err := s.run(ctx, "", "", "display-message", "-p", "-t", window, "#{pane_id}")
	if err != nil {
		return "", err
	}
	_, err = s.run(ctx, t.Dir, "", append([]string{"respawn-pane", "-k", "-t", id}, t.Args...)...)
	return id, err
}

// split gives a tenant a pane of its own, after another.
func (s *Server) split(ctx context.Context, pane string, t Tenant) (string, error) {
	return s.run(ctx, t.Dir, "", append([]string{"split-window", "-d", "-t", pane, "-P", "-F", "#{pane_id}"}, t.Args...)...)
}

// Type types a line into a pane and ends it. Nothing else ever does.
func (s *Server) Type(ctx context.Context, paneID, line string) error {
	line = strings.Join(strings.Fields(line), " ") // one line, no control characters that end it early
	_, err := s.run(ctx, "", line, "load-buffer", "-b", "brenner", "-", separator, "paste-buffer", "-p", "-d", "-b", "brenner", "-t",
		paneID,
		separator, "send-keys", "-t", paneID, "Enter")
	return err
}

// Life is what a server says of a pane.
type Life uint8

// The answers.
const (
	Unknown Life = iota // the server could not be asked
	Alive
	Dead // the program ended, or the pane is gone
)

// Ask tells whether the program lives in its pane. ref is a Pane's Ref.
func Ask(ctx context.Context, ref string) Life {
	id, socket, ok := strings.Cut(ref, "@")
	if !ok || !strings.HasPrefix(id, "%") || socket == "" {
		return Unknown
	}
	s, err := Open(Options{Socket: socket})
	if err != nil {
		return Unknown
	}
	text, err := s.run(ctx, "", "", "list-panes", "-a", "-F", paneFormat)
	if errors.Is(err, errNoServer) || errors.Is(err, errGone) { // a server without sessions is about to end
		return Dead
	}
	if err != nil {
		return Unknown
	}
	for line := range strings.SplitSeq(text, "\n") {
		// Another server at the same place counts panes anew: the process tells them apart.
		if p, ok := readPane(line); ok && p.Ref == ref && !p.Dead {
			return Alive
		}
	}
	return Dead
}
