package crate

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"brenner/internal/protocol"
)

// Signers are the keys that are trusted, as in the ALLOWED SIGNERS part of ssh-keygen(1).
// Lines for certificate authorities are not used: a crate is signed by a plain key.
type Signers []allowed

type allowed struct {
	principals string
	key        ssh.PublicKey
	options    []string
}

// ParseSigners reads a file of allowed signers.
func ParseSigners(text string) (Signers, error) {
	var signers Signers
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		signer, err := parseSigner(line)
		if err != nil {
			return nil, protocol.Errorf(protocol.InvalidInput, "line %d of the allowed signers: %w", i+1, err)
		}
		signers = append(signers, signer)
	}
	return signers, nil
}

func parseSigner(line string) (allowed, error) {
	principals, rest, found := cutPrincipals(line)
	if !found {
		return allowed{}, fmt.Errorf("expected a name, then a public key")
	}
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil {
		return allowed{}, fmt.Errorf("no public key can be read after %q", principals)
	}
	return allowed{principals, key, options}, nil
}

// cutPrincipals takes the first field, which may be quoted.
func cutPrincipals(line string) (principals, rest string, found bool) {
	if quoted, ok := strings.CutPrefix(line, `"`); ok {
		return strings.Cut(quoted, `"`)
	}
	at := strings.IndexAny(line, " \t")
	if at < 0 {
		return "", "", false
	}
	return line[:at], strings.TrimLeft(line[at:], " \t"), true
}

// find returns who is trusted with the key for crates at the time.
func (s Signers) find(key ssh.PublicKey, now time.Time) (string, bool) {
	for _, signer := range s {
		if bytes.Equal(signer.key.Marshal(), key.Marshal()) && signer.permits(now) {
			return signer.principals, true
		}
	}
	return "", false
}

func (a allowed) permits(now time.Time) bool {
	for _, option := range a.options {
		name, value, _ := strings.Cut(option, "=")
		value = strings.Trim(value, `"`)
		switch strings.ToLower(name) {
		case "cert-authority":
			return false
		case "namespaces":
			if !anyPattern(value, namespace) {
				return false
			}
		case "valid-after":
			if at, err := parseSignerTime(value); err != nil || now.Before(at) {
				return false
			}
		case "valid-before":
			if at, err := parseSignerTime(value); err != nil || !now.Before(at) {
				return false
			}
		}
	}
	return true
}

func anyPattern(patterns, name string) bool {
	for pattern := range strings.SplitSeq(patterns, ",") {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}

// parseSignerTime reads YYYYMMDD[HHMM[SS]][Z]; without Z the time is local, as ssh-keygen takes it.
func parseSignerTime(text string) (time.Time, error) {
	zone := time.Local
	if utc, ok := strings.CutSuffix(text, "Z"); ok {
		text, zone = utc, time.UTC
	}
	layout := "20060102150405"
	if len(text) > len(layout) {
		return time.Time{}, fmt.Errorf("time %q is too long", text)
	}
	return time.ParseInLocation(layout[:len(text)], text, zone)
}
