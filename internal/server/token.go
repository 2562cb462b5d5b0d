package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"sync"
	"time"

	"brenner/canon"
	"brenner/mail"
	"brenner/protocol"
)

// tokenPrefix lets people and scanners recognise a token that strayed into a file.
const tokenPrefix = "brenner_"

// Keys are the bearer tokens of a project. Only hashes are kept, with the agents; the token of
// the agent Operator is the operator's, who may act for everybody. Safe for concurrent use.
type Keys struct {
	mail *mail.Service
	now  func() time.Time

	mu     sync.Mutex
	loaded time.Time
	byHash map[canon.Hash]string // names
}

// freshness is how long a revoked token may still work in a server that runs.
const freshness = time.Second

// NewKeys makes the tokens of a project.
func NewKeys(m *mail.Service, now func() time.Time) *Keys {
	if now == nil {
		now = time.Now
	}
	return &Keys{mail: m, now: now}
}

// Create gives an agent a new token, which replaces the one it had, and returns it: it cannot be
// read again. An agent that is unknown is registered: where tokens are mandatory it could not come
// in to do so itself. INVALID_INPUT: that is no agent's name.
func (k *Keys) Create(ctx context.Context, agent string) (string, error) {
	if !protocol.ValidAgentName(agent) {
		return "", protocol.Errorf(protocol.InvalidInput, "%q is no agent's name: letters, digits, _ and -, at most 64", agent)
	}
	if err := k.mail.EnsureAgents(ctx, agent); err != nil {
		return "", err
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", protocol.Errorf(protocol.Internal, "this machine gives no random numbers: %w", err)
	}
	token := tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
	return token, k.put(ctx, agent, hashToken(token))
}

// Revoke takes an agent's token away. NOT_FOUND: it has none.
func (k *Keys) Revoke(ctx context.Context, agent string) error {
	a, err := k.mail.Agent(ctx, agent)
	if err != nil {
		return err
	}
	if a.TokenHash == (canon.Hash{}) {
		return protocol.Errorf(protocol.NotFound, "agent %q has no token", a.Name)
	}
	return k.put(ctx, agent, canon.Hash{})
}

// Holders returns the names of the agents that have a token.
func (k *Keys) Holders(ctx context.Context) ([]string, error) {
	agents, err := k.mail.Agents(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, a := range agents {
		if a.TokenHash != (canon.Hash{}) {
			names = append(names, a.Name)
		}
	}
	return names, nil
}

func (k *Keys) put(ctx context.Context, agent string, hash canon.Hash) error {
	a, err := k.mail.Agent(ctx, agent)
	if err != nil {
		return err
	}
	a.TokenHash = hash
	_, err = k.mail.Store().PutAgent(ctx, a)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.loaded = time.Time{}
	return err
}

// Identity is who shows a token.
type Identity struct {
	Agent    string // empty: nobody in particular
	Operator bool   // may act for everybody
	SignedIn bool   // by a browser's visit, not with a token of its own
}

// Identify finds who a token belongs to. NOT_ALLOWED: nobody; the token was never given, was
// revoked, or its agent is retired.
func (k *Keys) Identify(ctx context.Context, token string) (Identity, error) {
	return k.identify(ctx, hashToken(token))
}

// identify is Identify by the hash of the token.
func (k *Keys) identify(ctx context.Context, hash canon.Hash) (Identity, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if age := k.now().Sub(k.loaded); age < 0 || age >= freshness {
		if err := k.load(ctx); err != nil {
			return Identity{}, err
		}
	}
	// The hash of a guess tells nothing about how close it came, so that looking it up in a
	// map gives nothing away.
	name, ok := k.byHash[hash]
	if !ok {
		return Identity{}, protocol.Errorf(protocol.NotAllowed, "the bearer token is not known here")
	}
	return Identity{Agent: name, Operator: isOperator(name)}, nil
}

func (k *Keys) load(ctx context.Context) error {
	agents, err := k.mail.Agents(ctx)
	if err != nil {
		return err
	}
	k.byHash, k.loaded = map[canon.Hash]string{}, k.now()
	for _, a := range agents {
		if a.TokenHash != (canon.Hash{}) && !a.Retired() {
			k.byHash[a.TokenHash] = a.Name
		}
	}
	return nil
}

func isOperator(name string) bool { return mail.NameKey(name) == mail.NameKey(mail.Operator) }

func hashToken(token string) canon.Hash {
	return sha256.Sum256([]byte(strings.TrimSpace(token)))
}
