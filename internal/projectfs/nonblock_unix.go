//go:build unix

package projectfs

import "syscall"

// nonblock keeps opening a pipe from waiting for a writer.
const nonblock = syscall.O_NONBLOCK
