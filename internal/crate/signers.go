package crate

import (
	"bytes"
	"encoding/base64"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// Signers are the keys that are trusted. They are read exactly as ssh-keygen reads its ALLOWED SIGNERS (SCIENCE 9): a line that it
// passes over trusts nobody here either.
type Signers []allowed

// allowed is a line of the file.
type allowed struct {
	principals    string // a list of patterns
	key           ssh.PublicKey
	authority     bool    // the key signs certificates, not crates
	namespaces    *string // a list of patterns; nil: all
	after, before time.Time
}

// ParseSigners reads a file of allowed signers. It is never nil: a file without a usable line trusts nobody.
func ParseSigners(text string) Signers {
	signers := Signers{}
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(line, "\x00") // where a string of C ends
		if signer, ok := parseSigner(line); ok {
			signers = append(signers, signer)
		}
	}
	return signers
}

// lineSpace is what separates the name from the rest; between the other fields it is fieldSpace.
const (
	lineSpace  = " \t\r\n"
	fieldSpace = " \t"
)

func parseSigner(line string) (allowed, bool) {
	line = strings.TrimLeft(line, lineSpace)
	if line == "" || line[0] == '#' {
		return allowed{}, false
	}
	principals, rest, ok := cutPrincipals(line)
	if !ok {
		return allowed{}, false
	}
	signer := allowed{principals: principals}
	if signer.key, ok = parseKey(rest); ok {
		return signer, true
	}
	options, rest, ok := cutOptions(rest)
	if !ok || !signer.read(options) {
		return allowed{}, false
	}
	signer.key, ok = parseKey(strings.TrimLeft(rest, fieldSpace))
	return signer, ok
}

// cutPrincipals takes the first field. A quotation mark may stand anywhere in it; the field then ends at the next one.
func cutPrincipals(line string) (principals, rest string, ok bool) {
	at := strings.IndexAny(line, lineSpace+`"`)
	switch {
	case at < 0:
		return "", "", false
	case line[at] != '"':
		return line[:at], strings.TrimLeft(line[at+1:], lineSpace), true
	}
	quoted, rest, ok := strings.Cut(line[at+1:], `"`)
	return line[:at] + quoted, strings.TrimLeft(rest, lineSpace), ok
}

// cutOptions takes the field before the key. It ends at a space outside quotation marks.
func cutOptions(text string) (options, rest string, ok bool) {
	quoted := false
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] == '\\' && strings.HasPrefix(text[at+1:], `"`):
			at++
		case text[at] == '"':
			quoted = !quoted
		case !quoted && strings.IndexByte(fieldSpace, text[at]) >= 0:
			return text[:at], text[at+1:], true
		}
	}
	return "", "", false
}

// parseKey reads a type and a key; what follows is a comment.
func parseKey(text string) (ssh.PublicKey, bool) {
	at := strings.IndexAny(text, fieldSpace)
	if at < 0 {
		return nil, false
	}
	kind, code := text[:at], strings.TrimLeft(text[at:], fieldSpace)
	if end := strings.IndexAny(code, fieldSpace); end >= 0 {
		code = code[:end]
	}
	code = strings.Join(strings.Fields(code), "") // the end of a line is no part of it
	blob, err := base64.StdEncoding.DecodeString(code)
	if err != nil {
		return nil, false
	}
	key, err := ssh.ParsePublicKey(blob)
	if err != nil || key.Type() != kind {
		return nil, false
	}
	return key, true
}

// read takes the options of a line. It is false for one that ssh-keygen does not know, has twice, or cannot read.
func (a *allowed) read(options string) bool {
	for options != "" {
		ok := true
		switch {
		case option(&options, "cert-authority"):
			a.authority = true
		case option(&options, "namespaces="):
			var list string
			ok = a.namespaces == nil && dequote(&options, &list)
			a.namespaces = &list
		case option(&options, "valid-after="):
			ok = a.after.IsZero() && moment(&options, &a.after)
		case option(&options, "valid-before="):
			ok = a.before.IsZero() && moment(&options, &a.before)
		}
		switch {
		case !ok, options != "" && options[0] != ',', options == ",":
			return false
		}
		options = strings.TrimPrefix(options, ",")
	}
	return a.after.IsZero() || a.before.IsZero() || a.before.After(a.after)
}

// option takes a name from the beginning of the options, in any case.
func option(options *string, name string) bool {
	if len(*options) < len(name) || !strings.EqualFold((*options)[:len(name)], name) {
		return false
	}
	*options = (*options)[len(name):]
	return true
}

// dequote takes a value in quotation marks, without which it is none.
func dequote(options, value *string) bool {
	text, ok := strings.CutPrefix(*options, `"`)
	if !ok {
		return false
	}
	var b strings.Builder
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] == '"':
			*value, *options = b.String(), text[at+1:]
			return true
		case text[at] == '\\' && strings.HasPrefix(text[at+1:], `"`):
			at++
		}
		b.WriteByte(text[at])
	}
	return false
}

func moment(options *string, at *time.Time) bool {
	var text string
	return dequote(options, &text) && signerTime(text, at)
}

// signerTime reads YYYYMMDD[HHMM[SS]], with Z or UTC behind it, else in the zone of the machine. A day that its month lacks is one
// of the next, as the C library takes it; the epoch itself is no time.
func signerTime(text string, at *time.Time) bool {
	zone := time.Local
	for _, utc := range []string{"Z", "UTC"} {
		if n := len(text) - len(utc); n > 0 && strings.EqualFold(text[n:], utc) {
			text, zone = text[:n], time.UTC
			break
		}
	}
	if n := len(text); n != 8 && n != 12 && n != 14 || strings.Trim(text, "0123456789") != "" {
		return false
	}
	text += "000000"[:14-len(text)]
	number := func(from, to int) (n int) {
		for _, digit := range text[from:to] {
			n = 10*n + int(digit-'0')
		}
		return n
	}
	month, day, hour, minute, second := number(4, 6), number(6, 8), number(8, 10), number(10, 12), number(12, 14)
	if month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 61 {
		return false
	}
	*at = time.Date(number(0, 4), time.Month(month), day, hour, minute, second, 0, zone)
	return at.Unix() > 0
}

// Find returns who is trusted with a key for signatures of a namespace at a time.
func (s Signers) Find(key ssh.PublicKey, namespace string, now time.Time) (string, bool) {
	for _, signer := range s {
		if name, ok := signer.holds(key, now); ok && signer.permits(namespace, now) {
			return name, true
		}
	}
	return "", false
}

// holds tells whose key it is: the line's own, or one that its authority has certified.
func (a allowed) holds(key ssh.PublicKey, now time.Time) (string, bool) {
	if !a.authority {
		return a.principals, bytes.Equal(a.key.Marshal(), key.Marshal()) && a.namesAnyone()
	}
	certificate, ok := key.(*ssh.Certificate)
	if !ok || certificate.CertType != ssh.UserCert || !bytes.Equal(certificate.SignatureKey.Marshal(), a.key.Marshal()) {
		return "", false
	}
	checker := ssh.CertChecker{Clock: func() time.Time { return now }}
	for name := range certificate.CriticalOptions {
		checker.SupportedCriticalOptions = append(checker.SupportedCriticalOptions, name) // they are about logging in
	}
	for _, name := range certificate.ValidPrincipals {
		if matchesList(name, a.principals) && checker.CheckCert(name, certificate) == nil {
			return name, true
		}
	}
	return "", false
}

// namesAnyone reports whether the principals name somebody whom they do not exclude again.
func (a allowed) namesAnyone() bool {
	for pattern := range strings.SplitSeq(a.principals, ",") {
		if matchesList(pattern, a.principals) {
			return true
		}
	}
	return false
}

func (a allowed) permits(namespace string, now time.Time) bool {
	seconds := now.Truncate(time.Second)
	return (a.namespaces == nil || matchesList(namespace, *a.namespaces)) &&
		(a.after.IsZero() || !seconds.Before(a.after)) && (a.before.IsZero() || !seconds.After(a.before))
}

// matchesList reports whether a name matches a list of patterns, and none of those with ! in front (PATTERNS in ssh_config(5)).
func matchesList(name, patterns string) (matched bool) {
	const longest = 1023
	for pattern := range strings.SplitSeq(patterns, ",") {
		pattern, negated := strings.CutPrefix(pattern, "!")
		switch {
		case len(pattern) >= longest:
			return false
		case !matches(name, pattern):
		case negated:
			return false
		default:
			matched = true
		}
	}
	return matched
}

// matches compares a name with a pattern: * is any text, ? any one byte.
func matches(name, pattern string) bool {
	star, mark := -1, 0
	at, p := 0, 0
	for at < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, at
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[at]):
			at++
			p++
		case star >= 0:
			mark++
			p, at = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
