package strictjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/strictjson"
)

// members reads an object; of a name that comes twice the last value counts.
func members(o *strictjson.Objects, text []byte) (map[string]string, bool) {
	all := map[string]string{}
	ok := o.Members(text, func(name, value []byte) { all[string(name)] = string(value) })
	return all, ok
}

func TestMembers(t *testing.T) {
	o := strictjson.NewObjects()
	for _, c := range []struct {
		text string
		want map[string]string // nil: it is not one object
	}{
		{`{}`, map[string]string{}},
		{` { "a" : 1 , "b":[ 1,{"c":null}] } `, map[string]string{"a": "1", "b": `[ 1,{"c":null}]`}},
		{`{"a":1,"a":"2"}`, map[string]string{"a": `"2"`}},
		{`{"\u0061":true}`, map[string]string{"a": "true"}},
		{`{"a":"\ud800"}`, map[string]string{"a": `"\ud800"`}},
		{`null`, nil},
		{`[]`, nil},
		{``, nil},
		{`{"a":1`, nil},
		{`{"a":1,}`, nil},
		{`{"a":1}{}`, nil},
		{`{"a":1} x`, nil},
		{`{a:1}`, nil},
		{`{"a":01}`, nil},
	} {
		o.AnyText = true
		got, ok := members(o, []byte(c.text))
		if ok != (c.want != nil) {
			t.Errorf("%s: %v", c.text, ok)
		} else if ok && !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v", c.text, got)
		}
	}
}

func TestTextIsUnicode(t *testing.T) {
	for _, text := range []string{`{"a":"\ud800"}`, `{"a":"\udc00\ud800"}`, `{"\ud800":1}`, "{\"a\":\"\xff\"}"} {
		if _, ok := members(strictjson.NewObjects(), []byte(text)); ok {
			t.Errorf("%q is read", text)
		}
	}
}

func TestText(t *testing.T) {
	for raw, want := range map[string]string{`""`: "", `"a b"`: "a b", `"a\n\u00e9\"\\"`: "a\né\"\\", `"\ud83d\ude00"`: "😀"} {
		if got := strictjson.AppendText([]byte("x"), []byte(raw)); string(got) != "x"+want {
			t.Errorf("%s: %q", raw, got)
		}
	}
}

// FuzzMembers compares the reader with the standard library's.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":"\u0041"}`, `{"a":{"a":[]},"a":-1.5e9}`, `{"\ud800":1}`, `{"a":nul}`,
		strings.Repeat(`{"a":`, 50)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		if !utf8.Valid(text) {
			return
		}
		err := json.Unmarshal(text, &want)
		o := strictjson.NewObjects()
		o.AnyText = true
		got, ok := members(o, text)
		strict, unicode := members(strictjson.NewObjects(), text)
		if unicode && (!ok || !cmp.Equal(strict, got)) || !unicode && ok && !bytes.Contains(text, []byte(`\u`)) {
			t.Fatalf("%q: %v, %v if read strictly, else %v, %v", text, strict, unicode, got, ok)
		}
		if ok != (err == nil && want != nil) {
			t.Fatalf("%q: %v, the standard library says %v", text, ok, err)
		}
		if !ok {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %v", text, got)
		}
		for name, value := range want {
			if !bytes.Equal(value, []byte(got[name])) {
				t.Fatalf("%q: %s is %s, want %s", text, name, got[name], value)
			}
			var s string
			if value[0] != '"' || json.Unmarshal(value, &s) != nil || strings.Contains(string(value), `\u`) {
				continue
			}
			if text := strictjson.AppendText(nil, value); string(text) != s {
				t.Fatalf("%s says %q", value, text)
			}
		}
	})
}
