package proctree

import (
	"errors"

	"brenner/internal/protocol"
)

// There is no tmux on Windows, so nothing calls this.
func snapshot(string) ([]Process, error) { return nil, errors.New("not on Windows") }

func ask(int) {}

func hangUp(int) {}

func kill(int) {}

func pause(int) error {
	return protocol.Errorf(protocol.NotAllowed, "programs cannot be paused on Windows")
}

func resume(int) error { return pause(0) }
