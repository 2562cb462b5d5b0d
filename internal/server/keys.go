package server

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Keys are the bearer tokens of a project, kept in its store: every server of the store honours them, and
// forgets a revoked one within a second. Safe for concurrent use.
type Keys struct {
	mail *mail.Service
	now  func() time.Time

	mu     sync.Mutex
	loaded time.Time
	byHash map[canon.Hash]Token
	used   map[canon.Hash]time.Time // when the use of a token was last written
}

const (
	// freshness is how long a revoked token may still work in a server that runs.
	freshness = time.Second
	// useEvery is how often the use of one token is written.
	useEvery = time.Minute

	usesOfTokens mail.NoteKind = "token-use"
)

// NewKeys makes the tokens of a project.
func NewKeys(m *mail.Service, now func() time.Time) *Keys {
	if now == nil {
		now = time.Now
	}
	return &Keys{mail: m, now: now, used: map[canon.Hash]time.Time{}}
}

// Create makes a token and returns its secret, which cannot be read again. A token of the same name is
// replaced. An agent that is unknown is registered: where tokens are mandatory it could not come in to do so
// itself. INVALID_INPUT: the token has no valid name, agent or expiry. CONFLICT: the name is that of a token
// of another role or agent.
func (k *Keys) Create(ctx context.Context, t Token) (string, error) {
	t.Name = cmp.Or(t.Name, t.Agent)
	if err := t.check(); err != nil {
		return "", err
	}
	t.CreatedAt = k.now().UTC().Truncate(time.Second)
	if t.Expired(t.CreatedAt) {
		return "", protocol.Errorf(protocol.InvalidInput, "the token would expire at %s, before it is made",
			t.ExpiresAt.Format(time.RFC3339))
	}
	before, err := k.named(ctx, t.Name)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(before, func(b Token) bool { return b.Role != t.Role || !protocol.SameAgent(b.Agent, t.Agent) }); i >= 0 {
		return "", protocol.Errorf(protocol.Conflict, "%s is the name of another token, of role %s; choose another", before[i].Name,
			before[i].Role).Doing(protocol.Given("name"))
	}
	if t.Agent != "" {
		if err := k.mail.EnsureAgents(ctx, t.Agent); err != nil {
			return "", err
		}
		registered, err := k.mail.Agent(ctx, t.Agent)
		if err != nil {
			return "", err
		}
		t.Agent = registered.Name // as it is written
	}
	secret, err := k.put(ctx, t)
	if err != nil {
		return "", err
	}
	return secret, k.end(ctx, before, t.CreatedAt)
}

// Rotate replaces the token of a name. The one before works for grace longer, so that its holders can
// change over. NOT_FOUND: there is none.
func (k *Keys) Rotate(ctx context.Context, name string, grace time.Duration) (Token, string, error) {
	before, err := k.named(ctx, name)
	if err != nil {
		return Token{}, "", err
	}
	if len(before) == 0 {
		return Token{}, "", noToken(name)
	}
	now := k.now().UTC().Truncate(time.Second)
	next := before[len(before)-1]
	if !next.ExpiresAt.IsZero() { // as long as the one before was to live
		next.ExpiresAt = now.Add(next.ExpiresAt.Sub(next.CreatedAt))
	}
	next.CreatedAt, next.LastUsedAt = now, time.Time{}
	secret, err := k.put(ctx, next)
	if err != nil {
		return Token{}, "", err
	}
	return next, secret, k.end(ctx, before, now.Add(grace))
}

// Revoke takes the token of a name away. NOT_FOUND: there is none.
func (k *Keys) Revoke(ctx context.Context, name string) error {
	found, err := k.named(ctx, name)
	if err == nil && len(found) == 0 {
		err = noToken(name)
	}
	if err != nil {
		return err
	}
	return k.end(ctx, found, k.now())
}

func noToken(name string) error {
	return protocol.Errorf(protocol.NotFound, "there is no token %q: choose one of the list", name).Doing(protocol.Operation("token.list"))
}

// List returns the tokens by name, the older first.
func (k *Keys) List(ctx context.Context) ([]Token, error) {
	tokens, err := k.read(ctx)
	if err != nil {
		return nil, err
	}
	uses, err := k.notes(ctx, usesOfTokens)
	if err != nil {
		return nil, err
	}
	lastUse := map[string]time.Time{}
	for _, n := range uses {
		if at, err := time.Parse(time.RFC3339, string(n.Data)); err == nil {
			lastUse[n.Key] = at
		}
	}
	for i := range tokens {
		tokens[i].LastUsedAt = lastUse[tokens[i].key()]
	}
	return tokens, nil
}

// Identify finds who a token belongs to. NOT_ALLOWED: it was never given, has expired or was
// revoked, or its agent is retired.
func (k *Keys) Identify(ctx context.Context, token string) (Identity, error) {
	return k.identify(ctx, hashToken(token))
}

// identify is Identify by the hash of the token.
func (k *Keys) identify(ctx context.Context, hash canon.Hash) (Identity, error) {
	now := k.now()
	t, unnoted, err := k.find(ctx, hash, now)
	if err != nil {
		return Identity{}, err
	}
	if unnoted { // with the mutex free: no request waits for the note of another one
		k.noteUse(ctx, &t, now)
	}
	return t.identity(), nil
}

// find looks a token up, and tells whether its use is to be written.
func (k *Keys) find(ctx context.Context, hash canon.Hash, now time.Time) (t Token, unnoted bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if age := now.Sub(k.loaded); age < 0 || age >= freshness {
		if err := k.load(ctx); err != nil {
			return Token{}, false, err
		}
	}
	// The hash of a guess tells nothing about how close it came, so that looking it up in a
	// map gives nothing away.
	t, ok := k.byHash[hash]
	switch {
	case !ok:
		return Token{}, false, protocol.Errorf(protocol.NotAllowed, "the bearer token is not known here")
	case t.Expired(now):
		return Token{}, false, protocol.Errorf(protocol.NotAllowed, "the bearer token expired at %s; the operator makes a new one",
			t.ExpiresAt.Format(time.RFC3339)).Doing(protocol.Action{Do: "token.rotate", With: protocol.Arguments{Name: t.Name}})
	case now.Sub(k.used[hash]) < useEvery:
		return t, false, nil
	}
	k.used[hash] = now
	return t, true, nil
}

// noteUse writes that a token was used. Who may come in does not depend on it.
func (k *Keys) noteUse(ctx context.Context, t *Token, now time.Time) {
	_, _ = k.mail.ChangeNote(ctx, now, usesOfTokens, t.key(), func(n *mail.Note) error {
		n.Data = []byte(now.UTC().Format(time.RFC3339))
		return nil
	})
}

func (k *Keys) load(ctx context.Context) error {
	tokens, agents, err := k.readAll(ctx)
	if err != nil {
		return err
	}
	retired := map[string]bool{}
	for i := range agents {
		retired[mail.NameKey(agents[i].Name)] = agents[i].Retired()
	}
	k.byHash, k.loaded = map[canon.Hash]Token{}, k.now()
	for _, t := range tokens {
		if !retired[mail.NameKey(t.Agent)] {
			k.byHash[t.hash] = t
		}
	}
	return nil
}

// read returns the tokens by name, the older first.
func (k *Keys) read(ctx context.Context) ([]Token, error) {
	tokens, _, err := k.readAll(ctx)
	return tokens, err
}

// readAll returns the tokens by name, the older first, and the agents. Tokens are in notes; earlier releases
// kept them with the agents.
func (k *Keys) readAll(ctx context.Context) ([]Token, []mail.Agent, error) {
	notes, err := k.notes(ctx, mail.TokenNotes)
	if err != nil {
		return nil, nil, err
	}
	var tokens []Token
	for i := range notes {
		if t, ok := readToken(&notes[i]); ok {
			tokens = append(tokens, t)
		}
	}
	agents, err := k.mail.Agents(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := range agents {
		if a := &agents[i]; a.TokenHash != (canon.Hash{}) {
			tokens = append(tokens, Token{Name: a.Name, Role: roleOf(a.Name), Agent: a.Name, hash: a.TokenHash})
		}
	}
	slices.SortStableFunc(tokens, func(a, b Token) int {
		return cmp.Or(cmp.Compare(mail.NameKey(a.Name), mail.NameKey(b.Name)), a.CreatedAt.Compare(b.CreatedAt))
	})
	return tokens, agents, nil
}

func (k *Keys) notes(ctx context.Context, kind mail.NoteKind) ([]mail.Note, error) {
	return k.mail.Store().Notes(ctx, mail.NoteQuery{Project: k.mail.Project().ID, Kind: kind, At: k.now()})
}

// named returns the tokens of a name, the older first.
func (k *Keys) named(ctx context.Context, name string) ([]Token, error) {
	tokens, err := k.read(ctx)
	return slices.DeleteFunc(tokens, func(t Token) bool { return mail.NameKey(t.Name) != mail.NameKey(name) }), err
}

// put writes a token under a new secret and returns that.
func (k *Keys) put(ctx context.Context, t Token) (string, error) {
	secret, err := newSecret()
	if err != nil {
		return "", err
	}
	t.hash = hashToken(secret)
	return secret, k.write(ctx, &t, time.Time{})
}

// end lets tokens work until then.
func (k *Keys) end(ctx context.Context, tokens []Token, then time.Time) error {
	for i := range tokens {
		t := &tokens[i]
		if !t.ExpiresAt.IsZero() && t.ExpiresAt.Before(then) {
			continue
		}
		if err := k.clearAgent(ctx, t); err != nil {
			return err
		}
		gone := time.Time{}
		if t.ExpiresAt = then; t.Expired(k.now()) {
			gone = then
		}
		if err := k.write(ctx, t, gone); err != nil {
			return err
		}
	}
	return nil
}

// write keeps a token until it is gone.
func (k *Keys) write(ctx context.Context, t *Token, gone time.Time) error {
	data, err := t.note()
	if err != nil {
		return err
	}
	_, err = k.mail.ChangeNote(ctx, k.now(), mail.TokenNotes, t.key(), func(n *mail.Note) error {
		n.Data, n.Expires = data, gone
		return nil
	})
	k.mu.Lock()
	defer k.mu.Unlock()
	k.loaded = time.Time{}
	return err
}

// clearAgent takes a token away that an earlier release kept with its agent.
func (k *Keys) clearAgent(ctx context.Context, t *Token) error {
	if !t.CreatedAt.IsZero() {
		return nil
	}
	a, err := k.mail.Agent(ctx, t.Agent)
	if err != nil {
		return err
	}
	a.TokenHash = canon.Hash{}
	_, err = k.mail.Store().PutAgent(ctx, a)
	return err
}
