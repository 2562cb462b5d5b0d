package science

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/quantity"
)

// lastRun is what the last_run of one block says (SCIENCE 2). What has another form than it should is as if it
// were not there.
type lastRun struct {
	outcome, unforeseen string
	value               *quantity.Value
	exploratory         bool
	note, reason        string
	cites               bool // it has the key evidence
	evidence            []string
	performed           string // a day
	started             time.Time
	potency             string
	replicates          reference
	withdraws           reference
}

// reference names another result by the origin id of its message.
type reference struct {
	given  bool
	origin int64 // 0 for what names no message
}

// readLastRun reads the last_run that a block writes; the zero value if it writes none.
func readLastRun(d *delta.Delta) lastRun {
	raw, _ := field(d, artifact.LastRun).(artifact.JSON)
	var members map[string]json.RawMessage // a struct would take Outcome for outcome
	if raw == "" || json.Unmarshal([]byte(raw), &members) != nil {
		return lastRun{}
	}
	run := lastRun{
		outcome: wordsOfMember(members["outcome"]), unforeseen: wordsOfMember(members["unforeseen"]),
		note: wordsOfMember(members["note"]), reason: wordsOfMember(members["reason"]),
		performed: day(wordsOfMember(members["performed"])), started: instant(wordsOfMember(members["started"])),
		replicates: readReference(members["replicates"]), withdraws: readReference(members["withdraws"]),
	}
	if v, ok := quantity.ReadValue(members["value"]); ok {
		run.value = &v
	}
	run.exploratory = string(members["exploratory"]) == "true"
	if potency := wordsOfMember(members["potency"]); isPotency(potency) {
		run.potency = potency
	}
	if _, run.cites = members["evidence"]; run.cites && json.Unmarshal(members["evidence"], &run.evidence) != nil {
		run.evidence = nil // anything but a list of texts cites nothing
	}
	return run
}

func isPotency(word string) bool { return word == PotencyPassed || word == PotencyFailed }

// says reports whether the run gives a result.
func (r *lastRun) says() bool { return r.outcome != "" || r.value != nil || r.unforeseen != "" }

// wordsOfMember is a text that is not blank.
func wordsOfMember(raw json.RawMessage) string {
	var text string
	if raw == nil || json.Unmarshal(raw, &text) != nil || strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// readReference reads an origin id. Another form names nothing, but it was given: a replication that says it badly
// does not replace what it meant to confirm.
func readReference(raw json.RawMessage) reference {
	if raw == nil || string(raw) == "null" {
		return reference{}
	}
	id, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	if err != nil || id < 0 {
		id = 0
	}
	return reference{true, id}
}

func day(text string) string {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return ""
	}
	return text
}

func instant(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

func field(d *delta.Delta, name string) artifact.Value {
	if i := slices.IndexFunc(d.Fields, func(f delta.Field) bool { return f.Name == name }); i >= 0 {
		return d.Fields[i].Value
	}
	return nil
}

// evidenceOf is what a block itself cites: last_run.evidence, and without that key what the same block lists in
// evidence_refs (SCIENCE 2). The sources of earlier results are not among them.
func evidenceOf(d *delta.Delta, run *lastRun) []string {
	if run.cites {
		return run.evidence
	}
	list, _ := field(d, artifact.EvidenceRefs).(artifact.List)
	return list
}
