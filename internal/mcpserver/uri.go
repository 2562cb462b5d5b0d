package mcpserver

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"brenner/internal/protocol"
)

// resourceKind is what a resource shows.
type resourceKind string

// The kinds, by scheme and first part of the address.
const (
	inboxResource    resourceKind = "resource://inbox"
	threadResource   resourceKind = "resource://thread"
	agentsResource   resourceKind = "resource://agents"
	projectResource  resourceKind = "resource://project"
	messageResource  resourceKind = "resource://message"
	artifactResource resourceKind = "brenner://artifact"
	evidenceResource resourceKind = "brenner://evidence"
)

// address is a resource's address taken apart.
type address struct {
	kind resourceKind
	name string
	args *arguments // of the query, read like those of a tool
}

// parseURI takes an address apart by hand: what follows the kind is a name as a whole, so that
// paths with raw slashes are found as well as escaped ones.
func parseURI(uri string) (address, error) {
	if len(uri) > maxURI {
		return address{}, protocol.Errorf(protocol.InvalidInput, "the address of a resource has more than %d bytes", maxURI)
	}
	rest, query, _ := strings.Cut(uri, "?")
	scheme, rest, ok := strings.Cut(rest, "://")
	kind, name, _ := strings.Cut(rest, "/")
	if !ok {
		return address{}, protocol.Errorf(protocol.NotFound, "%q is no resource here", uri)
	}
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	a := address{kind: resourceKind(strings.ToLower(scheme) + "://" + strings.ToLower(kind)), name: name}
	values, err := url.ParseQuery(query)
	if err != nil {
		return a, protocol.Errorf(protocol.InvalidInput, "the query of %q cannot be read: %w", uri, err)
	}
	a.args = &arguments{values: make(map[string]json.RawMessage, len(values))}
	for key, value := range values {
		a.args.values[key] = json.RawMessage(encodeText(value[len(value)-1]))
	}
	return a, nil
}

// id reads the name as the number of a message.
func (a address) id() (int64, error) {
	id, err := strconv.ParseInt(strings.Trim(a.name, "/#"), 10, 64)
	if err != nil || id < 1 {
		return 0, protocol.Errorf(protocol.NotFound, "there is no message %q", a.name)
	}
	return id, nil
}

// word reads the name as a thread or an agent, which hold no slash at their end.
func (a address) word() string { return strings.TrimSuffix(a.name, "/") }
