package artifact

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"brenner/internal/canon"
)

// Hash is the artifact hash: SHA-256 over the RFC 8785 form of the sections object (PROTOCOL 14). The form is
// written item by item from the values themselves: parsing what MarshalJSON writes takes ten times as long.
func (a *Artifact) Hash() (canon.Hash, error) {
	sum := sha256.New()
	buffer := make([]byte, 0, 4<<10)
	for i, s := range canonicalSections {
		buffer = append(buffer[:0], ',')
		if i == 0 {
			buffer[0] = '{'
		}
		buffer = append(canon.AppendString(buffer, s.String()), ':')
		if s != ResearchThread {
			buffer = append(buffer, '[')
		}
		for i, it := range a.Ordered(s) {
			if i > 0 {
				buffer = append(buffer, ',')
			}
			var err error
			if buffer, err = it.appendCanonical(buffer); err != nil {
				return canon.Hash{}, err
			}
			sum.Write(buffer)
			buffer = buffer[:0]
		}
		if s != ResearchThread {
			buffer = append(buffer, ']')
		}
		sum.Write(buffer)
	}
	sum.Write([]byte{'}'})
	var h canon.Hash
	sum.Sum(h[:0])
	return h, nil
}

var canonicalSections = func() []Section {
	sections := Sections()
	slices.SortFunc(sections, func(a, b Section) int { return canon.CompareNames(a.String(), b.String()) })
	return sections
}()

// member is a member of an item's object: the field at a place of the section's table, one of the
// places below, or the extra field at a place behind the table.
type member struct {
	name  string
	place int
}

const (
	idPlace = -1 - iota
	conflictsPlace
	killedPlace
)

// canonicalMembers are the members that an item of a section may have beside extra fields, in order.
var canonicalMembers = func() (members [sectionCount][]member) {
	for s := range members {
		members[s] = []member{{"id", idPlace}, {"conflicts", conflictsPlace}, {"killed", killedPlace}}
		for place, f := range schema[s] {
			members[s] = append(members[s], member{f.Name, place})
		}
		slices.SortFunc(members[s], compareMembers)
	}
	return members
}()

func compareMembers(a, b member) int { return canon.CompareNames(a.name, b.name) }

// appendCanonical appends the RFC 8785 form of what appendJSON writes.
func (it *Item) appendCanonical(b []byte) ([]byte, error) {
	members := canonicalMembers[it.Section]
	if len(it.extra) > 0 {
		members = it.members()
	}
	b = append(b, '{')
	var last *member
	for i := range members {
		m := &members[i]
		if !it.has(m.place) {
			continue
		}
		if last != nil {
			if m.name == last.name {
				return b, twice(m.name)
			}
			b = append(b, ',')
		}
		last = m
		b = append(canon.AppendString(b, m.name), ':')
		var err error
		if b, err = it.appendMember(b, m.place); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

// members are those that the item may have, extra fields among them, in order.
func (it *Item) members() []member {
	all := slices.Clip(canonicalMembers[it.Section])
	for i := range it.extra {
		all = append(all, member{valid(it.extra[i].Name), len(it.fields) + i})
	}
	slices.SortFunc(all, compareMembers)
	return all
}

func twice(name string) error { return fmt.Errorf("an object has the name %q twice", name) }

// has tells whether the item has a member.
func (it *Item) has(place int) bool {
	switch place {
	case conflictsPlace:
		return len(it.Conflicts) > 0
	case killedPlace:
		return it.Killed != nil
	}
	return place < 0 || place >= len(it.fields) || it.fields[place] != nil
}

// appendMember appends the value of a member that the item has.
func (it *Item) appendMember(b []byte, place int) ([]byte, error) {
	switch {
	case place >= len(it.fields):
		return canon.Append(b, string(it.extra[place-len(it.fields)].Value))
	case place >= 0:
		return appendCanonical(b, it.fields[place])
	case place == conflictsPlace:
		return appendCanonical(b, List(it.Conflicts))
	case place == killedPlace:
		b = canon.AppendString(append(b, `{"at":`...), FormatTime(it.Killed.At))
		b = canon.AppendString(append(b, `,"by":`...), it.Killed.By)
		b = canon.AppendString(append(b, `,"reason":`...), it.Killed.Reason)
		return append(b, '}'), nil
	}
	return canon.AppendString(b, string(it.ID)), nil
}

// appendCanonical appends the RFC 8785 form of what AppendValue writes.
func appendCanonical(b []byte, v Value) ([]byte, error) {
	switch v := v.(type) {
	case Text:
		return canon.AppendString(b, string(v)), nil
	case Flag:
		return strconv.AppendBool(b, bool(v)), nil
	case List:
		return appendSeq(b, '[', ']', len(v), func(b []byte, i int) []byte { return canon.AppendString(b, v[i]) }), nil
	case Map:
		return appendNamed(b, len(v), func(i int) string { return v[i].Key },
			func(b []byte, i int) ([]byte, error) { return canon.AppendString(b, v[i].Text), nil })
	case Score:
		return appendNamed(b, len(v), func(i int) string { return v[i].Name },
			func(b []byte, i int) ([]byte, error) { return canon.Append(b, v[i].Number) })
	}
	return canon.Append(b, string(AppendValue(nil, v))) // references, any JSON: their names are not known
}

// appendNamed appends an object of n members.
func appendNamed(b []byte, n int, name func(int) string, value func([]byte, int) ([]byte, error)) ([]byte, error) {
	var few [8]member
	members := few[:0]
	for i := range n {
		members = append(members, member{valid(name(i)), i})
	}
	slices.SortFunc(members, compareMembers)
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
			if members[i-1].name == m.name {
				return b, twice(m.name)
			}
		}
		b = append(canon.AppendString(b, m.name), ':')
		var err error
		if b, err = value(b, m.place); err != nil {
			return b, err
		}
	}
	return append(b, '}'), nil
}

// valid returns a name as it is written: names that differ in bytes that are no text are the same.
func valid(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return string([]rune(name))
}
