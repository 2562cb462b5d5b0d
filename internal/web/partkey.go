package web

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"brenner/internal/figure"
)

// keyed is a view that can be a part of a page. Its key names everything that its template shows, so that views with
// the same key look the same (TestKeysTellViewsApart).
type keyed interface{ key(k *partKey) }

// partKey is written value after value, each text and list with its length before it, so that different values never
// read the same.
type partKey struct {
	buf []byte
	now time.Time
}

func (k *partKey) sum() [sha256.Size]byte { return sha256.Sum256(k.buf) }

func (k *partKey) text(texts ...string) {
	for _, s := range texts {
		k.buf = append(binary.AppendUvarint(k.buf, uint64(len(s))), s...)
	}
}

func (k *partKey) number(numbers ...int64) {
	for _, n := range numbers {
		k.buf = binary.AppendVarint(k.buf, n)
	}
}

func (k *partKey) count(numbers ...int) {
	for _, n := range numbers {
		k.number(int64(n))
	}
}

func (k *partKey) flag(flags ...bool) {
	for _, f := range flags {
		k.buf = append(k.buf, 0)
		if f {
			k.buf[len(k.buf)-1] = 1
		}
	}
}

// time writes a time as pages show it: how long ago it was is part of that.
func (k *partKey) time(t time.Time) {
	k.number(t.Unix(), int64(t.Nanosecond()))
	k.text(ago(t, k.now))
}

func (k *partKey) agent(agents ...figure.Agent) {
	for _, a := range agents {
		k.text(a.Name, a.Initials)
		k.count(a.Hue)
	}
}

func (k *partKey) texts(list []string) {
	k.count(len(list))
	k.text(list...)
}

// keys writes a list of views.
func keys[T keyed](k *partKey, list []T) {
	k.count(len(list))
	for i := range list {
		list[i].key(k)
	}
}

// keyOf writes a view that may be absent.
func keyOf[T keyed](k *partKey, v *T) {
	if k.flag(v != nil); v != nil {
		(*v).key(k)
	}
}
