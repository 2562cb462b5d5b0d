package merge

import (
	"encoding/binary"
	"fmt"
	"time"

	"brenner/internal/artifact"
)

// codec writes a state or reads one: the same description serves both, so that they cannot
// disagree. Writing changes nothing: forks may be saved while others read them. Numbers are varints; a text that occurs again is a reference to its first
// occurrence, and so is a source, which keeps its identity.
type codec struct {
	reading bool
	out     []byte
	in      string // what is left to read: texts are pieces of it, which copies none of them
	err     error

	texts   map[string]uint64
	sources map[*artifact.Source]uint64
	byText  []string
	bySrc   []*artifact.Source
}

func (c *codec) fail(what string) {
	if c.err == nil {
		c.err = fmt.Errorf("%s", what)
	}
	c.in = ""
}

func (c *codec) uint(v *uint64) {
	if !c.reading {
		c.out = binary.AppendUvarint(c.out, *v)
		return
	}
	*v = c.readUint()
}

func (c *codec) readUint() uint64 {
	var n uint64
	for i := range min(len(c.in), binary.MaxVarintLen64) {
		b := c.in[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if i == binary.MaxVarintLen64-1 && b > 1 {
				break // more than 64 bits
			}
			c.in = c.in[i+1:]
			return n
		}
	}
	c.fail("a number is cut off")
	return 0
}

func (c *codec) int64(v *int64) {
	u := uint64(*v)<<1 ^ uint64(*v>>63)
	c.uint(&u)
	if c.reading {
		*v = int64(u>>1) ^ -int64(u&1)
	}
}

func (c *codec) int(v *int) {
	wide := int64(*v)
	c.int64(&wide)
	if c.reading {
		*v = int(wide)
	}
}

func (c *codec) bool(v *bool) {
	var u uint64
	if *v {
		u = 1
	}
	c.uint(&u)
	if c.reading {
		*v = u == 1
	}
}

// text writes 0 and the bytes of a new text, or one more than the number of a known one.
func (c *codec) text(v *string) {
	if c.reading {
		c.readText(v)
		return
	}
	ref := c.texts[*v]
	c.uint(&ref)
	if ref > 0 {
		return
	}
	c.texts[*v] = uint64(len(c.texts)) + 1
	n := uint64(len(*v))
	c.uint(&n)
	c.out = append(c.out, *v...)
}

func (c *codec) readText(v *string) {
	var ref, n uint64
	c.uint(&ref)
	if ref > 0 {
		if ref > uint64(len(c.byText)) {
			c.fail("a text refers to none")
			return
		}
		*v = c.byText[ref-1]
		return
	}
	c.uint(&n)
	if n > uint64(len(c.in)) {
		c.fail("a text is cut off")
		return
	}
	*v, c.in = c.in[:n], c.in[n:]
	c.byText = append(c.byText, *v)
}

func (c *codec) time(v *time.Time) {
	seconds, nanos := v.Unix(), int64(v.Nanosecond())
	c.int64(&seconds)
	c.int64(&nanos)
	if c.reading {
		*v = time.Unix(seconds, nanos).UTC()
	}
}

// source writes 0 for none, the number of a known source, or the next number and a new one.
func (c *codec) source(v **artifact.Source) {
	var ref uint64
	if !c.reading && *v != nil {
		ref = c.sources[*v]
		if ref == 0 {
			ref = uint64(len(c.sources)) + 1
		}
	}
	c.uint(&ref)
	switch {
	case ref == 0:
		if c.reading {
			*v = nil
		}
		return
	case c.reading && ref <= uint64(len(c.bySrc)):
		*v = c.bySrc[ref-1]
		return
	case !c.reading && c.sources[*v] > 0:
		return
	case c.reading && ref != uint64(len(c.bySrc))+1:
		c.fail("a source refers to none")
		return
	}
	if c.reading {
		*v = &artifact.Source{}
		c.bySrc = append(c.bySrc, *v)
	} else {
		c.sources[*v] = ref
	}
	s := *v
	c.int64(&s.MessageID)
	c.int(&s.Block)
	c.text(&s.Agent)
	c.time(&s.At)
	c.text(&s.Rationale)
}

// list writes a list, element by element. A length is believed only as far as there are
// bytes: every element takes at least one.
func list[T any](c *codec, v *[]T, element func(*T)) {
	n := uint64(len(*v))
	c.uint(&n)
	if c.reading {
		if n > uint64(len(c.in)) {
			c.fail("a list is cut off")
			return
		}
		if n == 0 {
			*v = nil
			return
		}
		*v = make([]T, n)
	}
	for i := range *v {
		if c.err != nil {
			return
		}
		element(&(*v)[i])
	}
}

// named writes a value of a type whose underlying type is a string.
func named[T ~string](c *codec, v *T) {
	text := string(*v)
	c.text(&text)
	if c.reading {
		*v = T(text)
	}
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
	c.uint(&tag)
	switch tag {
	case tagAbsent:
		if c.reading {
			*v = nil
		}
	case tagText:
		part(c, v, func(t *artifact.Text) { named(c, t) })
	case tagFlag:
		part(c, v, func(f *artifact.Flag) { c.bool((*bool)(f)) })
	case tagList:
		part(c, v, func(l *artifact.List) { list(c, (*[]string)(l), c.text) })
	case tagMap:
		part(c, v, func(m *artifact.Map) {
			list(c, (*[]artifact.Pair)(m), func(p *artifact.Pair) { c.text(&p.Key); c.text(&p.Text) })
		})
	case tagScore:
		part(c, v, func(s *artifact.Score) {
			list(c, (*[]artifact.Part)(s), func(p *artifact.Part) { c.text(&p.Name); c.text(&p.Number) })
		})
	case tagReferences:
		part(c, v, func(r *artifact.References) { list(c, (*[]artifact.Reference)(r), c.reference) })
	case tagJSON:
		part(c, v, func(j *artifact.JSON) { named(c, j) })
	default:
		c.fail("a value is of no known kind")
	}
}

func (c *codec) reference(r *artifact.Reference) {
	c.text(&r.Session)
	c.text(&r.Item)
	c.text(&r.Relation)
	named(c, &r.Extra)
}

// part writes or reads the concrete value behind an interface.
func part[T artifact.Value](c *codec, v *artifact.Value, do func(*T)) {
	concrete, _ := (*v).(T)
	do(&concrete)
	if c.reading {
		*v = concrete
	}
}
