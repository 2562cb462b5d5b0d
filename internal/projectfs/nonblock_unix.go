//go:build unix

package projectfs

import "syscall"

// nonblock keeps opening a pipe that nobody writes to from waiting for somebody.
const nonblock = syscall.O_NONBLOCK
