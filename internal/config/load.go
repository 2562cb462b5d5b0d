package config

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// maxFileBytes keeps a mistaken file (a log, an image) from being read as settings.
const maxFileBytes = 1 << 20

// Load reads the project file that Find found (or --config named) and the person's own
// defaults below it. Either path may be empty. Findings that are warnings come back with the
// Config; an error finding comes back as an error with all findings. root is the
// project's folder: what the project file names stays inside.
func Load(root, projectFile, userFile string) (Config, []protocol.Finding, error) {
	project, findings, err := loadFile(root, projectFile, projectScope)
	if err != nil {
		return Config{}, findings, err
	}
	user, more, err := loadFile("", userFile, userScope)
	findings = append(findings, more...)
	if err != nil {
		return Config{}, findings, err
	}
	return project.over(user), findings, nil
}

type scope uint8

const (
	projectScope scope = iota
	userScope          // never holds a roster (PROTOCOL 12)
)

func loadFile(root, path string, s scope) (Config, []protocol.Finding, error) {
	if path == "" {
		return Config{}, nil, nil
	}
	text, err := read(root, path)
	if err != nil {
		return Config{}, nil, err
	}
	data, err := toJSON(path, text)
	if err != nil {
		return Config{}, nil, err
	}
	d := decoder{source: path, root: root, scope: s, config: Config{Origins: map[string]string{}}}
	d.decode(data)
	if protocol.HasErrors(d.findings) {
		return Config{}, d.findings, protocol.Errorf(protocol.InvalidConfig, "%s: %s", path, firstError(d.findings)).
			WithFindings(d.findings)
	}
	return d.config, d.findings, nil
}

func firstError(findings []protocol.Finding) string {
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			return f.Message
		}
	}
	return ""
}

// read opens a project file below the project, like everything in it. One that --config names may
// be elsewhere.
func read(root, path string) ([]byte, error) {
	f := File{Path: path}
	if root != "" && inside(root, path) {
		f.Root = root
	}
	text, err := f.read(maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, protocol.Errorf(protocol.NotFound, "there is no settings file %s", path)
	}
	if err != nil {
		return nil, invalid(path, "the settings cannot be read: %v", err)
	}
	return text, nil
}

// toJSON brings every format to one: the TypeScript file by evaluating it, YAML (and with it
// .brennerrc, which may be either) by converting it.
func toJSON(path string, text []byte) ([]byte, error) {
	switch {
	case filepath.Ext(path) == ".ts":
		return evaluate(path, string(text))
	case filepath.Ext(path) == ".json", strings.HasPrefix(string(bytes.TrimSpace(text)), "{"):
		return text, nil
	}
	data, err := yamltext.ToJSON(text)
	if err != nil {
		return nil, invalid(path, "%v", err)
	}
	return data, nil
}

func invalid(path, format string, args ...any) *protocol.Error {
	f := protocol.NewFinding(protocol.InvalidConfig, format, args...)
	return protocol.Errorf(protocol.InvalidConfig, "%s: %s", path, f.Message).WithFindings([]protocol.Finding{f})
}

// over lays c above lower: what c sets is kept, the rest comes from lower.
func (c Config) over(lower Config) Config {
	if c.Validation == "" {
		c.Validation = lower.Validation
	}
	if c.Ack.Reminders == nil {
		c.Ack.Reminders = lower.Ack.Reminders
	}
	if c.Persist.Every == 0 {
		c.Persist.Every = lower.Persist.Every
	}
	if c.Transcript == (File{}) {
		c.Transcript = lower.Transcript
	}
	c.Notify = c.Notify.over(lower.Notify)
	c.Checkpoint = c.Checkpoint.over(lower.Checkpoint)
	c.Ack.Deadlines = layered(c.Ack.Deadlines, lower.Ack.Deadlines)
	c.Prompts = layered(c.Prompts, lower.Prompts)
	c.Families = layered(c.Families, lower.Families)
	c.Agents = layered(c.Agents, lower.Agents)
	c.Origins = layered(c.Origins, lower.Origins)
	return c
}

func layered[K comparable, V any](upper, lower map[K]V) map[K]V {
	out := maps.Clone(lower)
	if out == nil {
		out = map[K]V{}
	}
	maps.Copy(out, upper)
	return out
}
