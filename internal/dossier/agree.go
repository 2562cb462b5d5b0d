package dossier

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"brenner/internal/yamltext"
)

// agrees compares a JSON file with what is derived, over the keys that the file has: a later version of the program may say
// more. It names the first place that differs.
func agrees(file, derived []byte) (string, bool) {
	var got, want any
	if json.Unmarshal(file, &got) != nil || json.Unmarshal(derived, &want) != nil {
		return "it cannot be read as JSON: all of it", false
	}
	return same("", got, want)
}

// sameIndex compares an index with what it is read as, over the keys that it has: earlier versions wrote fewer.
func sameIndex(file, derived []byte) bool {
	got, err := yamltext.ToJSON(file)
	if err != nil {
		return false
	}
	want, err := yamltext.ToJSON(derived)
	if err != nil {
		return false
	}
	_, ok := agrees(got, want)
	return ok
}

func same(at string, got, want any) (string, bool) {
	switch g := got.(type) {
	case map[string]any:
		w, ok := want.(map[string]any)
		if !ok {
			return place(at), false
		}
		for _, key := range slices.Sorted(maps.Keys(g)) {
			if _, known := w[key]; !known {
				return place(at + "." + key), false
			}
			if where, ok := same(at+"."+key, g[key], w[key]); !ok {
				return where, false
			}
		}
		return "", true
	case []any:
		w, ok := want.([]any)
		if !ok || len(g) != len(w) {
			return place(at), false
		}
		for i := range g {
			if where, ok := same(fmt.Sprintf("%s[%d]", at, i), g[i], w[i]); !ok {
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
