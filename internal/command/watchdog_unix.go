//go:build unix

package command

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// watchdog ends a command with everything that it started: if this process is killed before it could do so itself, and where the
// time of the command is over. It waits at a pipe whose other end we hold: if we are gone, nobody says goodbye.
type watchdog struct {
	mark string // NAME=value in the environment of all that the command starts; a run within a run has both
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// bite ends the group of a process, what is below it and moved to a group of its own, and on Linux whatever carries the mark, also
// without a parent. Without ps it is the group alone.
const bite = `read -r leader
read -r goodbye && exit
below() {
	ps -A -o pid= -o ppid= 2>/dev/null | while read -r pid parent; do
		if [ "$parent" = "$1" ]; then echo "$pid"; below "$pid"; fi
	done
}
marked() {
	grep -lszxF -e "$0" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
}
if [ -n "$leader" ]; then
	others=$(below "$leader")
	kill -s KILL -- "-$leader" $others
fi
for again in 1 2 3 4 5; do # one may start another while we look
	left=$(marked)
	if [ -z "$left" ]; then exit; fi
	kill -s KILL $left
done`

// watch sets a watchdog before a command is started. Without a shell on the machine there is none.
func watch() *watchdog {
	w := &watchdog{mark: fmt.Sprintf("BRENNER_RUN_%d=%d", os.Getpid(), time.Now().UnixNano())}
	w.cmd = exec.Command("/bin/sh", "-c", bite, w.mark)
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt at the keyboard does not reach it
	var err error
	if w.pipe, err = w.cmd.StdinPipe(); err != nil || w.cmd.Start() != nil {
		return nil
	}
	return w
}

// environ is the environment of the command: ours, and the mark.
func (w *watchdog) environ() []string {
	if w == nil {
		return nil
	}
	return append(os.Environ(), w.mark)
}

// follow tells the watchdog which process the command is.
func (w *watchdog) follow(pid int) { w.say(fmt.Sprintln(pid)) }

// stop says goodbye to the watchdog after the command has ended.
func (w *watchdog) stop() {
	w.say("goodbye\n")
	w.end()
}

// end lets the watchdog end what is left, if nobody has said goodbye, and waits until it has. It may be called again.
func (w *watchdog) end() {
	if w == nil {
		return
	}
	_ = w.pipe.Close()
	_ = w.cmd.Wait()
}

func (w *watchdog) say(text string) {
	if w != nil {
		_, _ = io.WriteString(w.pipe, text) // it may be gone
	}
}
