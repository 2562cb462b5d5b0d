package diff

import (
	"encoding/json"
	"strconv"

	"brenner/internal/artifact"
)

// Label names one side of a diff: a version of a thread, or a file.
type Label struct {
	Version int
	File    string // empty for a version
}

// MarshalJSON writes a version as a number and a file as its name.
func (l Label) MarshalJSON() ([]byte, error) {
	if l.File != "" {
		return json.Marshal(l.File)
	}
	return json.Marshal(l.Version)
}

// String writes the label as a reader says it: v2, or the file's name.
func (l Label) String() string {
	if l.File != "" {
		return l.File
	}
	return "v" + strconv.Itoa(l.Version)
}

// Report is a diff as `artifact diff --json` prints it.
type Report struct {
	From    Label         `json:"from"`
	To      Label         `json:"to"`
	Added   []AddedJSON   `json:"added"`
	Edited  []EditJSON    `json:"edited"`
	Killed  []KilledJSON  `json:"killed"`
	Removed []RemovedJSON `json:"removed"`
	Revived []KilledJSON  `json:"revived"`
	Moved   []OrderJSON   `json:"moved"`
}

// Author is who made a change and in which message; null where that is unknown.
type Author struct {
	By        *string `json:"by"`
	MessageID *int64  `json:"message_id"`
}

// AddedJSON is an item that was added.
type AddedJSON struct {
	ID   artifact.ItemID `json:"id"`
	Name string          `json:"name"`
	Author
}

// EditJSON is an edit; absent values are null.
type EditJSON struct {
	ID    artifact.ItemID `json:"id"`
	Field string          `json:"field"`
	Old   Value           `json:"old"`
	New   Value           `json:"new"`
	Author
}

// KilledJSON is an item that was killed, or one that was and lives again. Was is the reason
// before, where a file changed it.
type KilledJSON struct {
	ID     artifact.ItemID `json:"id"`
	Reason string          `json:"reason"`
	Author
	At  string  `json:"at"`
	Was *string `json:"was"`
}

// RemovedJSON is an item that is gone.
type RemovedJSON struct {
	ID   artifact.ItemID `json:"id"`
	Name string          `json:"name"`
}

// OrderJSON is the new order of a section, behind its first items.
type OrderJSON struct {
	Section string            `json:"section"`
	After   int               `json:"after"`
	Items   []artifact.ItemID `json:"items"`
}

// Value is a field's value as JSON; an absent one is null.
type Value struct{ artifact.Value }

// MarshalJSON writes the value.
func (v Value) MarshalJSON() ([]byte, error) { return artifact.AppendValue(nil, v.Value), nil }

// Report gives the diff its labels and the form in which it is printed.
func (d Diff) Report(from, to Label) Report {
	r := Report{
		From: from, To: to,
		Added: []AddedJSON{}, Edited: []EditJSON{}, Killed: []KilledJSON{},
		Removed: []RemovedJSON{}, Revived: []KilledJSON{}, Moved: []OrderJSON{},
	}
	for _, a := range d.Added {
		r.Added = append(r.Added, AddedJSON{a.ID, a.Item.Title(), author(a.Source)})
	}
	for _, e := range d.Edited {
		r.Edited = append(r.Edited, EditJSON{e.ID, e.Path.String(), Value{e.Old}, Value{e.New}, author(e.Source)})
	}
	for _, k := range d.Killed {
		j := killed(k.ID, k.Record)
		if k.Was != nil {
			j.Was = &k.Was.Reason
		}
		r.Killed = append(r.Killed, j)
	}
	for _, x := range d.Removed {
		r.Removed = append(r.Removed, RemovedJSON{x.ID, x.Name})
	}
	for _, x := range d.Revived {
		r.Revived = append(r.Revived, killed(x.ID, x.Was))
	}
	for _, o := range d.Moved {
		ids := make([]artifact.ItemID, len(o.Items))
		for i, ref := range o.Items {
			ids[i] = ref.ID
		}
		r.Moved = append(r.Moved, OrderJSON{o.Section.String(), o.After, ids})
	}
	return r
}

func author(s *artifact.Source) Author {
	if s == nil {
		return Author{}
	}
	return Author{&s.Agent, &s.MessageID}
}

// killed takes the killer from the record itself, which a file has too.
func killed(id artifact.ItemID, k artifact.Kill) KilledJSON {
	j := KilledJSON{ID: id, Reason: k.Reason, Author: author(k.Source), At: artifact.FormatTime(k.At)}
	if k.By != "" {
		j.By = &k.By
	}
	return j
}
