//go:build unix

package command

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// watchdog ends a command with everything that it started if this process is killed before it could do so itself. It waits at
// a pipe whose other end we hold: if we are gone, nobody says goodbye.
type watchdog struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// bite ends the group of a process, and what is below it and moved to a group of its own. Without ps it is the group alone.
const bite = `read goodbye && exit
below() {
	ps -A -o pid= -o ppid= 2>/dev/null | while read -r pid parent; do
		if [ "$parent" = "$1" ]; then echo "$pid"; below "$pid"; fi
	done
}
others=$(below "$0")
kill -s KILL -- "-$0" $others`

// watch sets a watchdog on a command that was started. Without a shell on the machine there is none.
func watch(command *exec.Cmd) *watchdog {
	w := &watchdog{cmd: exec.Command("/bin/sh", "-c", bite, fmt.Sprint(command.Process.Pid))}
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt at the keyboard does not reach it
	var err error
	if w.pipe, err = w.cmd.StdinPipe(); err != nil || w.cmd.Start() != nil {
		return nil
	}
	return w
}

// stop says goodbye to the watchdog after the command has ended.
func (w *watchdog) stop() {
	if w == nil {
		return
	}
	_, _ = io.WriteString(w.pipe, "goodbye\n")
	_ = w.pipe.Close()
	_ = w.cmd.Wait()
}
