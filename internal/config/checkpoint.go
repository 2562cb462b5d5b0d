package config

import (
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/pattern"
)

// checkpointKinds are the messages after which a checkpoint can be made by itself (SCIENCE 11).
var checkpointKinds = []string{"start", "result", "version"}

// checkpointOn reads one kind, or a list of them.
func (d *decoder) checkpointOn(path string, data json.RawMessage) {
	var list []string
	if one := ""; json.Unmarshal(data, &one) == nil {
		list = []string{one}
	} else if json.Unmarshal(data, &list) != nil {
		list = []string{""}
	}
	if slices.ContainsFunc(list, func(kind string) bool { return !slices.Contains(checkpointKinds, kind) }) {
		d.wrong(path, "one of "+strings.Join(checkpointKinds, ", ")+", or a list of them")
		return
	}
	d.config.Checkpoint.On = list
}

// origin is the name of a journal (SCIENCE 11).
var origin = pattern.Lazy(`^brenner/[0-9a-f]{16}$`)

// checkpointCosign reads the journals for which a server of this person signs. A project never says what a person witnesses.
func (d *decoder) checkpointCosign(path string, data json.RawMessage) {
	if d.scope != userScope {
		d.fail(path, "a project never says what you witness; put %s into your own settings", path)
		return
	}
	var list []string
	if json.Unmarshal(data, &list) != nil || slices.ContainsFunc(list, func(o string) bool { return !origin().MatchString(o) }) {
		d.wrong(path, "a list of journals such as brenner/0123456789abcdef")
		return
	}
	d.config.Checkpoint.Cosign = list
}

// over lays settings above lower ones.
func (c Checkpoint) over(lower Checkpoint) Checkpoint {
	if c.On == nil {
		c.On = lower.On
	}
	c.Cosign = lower.Cosign
	return c
}
