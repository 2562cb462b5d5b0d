package server

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Role is what the holder of a token may do.
type Role string

// The roles.
const (
	RoleOperator Role = "operator" // acts for all
	RoleAgent    Role = "agent"    // acts for itself alone
	RoleReader   Role = "reader"   // reads the pages and the API, writes nothing
)

// Token is what is known of a bearer token. The secret is shown once, when it is made; only its hash is kept.
type Token struct {
	Name       string // unique among tokens that work; an agent's own name unless another was given
	Role       Role
	Agent      string // who the holder acts as; empty for a reader
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	LastUsedAt time.Time // within useEvery; zero: never

	hash canon.Hash
}

// AgentToken is a token for an agent to be: the operator's, if that is its name.
func AgentToken(agent string) Token { return Token{Role: roleOf(agent), Agent: agent} }

// Expired tells whether a token no longer works.
func (t *Token) Expired(now time.Time) bool { return !t.ExpiresAt.IsZero() && !t.ExpiresAt.After(now) }

func (t *Token) identity() Identity {
	return Identity{Name: t.Name, Agent: t.Agent, Operator: t.Role == RoleOperator, Reader: t.Role == RoleReader}
}

// check refuses a token that could not be given. INVALID_INPUT says why.
func (t *Token) check() error {
	switch {
	case !protocol.ValidAgentName(t.Name):
		return protocol.Errorf(protocol.InvalidInput, "%q is no name for a token: letters, digits, _ and -, at most 64", t.Name)
	case t.Role == RoleReader:
		return nil
	case !protocol.ValidAgentName(t.Agent):
		return protocol.Errorf(protocol.InvalidInput, "%q is no agent's name: letters, digits, _ and -, at most 64", t.Agent)
	case t.Role != roleOf(t.Agent):
		return protocol.Errorf(protocol.InvalidInput, "a token of role %s cannot act as %s", t.Role, t.Agent)
	}
	return nil
}

// tokenPrefix lets people and scanners recognise a token that strayed into a file.
const tokenPrefix = "brenner_"

// newSecret makes the text of a token.
func newSecret() (string, error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", protocol.Errorf(protocol.Internal, "this machine gives no random numbers: %w", err)
	}
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(secret), nil
}

func roleOf(agent string) Role {
	if mail.NameKey(agent) == mail.NameKey(mail.Operator) {
		return RoleOperator
	}
	return RoleAgent
}

func hashToken(token string) canon.Hash {
	return sha256.Sum256([]byte(strings.TrimSpace(token)))
}

// tokenRecord is a token as its note keeps it; the key of the note is the hash.
type tokenRecord struct {
	Name      string    `json:"name"`
	Role      Role      `json:"role"`
	Agent     string    `json:"agent,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// key is the key of a token's notes.
func (t *Token) key() string { return hex.EncodeToString(t.hash[:]) }

// note is the token as the store keeps it.
func (t *Token) note() ([]byte, error) {
	return json.Marshal(tokenRecord{t.Name, t.Role, t.Agent, t.CreatedAt, t.ExpiresAt})
}

// readToken reads a note. One that cannot be read opens no door.
func readToken(n *mail.Note) (Token, bool) {
	var r tokenRecord
	key, err := hex.DecodeString(n.Key)
	if err != nil || len(key) != len(canon.Hash{}) || json.Unmarshal(n.Data, &r) != nil {
		return Token{}, false
	}
	return Token{Name: r.Name, Role: r.Role, Agent: r.Agent, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, hash: canon.Hash(key)}, true
}
