package dossier_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/crate"
)

type object = map[string]any

// entities returns what a document describes, by id.
func entities(t *testing.T, document string) map[string]object {
	t.Helper()
	var parsed struct {
		Graph []object `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(document), &parsed); err != nil {
		t.Fatal(err)
	}
	all := map[string]object{}
	for _, e := range parsed.Graph {
		all[e["@id"].(string)] = e
	}
	return all
}

func to(ids ...string) []any {
	var list []any
	for _, id := range ids {
		list = append(list, object{"@id": id})
	}
	return list
}

// TestRunsAndWorks: the metadata describe recorded runs in the terms of Process Run Crate, and sources by their DOI (SCIENCE 9).
func TestRunsAndWorks(t *testing.T) {
	files := unzip(t, pack(t, small(t).bundle()))
	all := entities(t, files[crate.MetadataName])
	root := all["./"]
	if got := root["mentions"]; !cmp.Equal(got, to("#compile-v2", "#run-EV-003", "#run-EV-004")) {
		t.Errorf("mentions %v", got)
	}
	for id, want := range map[string]object{
		"#run-EV-003": {
			"@id": "#run-EV-003", "@type": "CreateAction", "name": "EV-003: T1: python3", "description": "python3 count.py",
			"startTime": "2026-01-10T09:00:00Z", "endTime": "2026-01-10T09:00:02.5Z", "instrument": object{"@id": "#program-python3"},
			"result":       to("evidence/EV-003.out", "evidence/EV-003.err"),
			"actionStatus": object{"@id": "http://schema.org/CompletedActionStatus"},
		},
		"#run-EV-004": {
			"@id": "#run-EV-004", "@type": "CreateAction", "name": "EV-004: T1: /usr/bin/make", "description": "/usr/bin/make stain",
			"startTime": "2026-01-10T09:00:00Z", "endTime": "2026-01-10T09:00:02.5Z",
			"instrument":   object{"@id": "#program-%2Fusr%2Fbin%2Fmake"},
			"result":       to("evidence/EV-004.out", "evidence/EV-004.err"),
			"actionStatus": object{"@id": "http://schema.org/FailedActionStatus"}, "error": "3",
		},
		"#program-%2Fusr%2Fbin%2Fmake": {"@id": "#program-%2Fusr%2Fbin%2Fmake", "@type": "SoftwareApplication", "name": "make"},
		"https://doi.org/10.1000/Late.1": {
			"@id": "https://doi.org/10.1000/Late.1", "@type": "ScholarlyArticle", "name": "On late cells", "identifier": "EV-002",
			"description": "Ann Poe (2019). On late cells.", "datePublished": "2019-04",
		},
	} {
		if diff := cmp.Diff(want, all[id]); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	if !cmp.Equal(root["citation"], to("https://doi.org/10.1000/Late.1")) || strings.Contains(files[crate.MetadataName], "wfrun") {
		t.Errorf("citation %v", root["citation"])
	}
	for name, change := range map[string]func(map[string]string){
		"another status": replace(crate.MetadataName, "FailedActionStatus", "CompletedActionStatus"),
		"another code":   replace(crate.MetadataName, `"error": "3"`, `"error": "0"`),
		"another DOI":    replace(crate.MetadataName, "10.1000/Late.1", "10.1000/Late.2"),
		"another clock":  replace(crate.MetadataName, "09:00:02.5Z", "09:00:03.5Z"),
	} {
		changed := maps.Clone(files)
		anotherMaker(changed)
		if change(changed); changed[crate.MetadataName] == files[crate.MetadataName] {
			t.Fatal("nothing was changed")
		}
		if got := verify(t, rezip(t, forge(changed))); got.FirstBad == nil || got.FirstBad.File != crate.MetadataName {
			t.Errorf("%s: %+v", name, got.FirstBad)
		}
	}
}
