package science

import (
	"encoding/json"
	"strings"

	"brenner/internal/artifact"
)

// run is what a last_run says.
type run struct {
	outcome     string
	exploratory bool
	cites       bool // it has the key evidence
	evidence    []string
}

// lastRun reads an item's last_run.
func lastRun(it *artifact.Item) run {
	raw, _ := it.Get(artifact.LastRun).(artifact.JSON)
	return readRun(raw)
}

// readRun reads a last_run. One that is no object has no outcome (SCIENCE 2); a blank outcome is none.
func readRun(raw artifact.JSON) run {
	var members map[string]json.RawMessage // a struct would take Outcome for outcome
	if raw == "" || json.Unmarshal([]byte(raw), &members) != nil {
		return run{}
	}
	var r run
	if json.Unmarshal(members["outcome"], &r.outcome) != nil || strings.TrimSpace(r.outcome) == "" {
		r.outcome = ""
	}
	_ = json.Unmarshal(members["exploratory"], &r.exploratory) // anything but true is false
	if _, r.cites = members["evidence"]; r.cites && json.Unmarshal(members["evidence"], &r.evidence) != nil {
		r.evidence = nil // anything but a list of texts cites nothing
	}
	return r
}

// exploratoryRuns returns the tests whose last_run this message set and called exploratory: what
// an earlier message said there is not what this one says.
func exploratoryRuns(s Step) map[artifact.ItemID]bool {
	said := map[artifact.ItemID]bool{}
	for _, c := range s.Report.Changes {
		if c.Field == artifact.LastRun {
			said[c.Item] = lastRun(s.Artifact.Item(c.Item)).exploratory
		}
	}
	return said
}
