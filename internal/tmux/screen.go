package tmux

import (
	"context"
	"os"
	"strconv"
	"time"

	"brenner/internal/protocol"
)

// Screen returns what a pane shows, and so many lines that went over its upper edge. It is whatever the program
// printed: hostile text.
func (s *Server) Screen(ctx context.Context, paneID string, above int) (string, error) {
	return s.run(ctx, "", "", "capture-pane", "-p", "-J", "-S", strconv.Itoa(-above), "-t", paneID)
}

// Press presses one key in a pane, such as Enter or y. tmux knows their names.
func (s *Server) Press(ctx context.Context, paneID, key string) error {
	if key == "" || len(key) > 20 {
		return protocol.Errorf(protocol.InvalidInput, "%.30q is no key; such are Enter, Escape, y, Up, C-c", key)
	}
	_, err := s.run(ctx, "", "", "send-keys", "-t", paneID, "--", key)
	return err
}

// Respawn puts a tenant into a pane, whatever is in it; pane and place stay.
func (s *Server) Respawn(ctx context.Context, paneID string, t Tenant) error {
	_, err := s.run(ctx, t.Dir, "", append([]string{"respawn-pane", "-k", "-t", paneID}, t.Args...)...)
	return err
}

// Printed is when something last appeared in a pane, to a few seconds; zero: not known. The terminal behind a
// pane keeps the time at which it was last written to.
func (p Pane) Printed() time.Time {
	info, err := os.Stat(p.TTY)
	if p.TTY == "" || err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
