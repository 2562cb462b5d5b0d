package merge

import (
	"brenner/internal/artifact"
	"brenner/internal/kept"
)

// codec writes a state or reads one. Forks may be saved while others read them. A source that occurs again is a reference to its first
// occurrence, so that it keeps its identity.
type codec struct {
	*kept.Form
	sources map[*artifact.Source]uint64
	bySrc   []*artifact.Source
}

// source writes 0 for none, the number of a known source, or the next number and a new one.
func (c *codec) source(v **artifact.Source) {
	var ref uint64
	if !c.Reading() && *v != nil {
		ref = c.sources[*v]
		if ref == 0 {
			ref = uint64(len(c.sources)) + 1
		}
	}
	c.Uint(&ref)
	switch {
	case ref == 0:
		if c.Reading() {
			*v = nil
		}
		return
	case c.Reading() && ref <= uint64(len(c.bySrc)):
		*v = c.bySrc[ref-1]
		return
	case !c.Reading() && c.sources[*v] > 0:
		return
	case c.Reading() && ref != uint64(len(c.bySrc))+1:
		c.Fail("a source refers to none")
		return
	}
	if c.Reading() {
		*v = &artifact.Source{}
		c.bySrc = append(c.bySrc, *v)
	} else {
		c.sources[*v] = ref
	}
	s := *v
	c.Int64(&s.MessageID)
	c.Int(&s.Block)
	c.Text(&s.Agent)
	c.Time(&s.At)
	c.Text(&s.Rationale)
}

// The tags of values.
const (
	tagAbsent uint64 = iota
	tagText
	tagFlag
	tagList
	tagMap
	tagScore
	tagReferences
	tagJSON
)

func tagOf(v artifact.Value) uint64 {
	switch v.(type) {
	case artifact.Text:
		return tagText
	case artifact.Flag:
		return tagFlag
	case artifact.List:
		return tagList
	case artifact.Map:
		return tagMap
	case artifact.Score:
		return tagScore
	case artifact.References:
		return tagReferences
	case artifact.JSON:
		return tagJSON
	}
	return tagAbsent
}

func (c *codec) value(v *artifact.Value) {
	tag := tagOf(*v)
	c.Uint(&tag)
	switch tag {
	case tagAbsent:
		if c.Reading() {
			*v = nil
		}
	case tagText:
		part(c, v, func(t *artifact.Text) { kept.Named(c.Form, t) })
	case tagFlag:
		part(c, v, func(f *artifact.Flag) { c.Bool((*bool)(f)) })
	case tagList:
		part(c, v, func(l *artifact.List) { kept.List(c.Form, (*[]string)(l), c.Text) })
	case tagMap:
		part(c, v, func(m *artifact.Map) {
			kept.List(c.Form, (*[]artifact.Pair)(m), func(p *artifact.Pair) { c.Text(&p.Key); c.Text(&p.Text) })
		})
	case tagScore:
		part(c, v, func(s *artifact.Score) {
			kept.List(c.Form, (*[]artifact.Part)(s), func(p *artifact.Part) { c.Text(&p.Name); c.Text(&p.Number) })
		})
	case tagReferences:
		part(c, v, func(r *artifact.References) { kept.List(c.Form, (*[]artifact.Reference)(r), c.reference) })
	case tagJSON:
		part(c, v, func(j *artifact.JSON) { kept.Named(c.Form, j) })
	default:
		c.Fail("a value is of no known kind")
	}
}

func (c *codec) reference(r *artifact.Reference) {
	c.Text(&r.Session)
	c.Text(&r.Item)
	c.Text(&r.Relation)
	kept.Named(c.Form, &r.Extra)
}

// part writes or reads the concrete value behind an interface.
func part[T artifact.Value](c *codec, v *artifact.Value, do func(*T)) {
	concrete, _ := (*v).(T)
	do(&concrete)
	if c.Reading() {
		*v = concrete
	}
}
