package config

import (
	"encoding/json"
	"net"
	"net/url"
	"slices"
	"strings"
)

// notifyEvents are what a person can be told of.
var notifyEvents = []string{"gate", "question", "asks", "dead", "stalled", "converged", "budget"}

func (d *decoder) notifyOn(path string, data json.RawMessage) {
	var list []string
	err := json.Unmarshal(data, &list)
	if err != nil || slices.ContainsFunc(list, func(name string) bool { return !slices.Contains(notifyEvents, name) }) {
		d.wrong(path, "a list of "+strings.Join(notifyEvents, ", "))
		return
	}
	d.config.Notify.On = list
}

func (d *decoder) notifyCommand(path string, data json.RawMessage) {
	if !d.personal(path) {
		return
	}
	d.config.Notify.Command = d.words(path, data)
}

func (d *decoder) notifyWebhook(path string, data json.RawMessage) {
	if !d.personal(path) {
		return
	}
	address := d.text(path, data)
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback() {
		d.wrong(path, "an address on this machine such as http://127.0.0.1:9000/brenner: nothing leaves it")
		return
	}
	d.config.Notify.Webhook = address
}

func (d *decoder) notifyBell(path string, data json.RawMessage) {
	if err := json.Unmarshal(data, &d.config.Notify.Bell); err != nil {
		d.wrong(path, "true or false")
	}
}

// personal refuses what only a person's own settings may say: looking at another person's project must not run what that
// project names, nor call it.
func (d *decoder) personal(path string) bool {
	if d.scope != userScope {
		d.fail(path, "a project never says what is run or called to tell you of news; put %s into your own settings", path)
		return false
	}
	return true
}

// over lays settings above lower ones.
func (n Notify) over(lower Notify) Notify {
	if len(n.On) == 0 {
		n.On = lower.On
	}
	n.Command, n.Webhook, n.Bell = lower.Command, lower.Webhook, n.Bell || lower.Bell
	return n
}
