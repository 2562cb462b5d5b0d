package mcpserver

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
)

// TestLiberalArguments lists the forms in which clients send values, and what is made of them.
func TestLiberalArguments(t *testing.T) {
	type reading func(a *arguments) any
	text := func(a *arguments) any { return a.text("x") }
	required := func(a *arguments) any { return a.required("x", "y") }
	id := func(a *arguments) any { return a.requiredID("x") }
	number := func(a *arguments) any { return a.integer("x", 20, 1, 50) }
	flag := func(a *arguments) any { return a.flag("x") }
	names := func(a *arguments) any { return a.names("x") }
	agents := func(a *arguments) any { return a.agents("x") }
	instant := func(a *arguments) any {
		if at := a.instant("x"); !at.IsZero() {
			return at.UTC().Format(time.RFC3339Nano)
		}
		return ""
	}
	const wrong = "wrong" // the argument is complained about
	for _, test := range []struct {
		as   string
		read reading
		in   string
		want any
	}{
		{"text", text, `{"x":"a"}`, "a"},
		{"text", text, `{"x":null}`, ""},
		{"text", text, `{}`, ""},
		{"text", text, `null`, ""},
		{"text", text, ``, ""},
		{"text", text, `{"x":12}`, "12"},
		{"text", text, `{"x":true}`, "true"},
		{"text", text, `{"x":["a"]}`, wrong},
		{"text", text, `{"X":"case matters"}`, ""},
		{"required", required, `{"x":"a"}`, "a"},
		{"required", required, `{"x":null,"y":"b"}`, "b"},
		{"required", required, `{"x":"  "}`, wrong},
		{"required", required, `{"z":"a"}`, wrong},
		{"required", required, `{"x":{}}`, wrong},
		{"id", id, `{"x":7}`, int64(7)},
		{"id", id, `{"x":"7"}`, int64(7)},
		{"id", id, `{"x":" #7 "}`, int64(7)},
		{"id", id, `{"x":7.0}`, int64(7)},
		{"id", id, `{"x":9007199254740992}`, int64(9007199254740992)},
		{"id", id, `{"x":0}`, wrong},
		{"id", id, `{"x":-1}`, wrong},
		{"id", id, `{"x":7.5}`, wrong},
		{"id", id, `{"x":1e300}`, wrong},
		{"id", id, `{"x":"seven"}`, wrong},
		{"id", id, `{"x":[7]}`, wrong},
		{"id", id, `{}`, wrong},
		{"number", number, `{}`, 20},
		{"number", number, `{"x":null}`, 20},
		{"number", number, `{"x":"5"}`, 5},
		{"number", number, `{"x":0}`, 1},
		{"number", number, `{"x":999}`, 50},
		{"number", number, `{"x":-1e18}`, wrong},
		{"number", number, `{"x":"NaN"}`, wrong},
		{"number", number, `{"x":"many"}`, wrong},
		{"flag", flag, `{}`, false},
		{"flag", flag, `{"x":null}`, false},
		{"flag", flag, `{"x":true}`, true},
		{"flag", flag, `{"x":"True"}`, true},
		{"flag", flag, `{"x":1}`, true},
		{"flag", flag, `{"x":"no"}`, false},
		{"flag", flag, `{"x":""}`, false},
		{"flag", flag, `{"x":"perhaps"}`, wrong},
		{"flag", flag, `{"x":[]}`, wrong},
		{"names", names, `{"x":["a","b"]}`, []string{"a", "b"}},
		{"names", names, `{"x":"a"}`, []string{"a"}},
		{"names", names, `{"x":"src/a, b.go"}`, []string{"src/a, b.go"}},
		{"names", names, `{"x":"[\"a\",\"b\"]"}`, []string{"a", "b"}},
		{"names", names, `{"x":[1]}`, []string{"1"}},
		{"names", names, `{"x":[]}`, []string{}},
		{"names", names, `{"x":""}`, []string(nil)},
		{"names", names, `{"x":null}`, []string(nil)},
		{"names", names, `{"x":{"a":1}}`, wrong},
		{"names", names, `{"x":["a",null]}`, wrong},
		{"names", names, `{"x":"[broken"}`, wrong},
		{"agents", agents, `{"x":"BlueLake, RedSky,"}`, []string{"BlueLake", "RedSky"}},
		{"agents", agents, `{"x":[" BlueLake "]}`, []string{"BlueLake"}},
		{"instant", instant, `{"x":"2026-01-10T09:00:00Z"}`, "2026-01-10T09:00:00Z"},
		{"instant", instant, `{"x":"2026-01-10T10:00:00.5+01:00"}`, "2026-01-10T09:00:00.5Z"},
		{"instant", instant, `{"x":"2026-01-10T10:00:00 01:00"}`, "2026-01-10T09:00:00Z"},
		{"instant", instant, `{"x":"2026-01-10T09:00:00.123456"}`, "2026-01-10T09:00:00.123456Z"},
		{"instant", instant, `{"x":"2026-01-10 09:00:00"}`, "2026-01-10T09:00:00Z"},
		{"instant", instant, `{"x":"2026-01-10"}`, "2026-01-10T00:00:00Z"},
		{"instant", instant, `{"x":1768035600}`, "2026-01-10T09:00:00Z"},
		{"instant", instant, `{"x":null}`, ""},
		{"instant", instant, `{"x":""}`, ""},
		{"instant", instant, `{"x":"soon"}`, wrong},
		{"instant", instant, `{"x":{}}`, wrong},
	} {
		t.Run(fmt.Sprintf("%s %s", test.as, test.in), func(t *testing.T) {
			a, err := decodeArguments(json.RawMessage(test.in))
			if err != nil {
				t.Fatal(err)
			}
			got := test.read(a)
			if err := a.err(); (err != nil) != (test.want == wrong) {
				t.Fatalf("read as %#v, said %v", got, err)
			}
			if test.want != wrong && !cmp.Equal(got, test.want) {
				t.Errorf("read as %#v, want %#v", got, test.want)
			}
		})
	}
}

// TestUnreadableArguments are refused as a whole.
func TestUnreadableArguments(t *testing.T) {
	for in, want := range map[string]protocol.Code{
		"{\"x\":\"\xff\"}":           protocol.InvalidEncoding,
		`{"x":"\ud800"}`:             protocol.InvalidEncoding,
		`{"x":"\udc00"}`:             protocol.InvalidEncoding,
		`{"x":"\ud800\u0041"}`:       protocol.InvalidEncoding,
		`{"\ud83d\ude00":"\\ud800"}`: "",
		`{"x":"\ud83d\ude00\\"}`:     "",
	} {
		_, err := decodeArguments(json.RawMessage(in))
		if got := protocol.CodeOf(err); (err == nil) != (want == "") || err != nil && got != want {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

// FuzzArguments: whatever arrives, reading it neither panics nor makes text that JSON did not
// hold.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"x":"a"}`, `{"x":["a",1,null]}`, `{"x":"\ud83d\ude00"}`, `{"x":"2026-01-10 01:00"}`, `{"x":"[1]"}`,
		`{"x":1e5}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := decodeArguments(raw)
		if err != nil {
			return
		}
		for _, name := range []string{"x", "y"} {
			a.text(name)
			a.required(name)
			a.id(name)
			if n := a.integer(name, 5, 1, 9); n < 1 || n > 9 {
				t.Errorf("%d is out of bounds", n)
			}
			a.optionalFlag(name)
			a.agents(name)
			a.instant(name)
		}
		(&call{arguments: a}).deltas()
		if err := a.err(); err != nil && protocol.CodeOf(err) != protocol.InvalidInput {
			t.Error(err)
		}
	})
}
