package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// visits are the browsers that showed a token at the sign-in page: they cannot send one with every
// request. A visit is a random number in a cookie. By its hash it is a note in the store, so that every server of the
// store knows it, also after a restart. It is as good as the token: when that is revoked, so is the visit. Safe for
// concurrent use.
type visits struct {
	mail   *mail.Service
	cookie string
	now    func() time.Time

	mu   sync.Mutex
	seen map[string]seenVisit // by key, for a moment
}

const visitNote mail.NoteKind = "web.visit"

// visit is what a note says.
type visit struct {
	Token string    `json:"token"` // its hash
	Began time.Time `json:"began"`
}

type seenVisit struct {
	note mail.Note // Version 0: there is none
	at   time.Time
}

// How long a browser stays signed in: unused, and at most. That it was used is written down when a part of the time
// is over. maxVisits bounds the memory.
const (
	visitIdle  = 12 * time.Hour
	visitMost  = 7 * 24 * time.Hour
	visitTouch = visitIdle / 12
	maxVisits  = 1000
)

// newVisits names the cookie after the project: browsers send the cookies of one port to all others of
// the same host.
func newVisits(m *mail.Service, now func() time.Time) *visits {
	sum := sha256.Sum256([]byte(m.Project().HumanKey))
	return &visits{mail: m, cookie: "brenner_" + hex.EncodeToString(sum[:4]), now: now, seen: map[string]seenVisit{}}
}

// begin makes a visit for a client that showed a token, and returns its secret.
func (v *visits) begin(ctx context.Context, token canon.Hash) (string, error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", protocol.Errorf(protocol.Internal, "this machine gives no random numbers: %w", err)
	}
	text, now := base64.RawURLEncoding.EncodeToString(secret), v.now()
	data, err := json.Marshal(visit{token.String(), now})
	if err != nil {
		return "", err
	}
	_, err = v.mail.Store().PutNote(ctx, v.mail.Project().ID, now,
		mail.Note{Kind: visitNote, Key: visitKey(text), Data: data, Expires: now.Add(visitIdle)})
	return text, err
}

func visitKey(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// secret is what the cookie of a request holds, empty if there is none.
func (v *visits) secret(r *http.Request) string {
	c, err := r.Cookie(v.cookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// token finds the token of a request's cookie.
func (v *visits) token(r *http.Request) (token canon.Hash, found bool, err error) {
	secret := v.secret(r)
	if secret == "" {
		return canon.Hash{}, false, nil
	}
	note, err := v.find(r.Context(), visitKey(secret))
	if err != nil || note.Version == 0 {
		return canon.Hash{}, false, err
	}
	var is visit
	_ = json.Unmarshal(note.Data, &is) // what cannot be read has no token
	v.touch(r.Context(), note, is.Began)
	token, found = canon.ParseHash(is.Token)
	return token, found, nil
}

// find returns the note of a visit as it was a moment ago at most, one of version 0 if there is none.
func (v *visits) find(ctx context.Context, key string) (mail.Note, error) {
	now := v.now()
	v.mu.Lock()
	seen, known := v.seen[key]
	v.mu.Unlock()
	if age := now.Sub(seen.at); known && age >= 0 && age < freshness && !seen.note.Expired(now) {
		return seen.note, nil
	}
	note, err := v.mail.Note(ctx, now, visitNote, key)
	if err != nil && protocol.CodeOf(err) != protocol.NotFound {
		return note, err
	}
	v.learn(key, note)
	return note, nil
}

func (v *visits) learn(key string, note mail.Note) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.seen) >= maxVisits {
		clear(v.seen)
	}
	v.seen[key] = seenVisit{note, v.now()}
}

// touch writes down that a visit is used. That it cannot be is no failure: it ends a little earlier.
func (v *visits) touch(ctx context.Context, note mail.Note, began time.Time) {
	now := v.now()
	until := now.Add(visitIdle)
	if last := began.Add(visitMost); until.After(last) {
		until = last
	}
	if until.Sub(note.Expires) < visitTouch {
		return
	}
	note.Expires = until
	if kept, err := v.mail.Store().PutNote(ctx, v.mail.Project().ID, now, note); err == nil {
		v.learn(note.Key, kept)
	}
}

// end forgets the visit of a request, at every server.
func (v *visits) end(r *http.Request) error {
	secret := v.secret(r)
	if secret == "" {
		return nil
	}
	key, now := visitKey(secret), v.now()
	v.mu.Lock()
	delete(v.seen, key)
	v.mu.Unlock()
	_, err := v.mail.ChangeNote(r.Context(), now, visitNote, key, func(n *mail.Note) error {
		if n.Version == 0 {
			return errNoVisit
		}
		n.Expires = now
		return nil
	})
	if errors.Is(err, errNoVisit) {
		return nil
	}
	return err
}

var errNoVisit = errors.New("there is no such visit")

// put hands the secret to the browser; an empty one takes it away. Scripts cannot read it, and no other
// site can make the browser send it.
func (v *visits) put(w http.ResponseWriter, r *http.Request, secret string) {
	c := &http.Cookie{
		Name: v.cookie, Value: secret, Path: "/", HttpOnly: true, Secure: secure(r), SameSite: http.SameSiteStrictMode,
		MaxAge: int(visitMost / time.Second),
	}
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}
