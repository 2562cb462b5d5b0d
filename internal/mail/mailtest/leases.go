package mailtest

import (
	"testing"
	"time"

	"brenner/internal/mail"
)

// leaseSpellings: however a path is written, it is one lease, for those that take, renew and release it.
func leaseSpellings(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	s := mail.NewService(f.store, mail.Project{ID: f.project}, mail.Options{Now: func() time.Time { return start }})
	ask := func(agent string, paths ...string) (granted []string, conflicts int) {
		t.Helper()
		leases, refused, err := s.Reserve(f.ctx, mail.LeaseRequest{Agent: agent, Paths: paths, TTL: time.Hour, Exclusive: true})
		f.must(err)
		for _, l := range leases {
			granted = append(granted, l.Path)
		}
		return granted, len(refused)
	}
	spellings := []string{"a//b", "a/./b", "./a/b", "a/c/../b", "a/b", "a/b/."}
	granted, _ := ask("BlueLake", spellings...)
	f.same("in one call", granted, []string{"a/b"})
	for _, path := range spellings {
		granted, _ = ask("BlueLake", path)
		f.same(path+" again", granted, []string{"a/b"})
		granted, conflicts := ask("RedSky", path)
		f.same(path+" by another", []int{len(granted), conflicts}, []int{0, 1})
		renewed, err := s.Renew(f.ctx, "BlueLake", []string{path}, time.Hour)
		f.must(err)
		f.same(path+" renewed", len(renewed), 1)
	}
	n, err := s.Release(f.ctx, "BlueLake", []string{".//a/./b"})
	f.must(err)
	f.same("released", n, 1)
	granted, _ = ask("RedSky", "./x//", "x", "y/**/../z", "y/./*", "/../r", "./", ".")
	f.same("globs", granted, []string{"x/", "x", "y/**/../z", "y/*", "/r", "./", "."})
}
