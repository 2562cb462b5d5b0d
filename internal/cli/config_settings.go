package cli

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	project "brenner/internal/app"
	"brenner/internal/config"
	"brenner/internal/mail"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// setting is one value that applies, and where it comes from.
type setting struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Origin string          `json:"origin"`
}

// text writes a string bare and anything else as JSON.
func (s setting) text() string {
	var text string
	if json.Unmarshal(s.Value, &text) != nil {
		return string(s.Value)
	}
	if short := roundTime().FindStringSubmatch(text); short != nil {
		return short[1] // as one would write it
	}
	return text
}

// roundTime is a time with seconds, or minutes and seconds, that are zero.
var roundTime = pattern.Lazy(`^((?:[0-9]+h)?[0-9]+[hm])(?:0m)?0s$`)

const fromDefault = "default"

func newSetting(key string, value any, origin string) setting {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // plain data always encodes
	}
	return setting{key, data, cmp.Or(origin, fromDefault)}
}

func (a *app) projectSetting(found project.Project) setting {
	if a.flags.project != "" {
		return newSetting("project", found.Root, "--project")
	}
	return newSetting("project", found.Root, "")
}

func (a *app) storeSetting(found project.Project) setting {
	switch dsn := project.Redacted(a.dsn()); {
	case a.flags.store != "":
		return newSetting("store", dsn, "--store")
	case dsn != "":
		return newSetting("store", dsn, "BRENNER_STORE")
	}
	return newSetting("store", found.DefaultStore(), "")
}

func (a *app) identitySetting() setting {
	switch {
	case a.flags.as != "":
		return newSetting("as", a.flags.as, "--as")
	case a.streams.Getenv("AGENT_NAME") != "":
		return newSetting("as", a.identity(), "AGENT_NAME")
	}
	return newSetting("as", a.identity(), "")
}

func stalledAfter(c config.Config) string {
	if c.Run.StalledAfter == 0 {
		return "never"
	}
	return c.Run.StalledAfter.String()
}

// consent is how long a program waits for a person's answer.
func consent(c config.Config) string {
	if c.Run.Consent == 0 {
		return "refused at once"
	}
	return c.Run.Consent.String()
}

func retries(c config.Config) int {
	if c.Run.Retries == nil {
		return runner.DefaultRetries
	}
	return *c.Run.Retries
}

// settings lists what a project file can set, with the values that apply.
func settings(c config.Config) []setting {
	list := []setting{
		newSetting("validation.mode", cmp.Or(c.Validation, string(mail.Enforce)), c.Origins["validation.mode"]),
		newSetting("ack.reminders", reminders(c), c.Origins["ack.reminders"]),
	}
	for _, t := range protocol.MessageTypes() {
		if t.AckDefault() || c.Ack.Deadlines[t] > 0 {
			key := "ack.deadline." + string(t)
			list = append(list, newSetting(key, cmp.Or(c.Ack.Deadlines[t], c.Ack.Deadline, mail.DefaultDeadline).String(),
				cmp.Or(origin(c, key), singleDeadline(c))))
		}
	}
	list = append(list,
		newSetting("persist.every", c.Persist.Every, c.Origins["persist.every"]),
		newSetting("transcript", c.Transcript.Path, c.Origins["transcript"]),
		newSetting("run.deadline", cmp.Or(c.Run.Deadline, runner.DefaultDeadline).String(), c.Origins["run.deadline"]),
		newSetting("run.stalled_after", stalledAfter(c), c.Origins["run.stalled_after"]),
		newSetting("run.consent", consent(c), c.Origins["run.consent"]),
		newSetting("run.retries", retries(c), c.Origins["run.retries"]),
		newSetting("run.budget", cmp.Or(c.Run.Budget, "none"), c.Origins["run.budget"]),
		newSetting("run.agent_budget", cmp.Or(c.Run.AgentBudget, "none"), c.Origins["run.agent_budget"]),
		newSetting("run.day_budget", cmp.Or(c.Run.DayBudget, "none"), c.Origins["run.day_budget"]),
		newSetting("notify.on", cmp.Or(strings.Join(c.Notify.On, ", "), "everything"), c.Origins["notify.on"]),
		newSetting("notify.command", strings.Join(c.Notify.Command, " "), c.Origins["notify.command"]),
		newSetting("notify.webhook", c.Notify.Webhook, c.Origins["notify.webhook"]),
		newSetting("notify.bell", c.Notify.Bell, c.Origins["notify.bell"]))
	for _, role := range protocol.Roles() {
		key := "prompts." + string(role)
		list = append(list, newSetting(key, cmp.Or(c.Prompts[role].Path, "built in"), c.Origins[key]))
	}
	list = append(list, rosterSettings(c)...)
	for _, word := range slices.Sorted(maps.Keys(c.Families)) {
		key := "families." + word
		list = append(list, newSetting(key, c.Families[word], c.Origins[key]))
	}
	list = append(list, newSetting("crate.license", c.Crate.License, c.Origins["crate.license"]),
		newSetting("crate.authors", authorNames(c), c.Origins["crate.authors"]),
		newSetting("checkpoint.on", cmp.Or(strings.Join(c.Checkpoint.On, ", "), "only when asked for"), c.Origins["checkpoint.on"]),
		newSetting("checkpoint.cosign", strings.Join(c.Checkpoint.Cosign, ", "), c.Origins["checkpoint.cosign"]))
	for _, program := range slices.Sorted(maps.Keys(c.Agents)) {
		key := "agents." + program
		list = append(list, newSetting(key, c.Agents[program].Command, c.Origins[key]))
	}
	return list
}

// singleDeadline is where one deadline for all types was set.
func singleDeadline(c config.Config) string {
	if c.Ack.Deadline == 0 {
		return ""
	}
	return c.Origins["ack.deadline"]
}

func reminders(c config.Config) int {
	if c.Ack.Reminders != nil {
		return *c.Ack.Reminders
	}
	return mail.DefaultReminders
}

// origin finds a key whatever its case: types of messages are written either way.
func origin(c config.Config, key string) string {
	for written, file := range c.Origins {
		if strings.EqualFold(written, key) {
			return file
		}
	}
	return ""
}

func rosterSettings(c config.Config) []setting {
	r := c.Roster
	entries := make([]string, len(r.Entries))
	for i, e := range r.Entries {
		entries[i] = e.AgentName + "=" + string(e.Role)
	}
	ids := make([]string, len(r.Presets))
	for i, p := range r.Presets {
		ids[i] = p.ID
	}
	return []setting{
		newSetting("roster.entries", entries, c.Origins["roster.entries"]),
		newSetting("roster.presets", ids, c.Origins["roster.presets"]),
		newSetting("roster.defaultPreset", r.DefaultPreset, c.Origins["roster.defaultPreset"]),
		newSetting("roster.mode", r.Mode, c.Origins["roster.mode"]),
		newSetting("roster.name", r.Name, c.Origins["roster.name"]),
	}
}

// authorNames lists the authors as a person would write them down.
func authorNames(c config.Config) []string {
	names := []string{}
	for _, a := range c.Crate.Authors {
		names = append(names, strings.TrimSpace(a.Name+" "+a.ORCID))
	}
	return names
}
