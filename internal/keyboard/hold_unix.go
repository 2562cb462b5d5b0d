//go:build linux || darwin

package keyboard

import "golang.org/x/sys/unix"

// Hold makes the terminal hand over every key as it is pressed, and mark what is pasted, until release is called. Ctrl-C stays a
// signal.
func (k *Keyboard) Hold() (release func()) {
	fd := int(k.file.Fd())
	was, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return func() {} // no terminal: lines come as they come
	}
	now := *was
	now.Lflag &^= unix.ICANON | unix.ECHO | unix.ECHONL | unix.IEXTEN
	now.Iflag |= unix.ICRNL
	now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
	if unix.IoctlSetTermios(fd, setTermios, &now) != nil {
		return func() {}
	}
	_, _ = k.screen.Write([]byte("\x1b[?2004h"))
	return func() {
		_, _ = k.screen.Write([]byte("\x1b[?2004l"))
		_ = unix.IoctlSetTermios(fd, setTermios, was) // a terminal that is gone needs nothing
	}
}
