package artifact

import (
	"maps"
	"slices"
	"time"
)

// Item is an entry of a section. The zero Item with an id is an empty item of its section.
type Item struct {
	ID        ItemID
	Section   Section
	Killed    *Kill
	Conflicts []string // fields in dispute until a person edits them (PROTOCOL 7), sorted

	fields  []Value // by place in Section.Fields; nil is absent
	extra   []Extra // fields that no table names and open ones, sorted by name
	sources map[string]*Source
}

// Kill is the record of a killed item.
type Kill struct {
	By     string
	At     time.Time
	Reason string
	Source *Source // where the KILL came from; nil if it was read from Markdown
}

// Extra is a field that no table names, or an open one, kept as it was written.
type Extra struct {
	Name  string
	Value JSON
}

// Source is where a field's value came from. One Source serves all fields of a block.
type Source struct {
	MessageID int64
	Block     int // from 1; 0 for a KICKOFF
	Agent     string
	At        time.Time
	Rationale string
}

// NewItem makes an empty item.
func NewItem(id ItemID, s Section) *Item {
	return &Item{ID: id, Section: s, fields: make([]Value, len(schema[s]))}
}

// Get returns the value of a field that the section's table names, nil if it is absent. An open field in another form
// than the table's is absent too.
func (it *Item) Get(field string) Value {
	if i := it.Section.Field(field); i >= 0 {
		return it.fields[i]
	}
	return it.open(field)
}

// Set gives a named field its value; nil makes it absent. It panics on a name that the
// section's table does not have: use SetExtra for those.
func (it *Item) Set(field string, v Value) { it.fields[it.Section.Field(field)] = v }

// Text returns a text field, empty if it is absent.
func (it *Item) Text(field string) string { return get[Text](it, field).string() }

// Flag returns a flag, false if it is absent.
func (it *Item) Flag(field string) bool { return bool(get[Flag](it, field)) }

// List returns a list field.
func (it *Item) List(field string) List { return get[List](it, field) }

// Map returns a map field.
func (it *Item) Map(field string) Map { return get[Map](it, field) }

// Score returns the score of a test.
func (it *Item) Score() Score { return get[Score](it, ScoreField) }

// References returns the item's references.
func (it *Item) References() References { return get[References](it, ReferencesField) }

func (t Text) string() string { return string(t) }

func get[T Value](it *Item, field string) T {
	v, _ := it.Get(field).(T)
	return v
}

// Extra returns the fields that no table names and the open ones, as they were written, sorted by name.
func (it *Item) Extra() []Extra { return it.extra }

// SetExtra sets a field that no table names; an empty value removes it.
func (it *Item) SetExtra(name string, v JSON) {
	i, found := slices.BinarySearchFunc(it.extra, name, func(e Extra, n string) int {
		if e.Name < n {
			return -1
		}
		if e.Name > n {
			return 1
		}
		return 0
	})
	switch {
	case v == "" && found:
		it.extra = slices.Delete(it.extra, i, i+1)
	case v == "":
	case found:
		it.extra[i].Value = v
	default:
		it.extra = slices.Insert(it.extra, i, Extra{name, v})
	}
}

// Source returns where a field, or a key of a map (predictions.H2), came from.
func (it *Item) Source(path string) *Source { return it.sources[path] }

// SetSource records where a field or a key of a map came from; nil forgets it.
func (it *Item) SetSource(path string, s *Source) {
	if s == nil {
		delete(it.sources, path)
		return
	}
	if it.sources == nil {
		it.sources = make(map[string]*Source, len(it.fields))
	}
	it.sources[path] = s
}

// Title returns the item's name, or for a prediction its condition.
func (it *Item) Title() string {
	if it.Section == PredictionsTable {
		return it.Text(Condition)
	}
	return it.Text(Name)
}

// Active tells whether the item has not been killed.
func (it *Item) Active() bool { return it.Killed == nil }

// EqualContent tells whether two items have the same id, fields, extra fields, disputes and
// kill record; sources are not compared.
func (it *Item) EqualContent(other *Item) bool {
	return it.ID == other.ID && it.Section == other.Section &&
		slices.EqualFunc(it.fields, other.fields, Equal) &&
		slices.Equal(it.extra, other.extra) &&
		slices.Equal(it.Conflicts, other.Conflicts) &&
		it.Killed.equal(other.Killed)
}

func (k *Kill) equal(other *Kill) bool {
	if k == nil || other == nil {
		return k == other
	}
	return k.By == other.By && k.At.Equal(other.At) && k.Reason == other.Reason
}

// Clone copies the item; values and sources are shared, as they are immutable.
func (it *Item) Clone() *Item {
	c := *it
	c.fields = slices.Clone(it.fields)
	c.extra = slices.Clone(it.extra)
	c.Conflicts = slices.Clone(it.Conflicts)
	c.sources = maps.Clone(it.sources)
	return &c
}
