package runner

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"brenner/internal/protocol"
)

// Kept are the options of a run that it goes on with when it is started again, and that can be changed while it goes on.
type Kept struct {
	Rounds       int           // the last round to play
	Deadline     time.Duration // for each agent in each round; 0: the default
	Grace        time.Duration // between asking a program to end and ending it; 0: the default
	InTurn       bool          // agents work one after the other, in the order of the roster
	SkipMissing  bool          // play without agents whose programs are missing
	StalledAfter time.Duration // a program that does not stir for so long is ended; 0: at its deadline only
	Consent      time.Duration // how long a program that asks for consent waits for its person; 0: it is refused at once
	Retries      int           // how often an agent whose service takes no more is started again
	Gate         bool          // a person is asked before each further round
	Budget       Budget        // of the run
	AgentBudget  Budget        // of each agent in the run
	DayBudget    Budget        // of all runs of the project on this machine, from midnight to midnight
}

// keptText is how options are written down: times and budgets as people give them.
type keptText struct {
	Rounds       int    `json:"rounds"`
	Deadline     string `json:"deadline"`
	Grace        string `json:"grace"`
	InTurn       bool   `json:"in_turn"`
	SkipMissing  bool   `json:"skip_missing"`
	StalledAfter string `json:"stalled_after"`
	Consent      string `json:"consent"`
	Retries      int    `json:"retries"`
	Gate         bool   `json:"gate"`
	Budget       Budget `json:"budget"`
	AgentBudget  Budget `json:"agent_budget"`
	DayBudget    Budget `json:"day_budget"`
}

// MarshalJSON implements json.Marshaler.
func (k Kept) MarshalJSON() ([]byte, error) {
	return json.Marshal(keptText{k.Rounds, k.Deadline.String(), k.Grace.String(), k.InTurn, k.SkipMissing, k.StalledAfter.String(),
		k.Consent.String(), k.Retries, k.Gate, k.Budget, k.AgentBudget, k.DayBudget})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (k *Kept) UnmarshalJSON(data []byte) error {
	var t keptText
	if err := json.Unmarshal(data, &t); err != nil {
		return err
	}
	*k = Kept{Rounds: t.Rounds, InTurn: t.InTurn, SkipMissing: t.SkipMissing, Retries: t.Retries, Gate: t.Gate, Budget: t.Budget,
		AgentBudget: t.AgentBudget, DayBudget: t.DayBudget}
	var err error
	if t.Consent == "" { // what was kept before there was such an option
		t.Consent = "0s"
	}
	for text, to := range map[*string]*time.Duration{&t.Deadline: &k.Deadline, &t.Grace: &k.Grace, &t.StalledAfter: &k.StalledAfter,
		&t.Consent: &k.Consent} {
		if *to, err = time.ParseDuration(*text); err != nil {
			return err
		}
	}
	return nil
}

const keptFile = "options.json"

// KeptOptions are those of the run of a thread that would go on if it were started again; false: the next start begins a new run.
func KeptOptions(root, thread string) (Kept, bool, error) {
	var k Kept
	if thread == "" || !filepath.IsLocal(thread) {
		return k, false, nil
	}
	f := runFolder(root, thread)
	if _, err := os.Stat(filepath.Join(f.path, keptFile)); err != nil {
		return k, false, nil //nolint:nilerr // none were ever kept
	}
	var rec runRecord
	err := errors.Join(load(filepath.Join(f.path, keptFile), &k), load(filepath.Join(f.path, "run.json"), &rec))
	return k, err == nil && (!rec.Status.final() || rec.Status == Stalled), err
}

// Keep keeps the options of a run. A runner at work obeys them from the next look on.
func Keep(root, thread string, k Kept) error {
	f, err := openFolder(root, thread)
	if err != nil {
		return err
	}
	return save(filepath.Join(f.path, keptFile), k)
}

// kept are the options as they are now: a person may have changed them since the run began.
func (r *run) kept() Kept {
	k := r.o.Kept
	if err := load(filepath.Join(r.folder.path, keptFile), &k); err != nil || k.Rounds < 1 {
		return r.o.Kept
	}
	return k
}

// Edit changes the options that a run goes on with. NOT_FOUND: there never was a run.
func Edit(root, thread string, how func(*Kept)) (Kept, error) {
	var k Kept
	f := runFolder(root, thread)
	path := filepath.Join(f.path, keptFile)
	if _, err := os.Stat(path); err != nil || !filepath.IsLocal(thread) {
		return k, protocol.Errorf(protocol.NotFound, "no run of %s was ever started here: start the run", thread).
			Doing(protocol.OnThread("run", thread))
	}
	if err := load(path, &k); err != nil {
		return k, err
	}
	how(&k)
	return k, save(path, k)
}
