package process

import (
	"context"
	"os"
	"sync"
	"time"
)

// drift is how far two readings of one start time may be apart: some systems count it from a boot
// time that moves when the clock is set.
const drift = 10 * time.Second

// Alive tells whether the process of a number lives that began at a time; zero stands for any
// time. known is false if this machine does not say. A process that ended and was not taken notice of
// by its parent (a zombie) is dead.
func Alive(ctx context.Context, pid int, started time.Time) (alive, known bool) {
	if pid <= 0 {
		return false, false
	}
	found, began, known := look(ctx, pid)
	if !known || !found {
		return false, known
	}
	if started.IsZero() || began.IsZero() {
		return true, true
	}
	return began.Sub(started).Abs() <= drift, true
}

// Started is when a process of this machine began; zero if that cannot be told.
func Started(ctx context.Context, pid int) time.Time {
	if found, began, known := look(ctx, pid); known && found {
		return began
	}
	return time.Time{}
}

// Self is this process.
var Self = sync.OnceValue(func() Identity {
	return Identity{Host: host(), PID: os.Getpid(), Started: Started(context.Background(), os.Getpid())}
})

// Identity names a process among those of all machines.
type Identity struct {
	Host    string // a machine, or the part of one in which numbers of processes are counted
	PID     int
	Started time.Time
}

// host names this machine. Where processes of one machine are counted in several rooms
// (containers), the room belongs to the name.
func host() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return ""
	}
	return name + room()
}
