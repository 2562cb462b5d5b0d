//go:build !unix

package command

// watchdog is nothing where there are no process groups.
type watchdog struct{}

func watch() *watchdog { return nil }

func (*watchdog) environ() []string { return nil }

func (*watchdog) follow(int) {}

func (*watchdog) stop() {}

func (*watchdog) end() {}
