package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"brenner/internal/mail"
	"brenner/internal/process"
	"brenner/internal/protocol"
)

// Orphan is a program of a run that lives although no runner looks after it.
type Orphan struct {
	Agent   string    `json:"agent"`
	Program string    `json:"program"`
	Round   int       `json:"round"`
	PID     int       `json:"pid"`
	Begun   time.Time `json:"begun"`

	orphan
	path string
}

// Idle returns nil if no runner is at work on a thread, and CONFLICT with its process if one is. A lease that
// a runner of this machine left when it was killed does not count.
func Idle(ctx context.Context, s *mail.Service, thread string) error {
	leases, err := s.Leases(ctx)
	if protocol.CodeOf(err) == protocol.NotAllowed {
		return nil // a foreign server keeps no leases, and has no runners
	}
	if err != nil {
		return err
	}
	path := leasePath(thread)
	for _, have := range leases {
		if h := holderOf(have); have.Path == path && h.living(ctx) {
			return h.conflict(path, have.ExpiresAt)
		}
	}
	return nil
}

func (h holder) living(ctx context.Context) bool {
	if h.Host != process.Self().Host {
		return true // until its lease ends
	}
	alive, known := process.Alive(ctx, h.PID, time.Time{})
	return alive || !known
}

// Orphans lists the programs of a thread's runs on this machine that outlived their runner.
func Orphans(ctx context.Context, s *mail.Service, root, thread string) ([]Orphan, error) {
	f := folder{filepath.Join(root, ".brenner", "run", thread)}
	if !filepath.IsLocal(thread) {
		return nil, protocol.Errorf(protocol.NotFound, "there is no thread %q", thread)
	}
	if err := Idle(ctx, s, thread); err != nil {
		if protocol.CodeOf(err) == protocol.Conflict {
			return nil, nil // they have a runner
		}
		return nil, err
	}
	var run runRecord
	if err := load(filepath.Join(f.path, "run.json"), &run); err != nil {
		return nil, err
	}
	var list []Orphan
	for n := 1; ; n++ {
		entries, err := os.ReadDir(f.round(n))
		if errors.Is(err, fs.ErrNotExist) {
			if n > run.FirstRound {
				return list, nil
			}
			continue
		}
		if err != nil {
			return nil, protocol.Errorf(protocol.Unreadable, "%w", err)
		}
		for _, e := range entries {
			if agent, ok := strings.CutSuffix(e.Name(), ".json"); ok && !e.IsDir() {
				if list, err = f.orphan(ctx, list, run.Token, n, agent); err != nil {
					return nil, err
				}
			}
		}
	}
}

// orphan adds the program of an agent in a round to the list, if it lives and its end was not noted.
func (f folder) orphan(ctx context.Context, list []Orphan, token string, round int, agent string) ([]Orphan, error) {
	path := f.file(round, agent, ".json")
	rec := &agentRecord{}
	if err := load(path, rec); err != nil {
		return list, err
	}
	o := orphan{record: rec, mark: markOf(token, round, agent), host: process.Self().Host}
	if rec.unseen() && o.find(ctx) {
		list = append(list, Orphan{agent, rec.Program, round, rec.PID, rec.Begun, o, path})
	}
	return list, nil
}

// EndOrphans ends the programs that outlived their runner and notes it, so that the next run starts them
// again. It tells how many there were.
func EndOrphans(ctx context.Context, s *mail.Service, root, thread string, grace time.Duration) (int, error) {
	list, err := Orphans(ctx, s, root, thread)
	if err != nil {
		return 0, err
	}
	for _, o := range list {
		terminate(o.PID) // all of them hear it at once
	}
	for i, o := range list {
		o.end(ctx, grace)
		sweep(ctx, o.mark, grace)
		o.record.End, o.record.EndedAt = CutOff, s.Now()
		if err := save(o.path, o.record); err != nil {
			return i, err
		}
		notePresence(ctx, s, thread, o.Agent, o.host, *o.record)
	}
	return len(list), nil
}

func markOf(token string, round int, agent string) string {
	return fmt.Sprintf("BRENNER_RUN=%s:%d:%s;", token, round, agent)
}
