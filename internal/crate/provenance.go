package crate

import (
	"net/url"
	"path"
	"slices"
	"time"
)

// Run is a command whose record goes along with a crate (SCIENCE 9, metadata).
type Run struct {
	ID      string // of its source: EV-002
	Name    string
	Command string
	Program string   // the first word of the command
	Started string   // as its record says; empty: it does not
	Ended   string   // likewise
	Outputs []string // names of files of the crate
	Failure string   // exit code, or why there is none; empty: it ended well
}

// Work is what the bibliographic entry of a source describes.
type Work struct {
	ID        string // its address; empty: it has none
	Source    string // EV-001
	Type      string // of schema.org
	Name      string
	Reference string // its line in a bibliography
	Published string // year, YYYY-MM or YYYY-MM-DD; empty: unknown
}

// The states of an action, as schema.org names them.
const (
	completedAction = "http://schema.org/CompletedActionStatus"
	failedAction    = "http://schema.org/FailedActionStatus"
)

func (r Run) id() string { return "#run-" + url.PathEscape(r.ID) }

// entity describes a run in the terms of Process Run Crate 0.5. It does not claim to conform: no version of that profile goes
// with RO-Crate 1.2.
func (r Run) entity() entity {
	var outputs []string
	for _, name := range r.Outputs {
		outputs = append(outputs, fileID(name))
	}
	e := entity{
		"@id": r.id(), "@type": "CreateAction", "name": r.Name, "description": r.Command, "instrument": ref(r.programID()),
		"result": refs(outputs), "actionStatus": ref(completedAction),
	}
	if r.Failure != "" {
		e["actionStatus"], e["error"] = ref(failedAction), r.Failure
	}
	if r.Started != "" {
		e["startTime"] = r.Started
	}
	if r.Ended != "" {
		e["endTime"] = r.Ended
	}
	return e
}

func (r Run) programID() string { return "#program-" + url.PathEscape(r.Program) }

// runs returns the runs with the programs that they ran.
func (m Metadata) runs() (entities []entity, ids []string) {
	for _, r := range m.Runs {
		ids = append(ids, r.id())
		entities = append(entities, r.entity(), entity{"@id": r.programID(), "@type": "SoftwareApplication", "name": path.Base(r.Program)})
	}
	return entities, ids
}

// works returns what the cited sources are. Two sources may be parts of one work.
func (m Metadata) works() (entities []entity, ids []string) {
	for _, w := range m.Works {
		if w.ID == "" {
			w.ID = "#work-" + url.PathEscape(w.Source)
		}
		if slices.Contains(ids, w.ID) {
			continue
		}
		ids = append(ids, w.ID)
		e := entity{"@id": w.ID, "@type": w.Type, "name": w.Name, "identifier": w.Source, "description": w.Reference}
		if w.Published != "" {
			e["datePublished"] = w.Published
		}
		entities = append(entities, e)
	}
	return entities, ids
}

// once keeps the first of entities with the same id: a document describes each thing once, and an address may be that of a
// licence and of a source.
func once(graph []entity) []entity {
	seen := map[any]bool{}
	return slices.DeleteFunc(graph, func(e entity) bool {
		id := e["@id"]
		defer func() { seen[id] = true }()
		return seen[id]
	})
}

// Span returns start and end of something that took seconds, as metadata write them; both are empty where the start is no
// time, and the end where no clock counts that far.
func Span(started string, seconds float64) (from, to string) {
	const century = 100 * 365 * 24 * 60 * 60
	at, err := time.Parse(time.RFC3339Nano, started)
	if err != nil {
		return "", ""
	}
	if seconds < 0 || seconds > century {
		return started, ""
	}
	return started, at.Add(time.Duration(seconds*1000) * time.Millisecond).UTC().Format(time.RFC3339Nano)
}
