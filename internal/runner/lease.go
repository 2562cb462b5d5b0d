package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"brenner/internal/mail"
	"brenner/internal/process"
	"brenner/internal/protocol"
)

// leaseTTL is how long the lease of a runner holds without being renewed: a runner on another
// machine that crashed is in the way no longer than this.
const leaseTTL = 30 * time.Second

// lease keeps other runners away from a thread, on any machine: a record in the store that its holder
// renews. On one machine the lock on a file of the run's folder does it at once, and tells a holder
// that is dead from one that is slow.
type lease struct {
	mail   *mail.Service
	agent  string
	path   string // what is leased; not a file, and not exclusive for those who lease files
	ttl    time.Duration
	holder holder
	file   *os.File
}

func leasePath(thread string) string { return "brenner-run/" + thread }

// holder is who has the lease, as its reason says.
type holder struct {
	Token  string `json:"token"`
	Host   string `json:"host"`
	Folder string `json:"folder"`
	PID    int    `json:"pid"`
}

// takeLease gets the lease or says who has it (CONFLICT).
func takeLease(ctx context.Context, r *run) (*lease, error) {
	l := &lease{mail: r.mail, agent: r.o.As, path: leasePath(r.o.ThreadID), ttl: r.o.LeaseTTL}
	l.holder = holder{Host: r.host, Folder: r.folder.path, PID: os.Getpid()}
	l.holder.Token = fmt.Sprintf("%s/%d/%d", l.holder.Host, l.holder.PID, time.Now().UnixNano())
	f, err := os.OpenFile(filepath.Join(r.folder.path, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, protocol.Errorf(protocol.Unwritable, "the run cannot be locked: %w", err)
	}
	free, err := l.lock(ctx, f)
	switch {
	case err != nil:
		err = protocol.Errorf(protocol.Unwritable, "the run cannot be locked: %w", err)
	case !free:
		err = l.taken(ctx)
	default:
		l.file = f
		err = l.renew(ctx)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// maxHeir is how long a program that a killed runner was starting may keep its lock: until a new process has become that program it has
// the open files of its parent.
const maxHeir = 2 * time.Second

// lock takes the lock of the run. It waits a moment where the runner that has the lease no longer lives.
func (l *lease) lock(ctx context.Context, f *os.File) (bool, error) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(maxHeir); ; {
		free, err := lock(f)
		if free || err != nil || time.Now().After(end) {
			return free, err
		}
		standing, err := l.mail.Leases(ctx)
		if err != nil || slices.ContainsFunc(standing, l.lives(ctx)) {
			return false, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// lives reports whether a lease of the run may be held by a process that is at work.
func (l *lease) lives(ctx context.Context) func(mail.Reservation) bool {
	return func(r mail.Reservation) bool {
		if r.Path != l.path {
			return false
		}
		h := holderOf(r)
		alive, known := process.Alive(ctx, h.PID, time.Time{})
		return h.Host != l.holder.Host || alive || !known
	}
}

// renew extends the lease, or takes it where it is free. A holder in this folder cannot be
// alive: this runner has the lock.
func (l *lease) renew(ctx context.Context) error {
	reason, err := json.Marshal(l.holder)
	if err != nil {
		return err
	}
	now := l.mail.Now()
	_, err = l.mail.Store().Reservations(ctx, l.mail.Project().ID, now, func(standing []mail.Reservation) ([]mail.Reservation, error) {
		mine := mail.Reservation{Project: l.mail.Project().ID, Agent: l.agent, Path: l.path, CreatedAt: now}
		for _, have := range standing {
			if have.Path != l.path {
				continue
			}
			other := holderOf(have)
			if other.Token != l.holder.Token && (other.Host != l.holder.Host || other.Folder != l.holder.Folder) {
				return nil, other.conflict(l.path, have.ExpiresAt)
			}
			mine = have
		}
		mine.Agent, mine.Reason, mine.ExpiresAt = l.agent, string(reason), now.Add(l.ttl)
		return []mail.Reservation{mine}, nil
	})
	return err
}

func holderOf(r mail.Reservation) holder {
	var h holder
	_ = json.Unmarshal([]byte(r.Reason), &h) // one that cannot be read is another holder
	return h
}

func (h holder) conflict(path string, until time.Time) error {
	return protocol.Errorf(protocol.Conflict, "another runner is at work on %s: process %d on %s; its lease ends at %s unless it renews it",
		filepath.Base(path), h.PID, h.Host, mail.FormatTime(until))
}

// heldElsewhere is the error (CONFLICT) for a session whose run another machine, or another folder, holds now; nil: none does.
func heldElsewhere(ctx context.Context, m *mail.Service, root, thread string) error {
	standing, err := m.Leases(ctx)
	if err != nil {
		return err
	}
	here := holder{Host: process.Self().Host, Folder: runFolder(root, thread).path}
	for _, have := range standing {
		if h := holderOf(have); have.Path == leasePath(thread) && (h.Host != here.Host || h.Folder != here.Folder) {
			return h.conflict(have.Path, have.ExpiresAt)
		}
	}
	return nil
}

// taken is the error for a lock that another process has.
func (l *lease) taken(ctx context.Context) error {
	standing, err := l.mail.Leases(ctx)
	if err != nil {
		return err
	}
	for _, have := range standing {
		if have.Path == l.path {
			return holderOf(have).conflict(l.path, have.ExpiresAt)
		}
	}
	return protocol.Errorf(protocol.Conflict, "another runner is at work on %s", filepath.Base(l.path))
}

// keep renews the lease until the context ends. A lease that another runner took, or that could not be
// renewed in time, ends the run: two runners must not play one round.
func (l *lease) keep(ctx context.Context, lost func(error)) {
	tick := time.NewTicker(l.ttl / 3)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := l.renew(ctx)
		switch {
		case err == nil:
			last = time.Now()
		case protocol.CodeOf(err) == protocol.Conflict, time.Since(last) > l.ttl:
			lost(err)
			return
		}
	}
}

// release gives the lease back. A lease that cannot be released ends by itself.
func (l *lease) release(ctx context.Context) {
	now := l.mail.Now()
	_, _ = l.mail.Store().Reservations(ctx, l.mail.Project().ID, now, func(standing []mail.Reservation) ([]mail.Reservation, error) {
		for _, have := range standing {
			if have.Path == l.path && holderOf(have).Token == l.holder.Token {
				have.Released = now
				return []mail.Reservation{have}, nil
			}
		}
		return nil, nil
	})
	unlock(l.file)
	l.file.Close()
}
