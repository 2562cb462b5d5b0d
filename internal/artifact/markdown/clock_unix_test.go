//go:build unix

package markdown

import (
	"syscall"
	"time"
)

// clock returns the processor time of this process: unlike the clock on the wall it does not
// run while others use the machine.
func clock() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
