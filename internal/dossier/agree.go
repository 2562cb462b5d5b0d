package dossier

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"brenner/internal/strictjson"
	"brenner/internal/yamltext"
)

// keys says whether a file must have every key that is derived.
type keys bool

const (
	everyKey keys = true
	ownKeys  keys = false // a file of another edition is compared over the keys that it has
)

// spelling is how much longer than what is derived a file may be for its layout.
const spelling = 64 << 10

// agrees compares a JSON file with what is derived, and names the first place that differs. A key that stands twice is a
// difference: programs do not agree on which of the two they read.
func agrees(file, derived []byte, compared keys) (string, bool) {
	if len(file) > 2*len(derived)+spelling { // it is not read: values take many times the memory of their text
		return "it is longer than what is derived: all of it", false
	}
	var got, want any
	if json.Unmarshal(file, &got) != nil || json.Unmarshal(derived, &want) != nil {
		return "it cannot be read as JSON: all of it", false
	}
	if at, ok := namedOnce(file); !ok {
		return "a key that stands twice: " + at, false
	}
	return compared.same("", got, want)
}

// namedOnce reports whether no object of a JSON text has a key twice, and where the first one does.
func namedOnce(text []byte) (string, bool) {
	decoder := strictjson.NewDecoder()
	decoder.Reset(string(text))
	for {
		switch _, _, err := decoder.Next(); {
		case errors.Is(err, io.EOF):
			return "", true
		case err != nil:
			return strictjson.Path(err), false
		}
	}
}

// agreesYAML compares the index of another edition with what it is read as, over the keys that it has.
func agreesYAML(file, derived []byte) bool {
	got, err := yamltext.ToJSON(file)
	if err != nil {
		return false
	}
	want, err := yamltext.ToJSON(derived)
	if err != nil {
		return false
	}
	_, ok := agrees(got, want, ownKeys)
	return ok
}

func (k keys) same(at string, got, want any) (string, bool) {
	switch g := got.(type) {
	case map[string]any:
		w, ok := want.(map[string]any)
		if !ok {
			return place(at), false
		}
		return k.sameObject(at, g, w)
	case []any:
		w, ok := want.([]any)
		if !ok || len(g) != len(w) {
			return place(at), false
		}
		for i := range g {
			if where, ok := k.same(fmt.Sprintf("%s[%d]", at, i), g[i], w[i]); !ok {
				return where, false
			}
		}
		return "", true
	case float64:
		w, ok := want.(float64)
		return place(at), ok && near(g, w)
	}
	return place(at), got == want
}

func (k keys) sameObject(at string, got, want map[string]any) (string, bool) {
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, known := want[key]; !known {
			return place(at + "." + key), false
		}
		if where, ok := k.same(at+"."+key, got[key], want[key]); !ok {
			return where, false
		}
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if _, has := got[key]; !has && k == everyKey {
			return place(at+"."+key) + ", which is missing,", false
		}
	}
	return "", true
}

// near allows for machines that round the last digits differently.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func place(at string) string {
	if at == "" {
		return "all of it"
	}
	return at[1:]
}
