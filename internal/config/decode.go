package config

import (
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// decoder turns the JSON form of a settings file into a Config. Every key is read by name:
// what is left over is reported, what has the wrong type is an error.
type decoder struct {
	source   string // the settings file
	root     string // the project's folder
	scope    scope
	config   Config
	findings []protocol.Finding
}

type object map[string]json.RawMessage

func (d *decoder) decode(data []byte) {
	d.object("", data, map[string]func(string, json.RawMessage){
		"roster":     d.roster,
		"validation": d.keys(map[string]func(string, json.RawMessage){"mode": d.validationMode}),
		"ack": d.keys(map[string]func(string, json.RawMessage){
			"deadline": d.deadlines, "reminders": d.reminders,
		}),
		"persist":    d.keys(map[string]func(string, json.RawMessage){"every": d.every}),
		"prompts":    d.prompts,
		"transcript": d.transcript,
		"agents":     d.agents,
		"families":   d.families,
		"crate":      d.keys(map[string]func(string, json.RawMessage){"license": d.license, "authors": d.authors}),
		"checkpoint": d.keys(map[string]func(string, json.RawMessage){"on": d.checkpointOn, "cosign": d.checkpointCosign}),
		"run": d.keys(map[string]func(string, json.RawMessage){
			"deadline":      func(at string, data json.RawMessage) { d.config.Run.Deadline = d.duration(at, data) },
			"stalled_after": func(at string, data json.RawMessage) { d.config.Run.StalledAfter = d.duration(at, data) },
			"consent":       func(at string, data json.RawMessage) { d.config.Run.Consent = d.duration(at, data) },
			"retries":       d.retries,
			"budget":        func(at string, data json.RawMessage) { d.config.Run.Budget = d.budget(at, data) },
			"agent_budget":  func(at string, data json.RawMessage) { d.config.Run.AgentBudget = d.budget(at, data) },
			"day_budget":    func(at string, data json.RawMessage) { d.config.Run.DayBudget = d.budget(at, data) },
			"prices":        d.prices,
		}),
		"notify": d.keys(map[string]func(string, json.RawMessage){
			"on": d.notifyOn, "command": d.notifyCommand, "webhook": d.notifyWebhook, "bell": d.notifyBell,
		}),
	})
}

// object reads the members of an object in a fixed order and reports unknown keys.
func (d *decoder) object(path string, data json.RawMessage, members map[string]func(string, json.RawMessage)) {
	obj, ok := d.members(path, data)
	if !ok {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		at := join(path, key)
		read, known := members[key]
		switch {
		case string(obj[key]) == "null":
		case !known:
			d.note(protocol.NewFinding(protocol.UnknownConfigKey, "nothing reads %s", at).In(at).
				WithFix("keys here are %s", strings.Join(slices.Sorted(maps.Keys(members)), ", ")))
		default:
			d.config.Origins[at] = d.source
			read(at, obj[key])
		}
	}
}

func (d *decoder) keys(members map[string]func(string, json.RawMessage)) func(string, json.RawMessage) {
	return func(path string, data json.RawMessage) { d.object(path, data, members) }
}

func (d *decoder) members(path string, data json.RawMessage) (object, bool) {
	var obj object
	if err := json.Unmarshal(data, &obj); err != nil || obj == nil {
		if path == "" {
			d.fail("", "the file must hold an object: %s", reason(data, err))
		} else {
			d.wrong(path, "an object")
		}
		return nil, false
	}
	return obj, true
}

// reason says what a file holds instead of an object, in words that are not about Go.
func reason(data json.RawMessage, err error) string {
	if _, syntax := errors.AsType[*json.SyntaxError](err); syntax {
		return err.Error()
	}
	switch text := strings.TrimSpace(string(data)); {
	case text == "" || text == "null":
		return "it holds nothing"
	case text[0] == '[':
		return "it holds a list"
	case text[0] == '"':
		return "it holds a text"
	case text == "true" || text == "false":
		return "it holds " + text
	default:
		return "it holds a number"
	}
}

func (d *decoder) roster(path string, data json.RawMessage) {
	if d.scope == userScope {
		d.fail(path, "a person's own settings never hold a roster; put it into the project file")
		return
	}
	r := &d.config.Roster
	d.object(path, data, map[string]func(string, json.RawMessage){
		"entries": func(at string, data json.RawMessage) { r.Entries = d.entries(at, data) },
		"presets": func(at string, data json.RawMessage) { r.Presets = d.presets(at, data) },
		"defaultPreset": func(at string, data json.RawMessage) {
			r.DefaultPreset = d.text(at, data)
		},
		"mode": func(at string, data json.RawMessage) {
			r.Mode = protocol.RosterMode(d.oneOf(at, data, protocol.InvalidMode, "role_separated", "unified", "heuristic"))
		},
		"name": func(at string, data json.RawMessage) { r.Name = d.text(at, data) },
	})
}

func (d *decoder) entries(path string, data json.RawMessage) []protocol.RosterEntry {
	roster, findings := protocol.ParseRoster(data)
	for _, f := range findings {
		d.note(f.In(join(path, strings.TrimPrefix(f.Path, "entries"))))
	}
	return roster.Entries
}

func (d *decoder) presets(path string, data json.RawMessage) []protocol.Preset {
	var presets []protocol.Preset
	if err := json.Unmarshal(data, &presets); err != nil {
		d.wrong(path, "a list of presets with id, name and entries")
		return nil
	}
	for _, f := range protocol.CheckPresets(presets) {
		d.note(f.In(join(path, strings.TrimPrefix(f.Path, "presets"))))
	}
	return presets
}

func (d *decoder) validationMode(path string, data json.RawMessage) {
	d.config.Validation = d.oneOf(path, data, protocol.InvalidConfig, "enforce", "warn", "off")
}

// deadlines reads one duration for all types of messages, or one for each of some types.
func (d *decoder) deadlines(path string, data json.RawMessage) {
	if !strings.HasPrefix(string(data), "{") {
		d.config.Ack.Deadline, d.config.Ack.Deadlines = d.duration(path, data), nil
		return
	}
	obj, ok := d.members(path, data)
	if !ok {
		return
	}
	d.config.Ack.Deadline, d.config.Ack.Deadlines = 0, map[protocol.MessageType]time.Duration{}
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		at := join(path, key)
		typ := protocol.MessageType(strings.ToUpper(key))
		if !slices.Contains(protocol.MessageTypes(), typ) {
			d.note(protocol.NewFinding(protocol.UnknownConfigKey, "%s is no type of message", key).In(at))
			continue
		}
		d.config.Origins[at] = d.source
		d.config.Ack.Deadlines[typ] = d.duration(at, obj[key])
	}
}

// duration reads "45m", "2h", or a number of minutes.
func (d *decoder) duration(path string, data json.RawMessage) time.Duration {
	var minutes float64
	if json.Unmarshal(data, &minutes) == nil && minutes > 0 {
		return time.Duration(minutes * float64(time.Minute))
	}
	var text string
	if json.Unmarshal(data, &text) == nil {
		if v, err := time.ParseDuration(text); err == nil && v > 0 {
			return v
		}
	}
	d.wrong(path, `a duration such as "45m" or a number of minutes`)
	return 0
}

func (d *decoder) reminders(path string, data json.RawMessage) {
	n := d.count(path, data)
	d.config.Ack.Reminders = &n
}

func (d *decoder) retries(path string, data json.RawMessage) {
	n := d.count(path, data)
	d.config.Run.Retries = &n
}

// budgetText is a budget as a person writes it.
var budgetText = pattern.Lazy(`(?i)^\s*(?:\$\s*\d+(?:\.\d+)?|\d+(?:\.\d+)?\s*(?:usd|[km]?\s*(?:tokens?)?))\s*$`)

func (d *decoder) budget(path string, data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data) // a number
	}
	if !budgetText().MatchString(text) {
		d.wrong(path, `tokens such as 200k or 2M, or dollars such as "$5"`)
		return ""
	}
	return text
}

// prices are what programs cost that tell no dollars.
func (d *decoder) prices(path string, data json.RawMessage) {
	programs, ok := d.members(path, data)
	if !ok {
		return
	}
	d.config.Run.Prices = map[string]Price{}
	for name, price := range programs {
		var p Price
		number := func(to *float64) func(string, json.RawMessage) {
			return func(at string, data json.RawMessage) {
				if json.Unmarshal(data, to) != nil || *to < 0 {
					d.wrong(at, "dollars for a million tokens")
				}
			}
		}
		d.object(join(path, name), price, map[string]func(string, json.RawMessage){
			"input": number(&p.Input), "cached": number(&p.Cached), "output": number(&p.Output),
		})
		d.config.Run.Prices[name] = p
	}
}

func (d *decoder) every(path string, data json.RawMessage) {
	d.config.Persist.Every = d.count(path, data)
}

func (d *decoder) count(path string, data json.RawMessage) int {
	var n int
	if err := json.Unmarshal(data, &n); err != nil || n < 0 {
		d.wrong(path, "a whole number from 0")
		return 0
	}
	return n
}

func (d *decoder) prompts(path string, data json.RawMessage) {
	obj, ok := d.members(path, data)
	if !ok {
		return
	}
	d.config.Prompts = map[protocol.Role]File{}
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		at := join(path, key)
		if !slices.Contains(protocol.Roles(), protocol.Role(key)) {
			d.note(protocol.NewFinding(protocol.UnknownConfigKey, "%s is no role", key).In(at))
			continue
		}
		d.config.Origins[at] = d.source
		d.config.Prompts[protocol.Role(key)] = d.file(at, obj[key])
	}
}

// families reads more words for the families of models: word → family.
func (d *decoder) families(path string, data json.RawMessage) {
	obj, ok := d.members(path, data)
	if !ok {
		return
	}
	d.config.Families = map[string]string{}
	for _, word := range slices.Sorted(maps.Keys(obj)) {
		at := join(path, word)
		family := d.text(at, obj[word])
		if strings.TrimSpace(word) == "" || strings.TrimSpace(family) == "" {
			d.wrong(at, "a word and its family")
			continue
		}
		d.config.Origins[at] = d.source
		d.config.Families[word] = family
	}
}

func (d *decoder) transcript(path string, data json.RawMessage) {
	d.config.Transcript = d.file(path, data)
}

// file reads a file name; it is relative to the settings file, and inside the project.
func (d *decoder) file(at string, data json.RawMessage) File {
	name := d.text(at, data)
	if name == "" {
		return File{}
	}
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(d.source), path)
	}
	if d.scope == userScope {
		return File{Path: path}
	}
	if !inside(d.root, path) {
		d.note(protocol.NewFinding(protocol.InvalidConfig, "%s names %s, which is outside of the project", at, name).In(at).
			WithFix("copy the file into the project and name it there"))
	}
	return File{Path: path, Root: d.root}
}

func (d *decoder) agents(path string, data json.RawMessage) {
	obj, ok := d.members(path, data)
	if !ok {
		return
	}
	d.config.Agents = map[string]Agent{}
	for _, program := range slices.Sorted(maps.Keys(obj)) {
		at := join(path, program)
		d.config.Origins[at] = d.source
		d.config.Agents[program] = d.agent(at, obj[program])
	}
	if d.scope == projectScope {
		templates, err := templatesOf(data, d.config.Agents)
		if err != nil {
			d.wrong(path, "an object whose names come once")
		}
		d.config.Templates = templates
	}
}

// agent reads a command template: a list of words for both uses, or one for each.
func (d *decoder) agent(path string, data json.RawMessage) Agent {
	var words []string
	if json.Unmarshal(data, &words) == nil {
		return Agent{Command: words, Headless: words}
	}
	var a Agent
	d.object(path, data, map[string]func(string, json.RawMessage){
		"command":  func(at string, data json.RawMessage) { a.Command = d.words(at, data) },
		"headless": func(at string, data json.RawMessage) { a.Headless = d.words(at, data) },
		"acp":      func(at string, data json.RawMessage) { a.ACP = d.words(at, data) },
	})
	return a
}

func (d *decoder) words(path string, data json.RawMessage) []string {
	var words []string
	if err := json.Unmarshal(data, &words); err != nil || len(words) == 0 {
		d.wrong(path, `a list of words such as ["claude", "-p"]`)
	}
	return words
}

func (d *decoder) text(path string, data json.RawMessage) string {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		d.wrong(path, "text")
	}
	return text
}

func (d *decoder) oneOf(path string, data json.RawMessage, code protocol.Code, values ...string) string {
	text := d.text(path, data)
	if text != "" && !slices.Contains(values, text) {
		d.note(protocol.NewFinding(code, "%s is %q", path, text).In(path).
			WithFix("use one of %s", strings.Join(values, ", ")))
	}
	return text
}

func (d *decoder) wrong(path, want string) {
	d.note(protocol.NewFinding(protocol.InvalidConfig, "%s must be %s", path, want).In(path).
		WithFix("give %s as %s", path, want))
}

func (d *decoder) fail(path, format string, args ...any) {
	d.note(protocol.NewFinding(protocol.InvalidConfig, format, args...).In(path))
}

func (d *decoder) note(f protocol.Finding) { d.findings = append(d.findings, f) }

func join(path, key string) string {
	if path == "" || strings.HasPrefix(key, "[") {
		return path + key
	}
	return path + "." + key
}
