package foreign

import (
	"net/url"
	"strings"

	"brenner/internal/protocol"
)

// The variables that clients of Agent Mail servers know, and what holds without them.
const (
	baseVariable  = "AGENT_MAIL_BASE_URL"
	pathVariable  = "AGENT_MAIL_PATH"
	tokenVariable = "AGENT_MAIL_BEARER_TOKEN"

	defaultBase = "http://127.0.0.1:8765"
	defaultPath = "/mcp/"
)

// place is where a server is, and the key to it.
type place struct {
	endpoint string
	token    string
}

// placeOf reads a DSN: mcp+http://host:port/path/. What it leaves out comes from the
// environment.
func placeOf(dsn string, getenv func(string) string) (place, error) {
	bad := func() (place, error) {
		return place{}, protocol.Errorf(protocol.Usage, "the store is no address of an Agent Mail server; write mcp+http://host:port/path/")
	}
	scheme, rest, ok := strings.Cut(strings.TrimPrefix(dsn, "mcp+"), ":")
	if !ok || scheme != "http" && scheme != "https" || !strings.HasPrefix(dsn, "mcp+") {
		return bad()
	}
	address := scheme + ":" + rest
	if strings.Trim(rest, "/") == "" {
		address = or(getenv(baseVariable), defaultBase)
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return bad()
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/" + strings.TrimPrefix(or(getenv(pathVariable), defaultPath), "/")
	}
	token := getenv(tokenVariable)
	if password, given := u.User.Password(); given && token == "" {
		token = password
	}
	u.User = nil
	return place{u.String(), token}, nil
}

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}
