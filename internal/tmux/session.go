package tmux

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"brenner/internal/protocol"
)

// Session is a session that was made here: it carries whose it is.
type Session struct {
	ID       string // $3; tmux never gives it again
	Name     string // what a person types after attach -t
	Thread   string // empty: another program's session
	Owner    string // of the thread: which project
	Attached int    // terminals that show it
	Created  time.Time
}

const sessionFormat = "#{session_id}\t#{session_attached}\t#{session_created}\t#{@brenner_owner}\t#{session_name}\t#{@brenner_thread}"

// Sessions lists all sessions of the server. None if it does not run.
func (s *Server) Sessions(ctx context.Context) ([]Session, error) {
	text, err := s.run(ctx, "", "", "list-sessions", "-F", sessionFormat)
	if errors.Is(err, errNoServer) || errors.Is(err, errGone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Session
	for line := range strings.SplitSeq(text, "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 6 {
			continue // a name made to break this
		}
		attached, _ := strconv.Atoi(f[1])
		created, _ := strconv.ParseInt(f[2], 10, 64)
		list = append(list, Session{ID: f[0], Name: f[4], Thread: f[5], Owner: f[3], Attached: attached, Created: time.Unix(created, 0).
			UTC()})
	}
	return list, nil
}

// Wish is a session to be made.
type Wish struct {
	Thread string
	Owner  string
	Dir    string // where shells that a person opens in it begin
}

// The size before a client attaches: room for a good number of panes.
const width, height = "240", "72"

// Create makes a session without agents. Its panes stay when their programs end, so that a person
// sees what they last said. CONFLICT: the owner has one for the thread already. Two calls for one
// thread at once are for the caller to keep apart.
func (s *Server) Create(ctx context.Context, w Wish) (Session, error) {
	sessions, err := s.Sessions(ctx)
	if err != nil {
		return Session{}, err
	}
	if there, ok := Find(sessions, w.Owner, w.Thread); ok {
		return there, protocol.Errorf(protocol.Conflict, "the session %s runs already", there.Name)
	}
	name := free(protocol.TmuxName(w.Thread), sessions) // several threads may get one name: the id goes with it
	// cat waits for input that never comes: the first agent takes its place.
	id, err := s.run(ctx, w.Dir, "", "new-session", "-d", "-P", "-F", "#{session_id}", "-s", unexpanded(name), "-x", width, "-y", height,
		"cat", "-")
	if err != nil {
		return Session{}, err
	}
	_, err = s.run(ctx, "", "", "set-option", "-t", id, "@brenner_thread", w.Thread, separator, "set-option", "-t", id, "@brenner_owner",
		w.Owner,
		separator, "set-option", "-w", "-t", id+":", "remain-on-exit", "on",
		separator, "set-option", "-w", "-t", id+":", "automatic-rename", "off", separator, "rename-window", "-t", id+":", "agents",
		separator, "set-option", "-w", "-t", id+":", "pane-border-status", "top",
		separator, "set-option", "-w", "-t", id+":", "pane-border-format", " #{@brenner_agent} #{@brenner_role} ")
	if errors.Is(err, errGone) || errors.Is(err, errNoServer) {
		return Session{}, protocol.Errorf(protocol.TmuxFailed,
			"the session ended at once; do your settings of tmux say destroy-unattached?")
	}
	if err != nil {
		return Session{}, errors.Join(err, s.Kill(context.WithoutCancel(ctx), id))
	}
	return Session{ID: id, Name: name, Thread: w.Thread, Owner: w.Owner}, nil
}

// Find looks for the session of an owner's thread.
func Find(sessions []Session, owner, thread string) (Session, bool) {
	for _, s := range sessions {
		if s.Owner == owner && s.Thread == thread && thread != "" {
			return s, true
		}
	}
	return Session{}, false
}

// Kill ends a session; one that is gone is no failure. Programs in it get a hangup, no more: see
// package proctree.
func (s *Server) Kill(ctx context.Context, sessionID string) error {
	_, err := s.run(ctx, "", "", "kill-session", "-t", sessionID)
	if errors.Is(err, errNoServer) || errors.Is(err, errGone) {
		return nil
	}
	return err
}

// AttachCommand is the call that shows a session in this terminal. inside is the value of $TMUX:
// from within the same server the terminal switches over.
func (s *Server) AttachCommand(ctx context.Context, sessionID, inside string) []string {
	if socket, _, ok := strings.Cut(inside, ","); ok && inside != "" {
		if own, err := s.run(ctx, "", "", "display-message", "-p", "#{socket_path}"); err == nil && own == socket {
			return s.args("switch-client", "-t", sessionID)
		}
	}
	return s.args("attach-session", "-t", sessionID)
}
