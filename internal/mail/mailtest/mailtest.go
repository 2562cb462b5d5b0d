// Package mailtest is the conformance suite of mail.Store: what every engine has to do, in
// tiers. An engine's test calls Run; the in-memory store is the model.
package mailtest

import (
	"testing"

	"brenner/internal/mail"
)

// Engine opens stores for the suite. Each store is closed by the engine's own clean-up.
type Engine struct {
	// New opens an empty store.
	New func(t testing.TB) mail.Store

	// Again opens one more store on the data of another, as a second process would. It is
	// nil for an engine whose data lives in one store only.
	Again func(t testing.TB, s mail.Store) mail.Store
}

// Run runs every tier on an engine.
func Run(t *testing.T, engine Engine) {
	for _, tier := range tiers {
		t.Run(tier.name, func(t *testing.T) {
			for _, c := range tier.cases {
				t.Run(c.name, func(t *testing.T) { c.run(t, engine) })
			}
		})
	}
}

type tier struct {
	name  string
	cases []testCase
}

type testCase struct {
	name string
	run  func(t *testing.T, engine Engine)
}

var tiers = []tier{
	{"core", core},
	{"transactions", transactions},
	{"queue", queue},
	{"journal", journaling},
	{"concurrency", concurrency},
	{"events", events},
	{"limits", limits},
	{"acknowledgements", acknowledgements},
}
